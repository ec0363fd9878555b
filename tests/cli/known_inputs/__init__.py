"""Small inputs that bitcodec once treated otherwise than LLVM 22, and the answers of LLVM's tools.

`python -m tests.cli.known_inputs` records the answers again.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent
ANSWERS = FOLDER / "answers.json"
LINKS = [
    ("empty.a", "suffix-a.ll"),
    ("link-broken.ll", "suffix-a.ll"),
    ("link-type-a.ll", "link-type-b.ll"),
    ("link-x86_64.ll", "link-x86_64h.ll"),
    ("suffix-a.ll", "suffix-b.ll"),
]
_IDENTIFIER = re.compile(r"^; ModuleID = .*\n", re.MULTILINE)
_FRAME = re.compile(r"^\s*(bitcodec|\S*llvm-as|\S*llvm-link)(-22)?: |(?<![\w-])(error|warning): ")
_ADDRESS = re.compile(r"\(null\)|<0x[0-9a-f]+>(?! =)")
_ADVICE = re.compile(r"^  (external definition in|fix: ).*\n", re.MULTILINE)
_LINE_OF_ADDRESS = re.compile(r"^<0x[0-9a-f]+> = .*\n", re.MULTILINE)


def inputs() -> list[str]:
    """Return the names of the inputs, those that are linked with another as both names."""
    return [path.name for path in sorted(FOLDER.glob("*.[lb][lc]"))] + [" ".join(pair) for pair in LINKS]


def without_frame(text: str, names: str) -> str:
    """Return messages without names of the program and of files before messages without a place, and addresses.

    bitcodec adds advice to messages, and escapes NUL.
    """
    lines = [_FRAME.sub("", _FRAME.sub("", line)) for line in text.splitlines()]
    for name in names.split():
        lines = [line.removeprefix(f"{name}: ") for line in lines]
    text = _ADVICE.sub("", "".join(f"{line}\n" for line in lines)).replace("\0", "\\00")
    return _ADDRESS.sub("(null)", _LINE_OF_ADDRESS.sub("", text))


def without_identifier(text: str) -> str:
    """Return the text of a module without the line that names its file."""
    return _IDENTIFIER.sub("", text)


def answer_of_llvm(names: str, tools: dict[str, str]) -> dict[str, str]:
    """Return what LLVM prints for an input: messages, and the text of the module."""
    if " " in names:
        done = _run([tools["llvm-link"], "-S", *names.split(), "-o", "-"])
        return _answer(names, done.stderr, done.stdout)
    if names.endswith(".bc"):
        done = _run([tools["llvm-dis"], names, "-o", "-"])
        return _answer(names, done.stderr, done.stdout)
    done = _run([tools["llvm-as"], names, "-o", "-"])
    text = _run([tools["llvm-dis"], "-o", "-"], done.stdout).stdout if not done.returncode else b""
    return _answer(names, done.stderr, text)


def recorded() -> dict[str, dict[str, str]]:
    """Return the recorded answers by input."""
    answers: dict[str, dict[str, str]] = json.loads(ANSWERS.read_text())
    return answers


def _answer(names: str, messages: bytes, text: bytes) -> dict[str, str]:
    return {"messages": without_frame(messages.decode(), names), "text": without_identifier(text.decode())}


def _run(command: list[str], data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=data, capture_output=True, cwd=FOLDER, check=False)
