"""Compares bitcodec with LLVM on one module: what it reads, what its verifier reports, its text, and its output."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, Self

import bitcodec
from bitcodec import BitcodecError, EncodingError
from bitcodec.asm import module_text
from bitcodec.bitcode.offsets import relocated
from bitcodec.bitcode.saving import dumps
from bitcodec.verifier import verify
from mutations import modules, mutated, with_records_changed
from strictness.difference import Difference
from strictness.reference import CRASHED, READ, REFUSED, Answer, Reference

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Comparer", "mutation_of", "original_of", "outcome_of"]

_BROKEN = "Broken module found"
_DROPS = "ignoring invalid debug info"
_NAME = "module"
_NAMES_THE_FILE = ("; ModuleID", "source_filename = ", "^0 = module: (path: ")


class Outcome(NamedTuple):
    """What bitcodec makes of a module.

    Attributes:
        error: why it was refused, empty if it was read.
        findings: messages of the verifier.
        text: its text.
        written: what bitcodec writes for it.
    """

    error: str = ""
    findings: tuple[str, ...] = ()
    text: str = ""
    written: bytes = b""


@cache
def _paths() -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in modules()]


def mutation_of(index: int) -> tuple[str, bytes]:
    """Return the name of a file and its mutation of a number.

    In one of four bytes are changed, in one of eight records whose move leaves offsets wrong, else records alone.
    """
    source = random.Random(f"strictness {index}")
    name, data = source.choice(_paths())
    if index % 4:
        try:
            changed = with_records_changed(data, source)
        except (BitcodecError, EncodingError):
            return name, mutated(data, source)  # a blob where there can be none
        return name, _relocated(changed) if index % 8 else changed
    return name, mutated(data, source)


def original_of(name: str) -> bytes:
    """Return the file of a name, which mutations are made of."""
    return dict(_paths())[name]


def _relocated(data: bytes) -> bytes:
    """Set offsets right where possible; wrong ones would hide all else that is wrong."""
    try:
        return relocated(data)
    except (BitcodecError, EncodingError, IndexError):
        return data


def outcome_of(data: bytes) -> Outcome:
    """Read, verify, print and write a module.

    Raises:
        Exception: of any kind that is not bitcodec's own.
    """
    try:
        module = bitcodec.loads(data, _NAME)
        module.materialize()
        text = "".join(module_text(module))
        findings = tuple(finding.message for finding in verify(module))
        return Outcome("", findings, text, b"" if findings else dumps(module, copies_unchanged=False))
    except BitcodecError as error:
        return Outcome(getattr(error, "reason", str(error)))


class Comparer:
    """Compares; holds the processes that answer for LLVM."""

    def __init__(self) -> None:
        self._llvm = Reference()
        self._keeping = Reference(keeps_debug_info=True)
        self.seconds = [0.0, 0.0]
        """Seconds spent in bitcodec and in LLVM."""
        self.crashes = 0
        """How many times LLVM crashed, so that there was nothing to compare with."""
        self.reads = 0
        """How many modules both read."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _type: type[BaseException] | None, _value: object, _trace: TracebackType | None) -> None:
        self._llvm.close()
        self._keeping.close()

    def compare(self, data: bytes) -> Difference | None:
        """Return how bitcodec and LLVM differ on a module, None if they agree."""
        started = time.perf_counter()
        answer = self.ask(data)
        asked = time.perf_counter()
        self.seconds[1] += asked - started
        if answer.status == CRASHED:
            self.crashes += 1
            return None
        try:
            ours = outcome_of(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            return Difference("raised", answer.message, f"{type(error).__name__}: {error}")
        self.seconds[0] += time.perf_counter() - asked
        difference = self._difference(answer, ours)
        if difference is None:
            return None
        judged = _judged(data, answer)
        if judged.status == CRASHED:
            self.crashes += 1
            return None
        return self._difference(judged, ours)

    def ask(self, data: bytes) -> Answer:
        """Ask LLVM; of a module with invalid debug info, findings are those about it, and there is no text."""
        answer = self._llvm.ask(data)
        if answer.message.startswith(_BROKEN):
            return self._keeping.ask(data)
        if _DROPS in answer.message:
            return self._keeping.ask(data)._replace(text="")
        return answer

    def _difference(self, answer: Answer, ours: Outcome) -> Difference | None:
        first = answer.findings[0] if answer.findings else ""
        if answer.status != READ:
            return None if ours.error else Difference("accepted", answer.message, "; ".join(ours.findings[:1]))
        if ours.error:
            return Difference("refused-broken" if first else "refused", first, ours.error)
        self.reads += 1
        if bool(answer.findings) != bool(ours.findings):
            return Difference("missed" if first else "extra", first, "; ".join(ours.findings[:1]))
        text = _without_summary(ours.text) if first else ours.text
        if answer.text and (lines := _first_difference(answer.text, text)):
            return Difference("text-broken" if first else "text", *lines)
        return None if first else self._written(answer, ours)

    def _written(self, answer: Answer, ours: Outcome) -> Difference | None:
        again = self.ask(ours.written)
        if again.status != READ or again.findings:
            return Difference("written", f"{again.status}: {again.message or again.findings[0]}", "")
        lines = _first_difference(_without_summary(answer.text), again.text)
        return Difference("written", *lines) if lines else None


def _judged(data: bytes, answer: Answer) -> Answer:
    """Return an answer with what `llvm-dis` makes of a module: it reads the summary too, and prints it."""
    tool = shutil.which("llvm-dis-22")
    if tool is None or answer.findings:
        return answer
    done = subprocess.run([tool, "-", "-o", "-"], input=data, capture_output=True, check=False)
    if done.returncode < 0:
        return Answer(CRASHED, f"signal {-done.returncode}")
    if done.returncode:
        lines = done.stderr.decode(errors="replace").splitlines()
        return Answer(REFUSED, lines[-1].rpartition("error: ")[2] if lines else f"status {done.returncode}")
    text = done.stdout.decode(errors="surrogateescape")
    return answer._replace(status=READ, text=text if answer.text or not answer.is_read else "")


def _without_summary(text: str) -> str:
    """Return the text of a module as the library of LLVM prints it: `llvm-dis` alone adds the summary."""
    return text.partition("\n^0 = ")[0]


def _first_difference(theirs: str, ours: str) -> tuple[str, str] | None:
    if theirs == ours:
        return None
    for one, other in zip_longest(theirs.split("\n"), ours.split("\n"), fillvalue="<end>"):
        if one != other and not one.startswith(_NAMES_THE_FILE):
            return one, other
    return None
