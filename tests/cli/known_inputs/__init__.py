"""Small inputs that bitcodec once treated otherwise than LLVM 22, and the answers of LLVM's tools."""

from __future__ import annotations

import re
from pathlib import Path

from answers import ask

FOLDER = Path(__file__).parent
LINKS = [
    ("empty.a", "suffix-a.ll"),
    ("link-broken.ll", "suffix-a.ll"),
    ("link-type-a.ll", "link-type-b.ll"),
    ("link-x86_64.ll", "link-x86_64h.ll"),
    ("suffix-a.ll", "suffix-b.ll"),
]
_IDENTIFIER = re.compile(r"^; ModuleID = .*\n", re.MULTILINE)
_FRAME = re.compile(r"^\s*(bitcodec|\S*llvm-as|\S*llvm-link)(-22)?: |(?<![\w-])(error|warning): ")
_ADDRESS = re.compile(r"\(null\)|<address>(?! =)")
_ADVICE = re.compile(r"^  (external definition in|fix: ).*\n", re.MULTILINE)
_LINE_OF_ADDRESS = re.compile(r"^<address> = .*\n", re.MULTILINE)


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


def answer_of_llvm(names: str) -> tuple[str, str]:
    """Return what LLVM prints for an input: messages, and the text of the module."""
    command = ["llvm-dis-22", names]
    if " " in names:
        command = ["llvm-link-22", "-S", *names.split()]
    elif names.endswith(".ll"):
        command = ["llvm-as-22", names]
    done = ask([*command, "-o", "-"], cwd=FOLDER)
    text = done.stdout
    if command[0] == "llvm-as-22" and not done.returncode:
        text = ask(["llvm-dis-22", "-o", "-"], input=text, check=True).stdout
    return without_frame(done.stderr.decode(), names), without_identifier(text.decode())
