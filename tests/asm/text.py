"""Text as we print it, and as LLVM does."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bitcodec
from answers import Digest, ask, recall
from answers.tools import program_of
from bitcodec.asm import module_text
from bitcodec.ir.construction.deferring import apply_use_orders


def printed(data: bytes, name: str, *, preserve_use_list_order: bool = False) -> bytes:
    """Return the text of all modules in bytes, one after another, as `bitcodec dis` prints it."""
    pieces: list[str] = []
    for module in bitcodec.loads_all(data, name):
        if preserve_use_list_order:
            apply_use_orders(module, is_lazy=True)
        pieces += module_text(module, preserve_use_list_order=preserve_use_list_order)
    return "".join(pieces).encode("utf-8", "surrogateescape")


def assembled(text: str, folder: Path) -> Path:
    """Return a file of bitcode that LLVM 22 made of text."""
    source, path = folder / "a.ll", folder / "a.bc"
    source.write_bytes(text.encode("utf-8", "surrogateescape"))
    ask(["llvm-as-22", "--disable-verify", source, "-o", path], check=True)
    return path


def disassembled(path: Path, *options: str) -> bytes:
    """Return the text that LLVM 22 prints for a file."""
    return bytes(ask(["llvm-dis-22", *options, path, "-o", "-"], check=True).stdout)


def digest_of_llvm(path: Path, *options: str) -> Digest | bytes:
    """Return what is equal to the text that LLVM 22 prints for a file, and too long to be recorded."""
    output: Digest | bytes = ask(["llvm-dis-22", *options, path, "-o", "-"], check=True, keeps="digest").stdout
    return output


def digests_together(paths: list[Path], *options: str) -> list[str]:
    """Return digests of the texts that LLVM prints for files that it opens by their names alone.

    It must not complain, but of debug information that it leaves out.
    """
    contents = [path.name if index % 2 == 0 else path.read_bytes() for path in paths for index in range(2)]
    digests: list[str] = recall(["llvm-dis-22", *options, *contents], lambda: _digests_of_llvm(paths, options))
    return digests


def _digests_of_llvm(paths: list[Path], options: tuple[str, ...]) -> list[str]:
    with _printed_together(paths, options) as files:
        return [digest(file.read_bytes()) for file in files]


def disassembled_together(paths: list[Path], *options: str) -> list[bytes]:
    """Return the texts that LLVM 22 prints for files by their names alone: a step of a recorded result."""
    with _printed_together(paths, options) as files:
        return [file.read_bytes() for file in files]


@contextmanager
def _printed_together(paths: list[Path], options: tuple[str, ...]) -> Iterator[list[Path]]:
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            (Path(folder) / path.name).symlink_to(path)
        names = [path.name for path in paths]
        command = [program_of("llvm-dis-22"), *options, *names]
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True)
        assert all(b"ignoring debug info with an invalid version" in line for line in done.stderr.splitlines())
        yield [(Path(folder) / name).with_suffix(".ll") for name in names]


def digest(text: bytes) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text).hexdigest()


def assert_printed_as_llvm_does(text: str, folder: Path) -> None:
    """Assemble text, and compare what becomes of it."""
    path = assembled(text, folder)
    assert printed(path.read_bytes(), str(path)) == disassembled(path)
