"""Asks a question: the record answers it, or the real tool."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from .own_version import without_own_version
from .questions import Question, key_of
from .starting import is_permitted, permit
from .store import Digest, packed, unpacked
from .tools import program_of
from .ways import current, is_begun

__all__ = ["ask", "recall"]

_ADDRESS = re.compile(rb"<0x[0-9a-f]+>")
_CRASH = b"PLEASE submit a bug report"
_TIMEOUT = 300
_CHECKOUT = os.fsencode(Path(__file__).resolve().parents[2]) + b"/"
"""Seconds that a tool may take."""


def ask(
    command: Sequence[str | Path],
    *,
    input: bytes | str = b"",  # noqa: A002 - the name that subprocess.run has
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    text: bool = False,
    check: bool = False,
    keeps: str = "whole",
    writes: str | Path | None = None,
    is_steady: bool = True,
) -> subprocess.CompletedProcess[Any]:
    """Return what a reference tool answers, as `subprocess.run` with `capture_output` does.

    Args:
        command: the tool with its version, such as "llvm-as-22", and its arguments.  A path of a file is an input; the
            path after "-o" is an output, which is written, or "-".  An option may name a file after "=".
        input: standard input.
        cwd: the folder of relative paths.
        environment: variables that are set for the tool, in addition to those of this process.
        text: whether output is text.
        check: whether another exit status than 0 raises `subprocess.CalledProcessError`.
        keeps: "whole" output is recorded; of output that is only compared, "digest" records the SHA-256.
        writes: the argument that is an output if none follows "-o"; a file that is there already is no input.
        is_steady: whether each run has the same answer; otherwise a live run does not ask again.
    """
    data = input.encode("utf-8", "surrogateescape") if isinstance(input, str) else input
    if _is_direct():
        return _run(command, data, cwd, environment, is_text=text, checks=check)
    question = Question(command, data, cwd or Path.cwd(), environment, writes)
    hashed = question.without_folders if keeps == "digest" else None
    answer = _answer(question.key, str(question), lambda: _from_tool(question), hashed, is_steady=is_steady)
    if question.output is not None and "file" in answer:
        written = unpacked(answer["file"])
        assert isinstance(written, bytes), "of a file that a tool writes, all bytes are recorded"
        question.output.write_bytes(written)
    out, err = (_shown(question, answer.get(name, ""), text=text) for name in ("out", "err"))
    done = subprocess.CompletedProcess(list(map(str, command)), answer.get("status", 0), out, err)
    if check:
        done.check_returncode()
    return done


def recall(question: Sequence[str | bytes], compute: Callable[[], Any], *, is_steady: bool = True) -> Any:
    """Return a result that reference tools computed in several steps; `compute` asks them again.

    Args:
        question: all that the result depends on: first the tools with their versions, then options, texts and bytes.
        compute: returns the result, a JSON value.
        is_steady: whether each run has the same result; otherwise a live run does not ask again.
    """
    content = [part if isinstance(part, str) else {"bytes": without_own_version(part).hex()} for part in question]
    return _answer(key_of(content), str(question[0]), lambda: {"value": compute()}, is_steady=is_steady)["value"]


def _answer(
    key: str,
    title: str,
    ask_tool: Callable[[], dict[str, Any]],
    hashed: Callable[[bytes], bytes] | None = None,
    *,
    is_steady: bool = True,
) -> dict[str, Any]:
    """Return the fields of an answer.

    Args:
        key: of the question.
        title: of the question, for people.
        ask_tool: returns the fields of the real answer.
        hashed: the bytes whose digest is recorded of an output, if it is not recorded whole.
        is_steady: whether the real answer is the same in each run.
    """
    if _is_direct():
        return ask_tool()
    way = current()
    recorded = way.store.get(key)
    if recorded and hashed is None and "sha256" in recorded.get("out", ""):
        recorded = None  # another test needs no more than the digest
    elif recorded and "sha256" not in recorded.get("out", ""):
        hashed = None  # another test needs all of it
    if recorded is None and not way.records:
        pytest.fail(f"no answer is recorded for: {title}\nRecord it: python -m pytest --record '{way.test}'")
    if recorded is not None and not (is_steady and way.asks(key)):
        return recorded
    try:
        with permit():
            asked = ask_tool()
    except (FileNotFoundError, pytest.skip.Exception):
        if recorded is None or not way.is_sample:
            raise
        return recorded  # a sample asks the tools that are installed
    _check_folder(title, asked)
    short = {
        name: _short(name, value, hashed) for name, value in asked.items() if name == "value" or value not in (b"", 0)
    }
    found = {"question": title, **short}
    if recorded is None or (found != recorded and way.records):
        way.store.add(key, found)
    elif found != recorded:
        pytest.fail(f"another answer than the recorded one: {title}\n{_difference(found, recorded)}")
    return asked


def _check_folder(title: str, answer: dict[str, Any]) -> None:
    """Let the test fail if an answer contains the folder of the checkout: elsewhere it is another answer."""
    for value in answer.values():
        content = value if isinstance(value, bytes) else str(value).encode()
        if _CHECKOUT in content:
            pytest.fail(f"expected an answer without the folder of the checkout, found it in the answer to: {title}")


def _short(name: str, value: Any, hashed: Callable[[bytes], bytes] | None) -> Any:
    """Return the recorded form of a field."""
    if not isinstance(value, bytes):
        return json.loads(json.dumps(value))
    return packed(hashed(value), is_whole=False) if hashed and name == "out" else packed(value)


def _is_direct() -> bool:
    """Return whether no record is of interest: for scripts, for live tests, and for a step of `recall`."""
    return not is_begun() or current().is_live_test or is_permitted()


def _run(
    command: Sequence[str | Path],
    data: bytes,
    folder: Path | None,
    environment: Mapping[str, str] | None,
    *,
    is_text: bool,
    checks: bool,
) -> subprocess.CompletedProcess[Any]:
    """Run a tool on the files themselves."""
    done: subprocess.CompletedProcess[Any] = subprocess.run(
        [str(word) for word in command],
        executable=program_of(str(command[0])),
        input=data,
        cwd=folder,
        env={**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1", **(environment or {})},
        capture_output=True,
        check=checks,
        timeout=_TIMEOUT,
    )
    done.stderr = _steady(done.stderr)
    if is_text:
        done.stdout, done.stderr = (each.decode("utf-8", "surrogateescape") for each in (done.stdout, done.stderr))
    return done


def _from_tool(question: Question) -> dict[str, Any]:
    """Return what the real tool answers; it runs in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, path in question.files.items():
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
        if question.output_name:
            Path(folder, question.output_name).parent.mkdir(parents=True, exist_ok=True)
        done = _run(question.command, question.data, Path(folder), question.environment, is_text=False, checks=False)
        answer = {"status": done.returncode, "out": done.stdout, "err": done.stderr}
        if question.output_name and (written := Path(folder, question.output_name)).exists():
            answer["file"] = written.read_bytes()
    return answer


def _steady(messages: bytes) -> bytes:
    """Return messages without what differs from run to run: addresses of nodes, and the stack of a crash."""
    return _ADDRESS.sub(b"<address>", messages.partition(_CRASH)[0])


def _shown(question: Question, value: Any, *, text: bool) -> Any:
    """Return output as a test sees it."""
    output = unpacked(value)
    if isinstance(output, str):
        return Digest(output, question.without_folders)
    output = question.with_given_names(output)
    return output.decode("utf-8", "surrogateescape") if text else output


def _difference(found: dict[str, Any], recorded: dict[str, Any]) -> str:
    lines = []
    for name in sorted(found.keys() | recorded.keys()):
        if found.get(name) != recorded.get(name):
            lines += [f"{name}, recorded: {_start(recorded.get(name))}", f"{name}, now:      {_start(found.get(name))}"]
    return "\n".join(lines)


def _start(value: Any) -> str:
    if isinstance(value, dict) and "xz" in value:
        value = unpacked(value)
    return repr(value)[:2000]
