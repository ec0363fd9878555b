"""Text as we print it, and as LLVM does."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import bitcodec
from bitcodec.asm import module_text
from bitcodec.ir.construction import apply_use_orders
from cli.running import llvm


def printed(data: bytes, name: str, *, preserve_use_list_order: bool = False) -> bytes:
    """Return the text of all modules in bytes, one after another, as `bitcodec dis` prints it."""
    pieces: list[str] = []
    for module in bitcodec.loads_all(data, name):
        if preserve_use_list_order:
            apply_use_orders(module, is_lazy=True)
        pieces += module_text(module, preserve_use_list_order=preserve_use_list_order)
    return "".join(pieces).encode("utf-8", "surrogateescape")


def assembled(text: str, folder: Path) -> Path:
    """Return a file of bitcode that LLVM made of text; skip without LLVM."""
    source, path = folder / "a.ll", folder / "a.bc"
    source.write_bytes(text.encode("utf-8", "surrogateescape"))
    subprocess.run([llvm("llvm-as"), "--disable-verify", source, "-o", path], check=True)
    return path


def disassembled(path: Path, *options: str) -> bytes:
    """Return the text that LLVM prints for a file; skip without LLVM."""
    return subprocess.run([llvm("llvm-dis"), *options, path, "-o", "-"], check=True, capture_output=True).stdout


def disassembled_together(paths: list[Path], *options: str) -> list[bytes]:
    """Return the texts that LLVM prints for files that it opens by their names alone; skip without LLVM.

    It must not complain, but of debug information that it leaves out.
    """
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            (Path(folder) / path.name).symlink_to(path)
        names = [path.name for path in paths]
        done = subprocess.run([llvm("llvm-dis"), *options, *names], cwd=folder, check=True, capture_output=True)
        assert all(b"ignoring debug info with an invalid version" in line for line in done.stderr.splitlines())
        return [(Path(folder) / name).with_suffix(".ll").read_bytes() for name in names]


def assert_printed_as_llvm_does(text: str, folder: Path) -> None:
    """Assemble text, and compare what becomes of it."""
    path = assembled(text, folder)
    assert printed(path.read_bytes(), str(path)) == disassembled(path)
