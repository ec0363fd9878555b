"""The harness itself: its cases can be repeated, reach the code behind the door, and what is wrong is noticed."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.entry_points import ENTRY_POINTS
from tests.hostile import disturbed, inputs, limits, pool, sanitized, worker
from tests.hostile.__main__ import compare
from tests.hostile.cases import FAMILIES, Case, digest_of, make_case
from tests.hostile.causes import Cause, cause_of
from tests.hostile.report import Report

import bitcodec
from bitcodec import BitcodecError

ROOT = Path(__file__).parents[2]
REPEATABLE = [name for name in FAMILIES if name not in ("threads", "interrupts")]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_case_is_its_number(family: str) -> None:
    for number in range(8):
        first, second = (make_case(number, (family,)) for _ in range(2))
        assert (first.name, first.files) == (second.name, second.files)


@pytest.mark.parametrize("family", REPEATABLE)
def test_a_case_gives_the_same_again(family: str) -> None:
    for number in range(5):
        outcomes: list[object] = []
        for _ in range(2):
            try:
                outcomes.append(digest_of(make_case(number, (family,))))
            except Exception as error:  # noqa: BLE001 - whether a case fails is not asked here
                outcomes.append(cause_of(error))
        assert outcomes[0] == outcomes[1], number


def test_every_family_and_many_functions_are_chosen() -> None:
    names = {make_case(number).name.partition("(")[0].partition(" ")[0] for number in range(500)}
    assert len(names) > 70
    assert {"bitcodec", "threads", "interrupts", "diff", "machine_ir", "elf", "schema", "written"} <= names


def test_changed_files_are_read_and_refused() -> None:
    """A harness all of whose input is refused at the door would find nothing, nor one whose input is sound."""
    read = 0
    for number in range(200):
        try:
            bitcodec.loads(inputs.hostile_module(random.Random(number)).data).materialize()
            read += 1
        except BitcodecError:
            continue
    assert 40 < read < 190


def test_a_worker_lets_foreign_exceptions_through_and_proves_some_cases() -> None:
    code = (
        "import sys; from tests.hostile import worker; from bitcodec.bitcode import foreign, proving;"
        "found = []; worker.make_case = lambda *_: found.append((foreign.ARE_REFUSED, proving.IS_ON));"
        "worker.main(); print(found[-worker.PROVED:], file=sys.stderr)"
    )
    request = f"0 {worker.PROVED}\n"
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=ROOT, input=request, capture_output=True, text=True, check=True)
    assert run.stderr.strip() == str([(False, True), *[(False, False)] * (worker.PROVED - 1)])


def failing(error: BaseException) -> Case:
    def run() -> Iterator[str]:
        yield "text"
        raise error

    return Case("failing(input)", {"in.bc": b"1234"}, run)


def line_of(case: Case, monkeypatch: pytest.MonkeyPatch) -> pool.Result:
    monkeypatch.setattr(worker, "make_case", lambda _number, _families: case)
    line = worker.run_case(7, (), limits.Meter())
    return pool.Result.of_line(json.dumps(line).encode())


@pytest.mark.parametrize("error", [KeyError("x"), MemoryError(), RecursionError(), limits.OutOfTimeError()])
def test_other_errors_are_failures(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    result = line_of(failing(error), monkeypatch)
    assert result.cause is not None
    assert result.cause.kind == type(error).__name__


def test_documented_errors_are_no_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    result = line_of(failing(BitcodecError("refused")), monkeypatch)
    assert (result.cause, result.refused) == (None, True)


def test_errors_of_several_lines_are_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    result = line_of(failing(BitcodecError("one\ntwo")), monkeypatch)
    assert result.cause is not None
    assert "several lines" in result.message


def test_too_much_memory_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> Iterator[bytes]:
        yield bytes(bytearray(limits.MAX_BYTES + (32 << 20)).replace(b"\0", b"\1"))[:1]

    result = line_of(Case("greedy(input)", {}, run), monkeypatch)
    assert result.cause == Cause("over the limit of memory", "greedy")


def test_too_much_time_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> Iterator[str]:
        while True:
            pass
        yield ""

    monkeypatch.setattr(limits, "MAX_SECONDS", 0.05)
    result = line_of(Case("slow(input)", {}, run), monkeypatch)
    assert result.cause is not None
    assert result.cause.kind == "OutOfTimeError"


def test_a_cause_is_the_deepest_frame_of_the_package() -> None:
    def run(data: Any) -> None:
        bitcodec.loads(data)

    with pytest.raises(TypeError) as caught:
        run(7)
    assert cause_of(caught.value).frame.startswith("bitcode/loading.py:")


def test_a_worker_that_dies_is_a_failure_of_its_case() -> None:
    """The case that ended it is named, and those behind it are run by the next worker."""

    class Dying(pool.Worker):
        def _line(self, process: Any) -> bytes | None:
            line = super()._line(process)
            if line is not None and json.loads(line)[0] == 3:
                process.send_signal(signal.SIGSEGV)
                process.wait()
                return None
            return line

    found = Dying(None, ["--families", "text"], 1.0)
    results = list(found.run(0, 6))
    found.stop()
    assert [result.number for result in results] == list(range(6))
    assert [result.number for result in results if result.cause is not None] == [3]
    assert results[3].cause is not None
    assert results[3].cause.kind == "signal SIGSEGV"


def test_forms_are_compared() -> None:
    one, same, other = (pool.Result(1, digest, refused=False, seconds=0.1) for digest in ("a", "a", "b"))
    assert compare(one, same).cause is None
    assert compare(one, other).cause == Cause("forms differ")
    failed = other._replace(cause=Cause("KeyError", "a.py:1 in f"))
    assert compare(one, failed).cause == Cause("interpreted: KeyError", "a.py:1 in f")


def test_a_report_has_a_line_for_each_cause(tmp_path: Path) -> None:
    report = Report(("text",), tmp_path)
    for number in range(6):
        cause = Cause("KeyError", "a.py:1 in f") if number % 2 else None
        report.add(pool.Result(number, "", refused=False, seconds=0.1, cause=cause, message="'x'", name="f(y)"))
    text = report.text(jobs=1)
    assert "3 x KeyError at a.py:1 in f\n    cases 1, 3, 5\n    f(y)\n    'x'" in text
    assert "6 cases: 0 refused, 3 failed of 1 causes" in text
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == {"1", "3", "5"}


def test_another_text_after_an_interrupt_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = iter(["same", *["other"] * 9])
    monkeypatch.setattr(disturbed, "text_of", lambda _module: next(texts))
    data = (Path(__file__).parents[2] / "examples" / "hello.bc").read_bytes()
    with pytest.raises(disturbed.DisturbedError, match="another text"):
        list(disturbed.interrupts(random.Random(1), data))


def test_a_difference_is_the_first_line_that_differs() -> None:
    assert disturbed.difference("a\nb\nc", "a\nx\nc") == "'b', now 'x'"
    assert disturbed.difference("a", "a\nb") == "1 lines, now 2"


def test_all_entry_points_have_a_name_of_their_own() -> None:
    names = [entry.name for entry in ENTRY_POINTS]
    assert len(names) == len(set(names))


def test_a_compiler_without_sanitizers_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text('#!/bin/sh\necho "${1#*=}"\n', encoding="ascii")
    monkeypatch.setattr(sanitized, "COMPILER", str(compiler))
    with pytest.raises(SystemExit, match=r"there is no .*install gcc"):
        sanitized.libraries()
    compiler.chmod(0o755)
    with pytest.raises(SystemExit, match=r"has no libasan\.so: install gcc"):
        sanitized.libraries()
