"""Makes the bitcode in this folder and LLVM 23's text of it: `python make.py FOLDER`, that of LLVM 23's tools."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
COMPILE = (
    "clang-23",
    "-O2",
    "-g",
    "-flto=thin",
    "-fdebug-compilation-dir=.",
    "-S",
    "-emit-llvm",
    "-o",
    "-",
    "program.c",
)


def main() -> None:
    tools = Path(sys.argv[1])

    def run(*words: str, text: str | None = None) -> bytes:
        program = [str(tools / words[0]), *words[1:]]
        given = None if text is None else text.encode()
        return subprocess.run(program, cwd=HERE, input=given, capture_output=True, check=True).stdout

    program = re.sub(r'"[^"]*clang version ([\d.]+)[^"]*"', r'"clang version \1"', run(*COMPILE).decode())
    sources = {path.stem: path.read_text(encoding="utf-8") for path in HERE.glob("*.ll")} | {"program": program}
    for name, text in sources.items():
        module = f"{name}-23.bc"
        run("llvm-as", "-o", module, "-", text=text)
        golden = gzip.compress(run("llvm-dis", module, "-o", "-"), mtime=0)
        (HERE / f"{module}.ll.gz").write_bytes(golden)


if __name__ == "__main__":
    main()
