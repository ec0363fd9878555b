"""Records what LLVM 22 prints for the texts of this folder: `python -m tests.asm.roundtrips.record`."""

from __future__ import annotations

import subprocess
from pathlib import Path

__all__ = ["FOLDER", "texts"]

FOLDER = Path(__file__).parent


def texts() -> list[Path]:
    """Return the texts; what LLVM 22 prints for its own bitcode of `NAME.ll` is in `NAME.txt`."""
    return sorted(FOLDER.glob("*.ll"))


def main() -> None:
    for path in texts():
        bitcode = subprocess.run(["llvm-as-22", "-", "-o", "-"], stdin=path.open(), check=True, capture_output=True)
        command = ["llvm-dis-22", "--preserve-ll-uselistorder", "-", "-o", "-"]
        printed = subprocess.run(command, input=bitcode.stdout, check=True, capture_output=True)
        path.with_suffix(".txt").write_bytes(printed.stdout)


if __name__ == "__main__":
    main()
