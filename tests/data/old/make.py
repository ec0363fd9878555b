"""Makes the bitcode in this folder and LLVM 22's text of it: `python make.py FOLDER`.

The programs are those of `tests/downgrade/programs`.  Clang 12 compiles them, and LLVM 4 to 12 assemble its
text, in which older words stand for what a version does not have.  FOLDER has a module `all_llvm` with the functions
`judge("assemble", version, file, output)` and `zig(version)`, a program that contains clang 12.
"""

from __future__ import annotations

import gzip
import importlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = HERE.parents[1] / "downgrade" / "programs"
FILES = {
    4: "callbacks.c",
    5: "switches.c",
    6: "lists.c",
    7: "hashes.c",
    8: "floats.c",
    9: "varargs.c",
    10: "matrix.c",
    11: "atomics.c",
    12: "exceptions.cpp",
}
"""By version, the program that it assembles; those in C have debug information."""
INCLUDES = (
    "/usr/include/c++/12",
    "/usr/include/x86_64-linux-gnu/c++/12",
    "/usr/lib/llvm-16/lib/clang/16/include",
    "/usr/include/x86_64-linux-gnu",
    "/usr/include",
)
_CLANG = "clang -cc1 -triple x86_64-unknown-linux-gnu -fexceptions -O1 -emit-llvm -fdebug-compilation-dir . -o -"
_NEW_WORDS = {
    5: ("speculatable",),
    6: ("dso_local",),
    9: ("nofree", "nosync", "willreturn", "immarg"),
    12: ("noundef", "mustprogress", "nocallback"),
}
"""Attributes and the like that versions before do not have."""
_FLAGS = {"DISPFlagLocalToUnit": "isLocal", "DISPFlagDefinition": "isDefinition", "DISPFlagOptimized": "isOptimized"}


def compiled(clang: str, name: str) -> str:
    """Return clang's text of a program."""
    is_c = name.endswith(".c")
    words = [*_CLANG.split(), *(["-debug-info-kind=limited"] if is_c else ["-x", "c++", "-fcxx-exceptions"])]
    words += [word for folder in INCLUDES for word in ("-internal-isystem", folder)]
    run = subprocess.run([clang, *words, name], cwd=PROGRAMS, capture_output=True, check=True, text=True)
    return re.sub(r'"(clang version [\d.]+)[^"]*"', r'"\1"', run.stdout)


def older(text: str, version: int) -> str:
    """Return text of LLVM 12 as a version understands it."""
    for since, words in _NEW_WORDS.items():
        if version < since:
            text = re.sub(rf"(?<![@%!\"\w])(?:{'|'.join(words)})(?![\w\"]) ?", "", text)
    if version < 12:
        text = re.sub(r"\bsret\([^()]*\)", "sret", text).replace("poison", "undef")
    if version < 9:
        text = re.sub(r"\bbyval\([^()]*\)", "byval", text)
    if version < 8:
        text = re.sub(r"spFlags: ([\w| ]+)", _old_flags, text)
        text = re.sub(r" \| DIFlagAllCallsDescribed|DIFlagAllCallsDescribed \| ", "", text)
        text = re.sub(r", flags: DIFlagAllCallsDescribed|, nameTableKind: \w+", "", text)
        text = re.sub(r"fneg ((?:fast )?)(\w+) ", r"fsub \1\2 -0.0, ", text)
    if version < 7:
        text = re.sub(r", isUnsigned: true", "", text).replace("retainedNodes:", "variables:")
        text = re.sub(r"(@llvm\.mem(?:cpy|move|set)\.\S*\(.*), (i1[^,]*\))", r"\1, i32 1, \2", text)
        text = re.sub(r"(declare .*@llvm\.mem.*), i32 1, i1", r"\1, i32, i1", text)
    if version < 6:
        text = re.sub(r"(call void @llvm\.dbg\.value\(metadata [^,]*), ", r"\1, i64 0, ", text)
        text = text.replace("@llvm.dbg.value(metadata, metadata", "@llvm.dbg.value(metadata, i64, metadata")
    if version < 5:
        text = re.sub(r", checksumkind: \w+, checksum: \"\w+\"", "", text)
    return text


def _old_flags(match: re.Match[str]) -> str:
    flags = match[1].split(" | ")
    return ", ".join(f"{name}: {str(flag in flags).lower()}" for flag, name in _FLAGS.items())


def main() -> None:
    sys.path.append(sys.argv[1])
    all_llvm = importlib.import_module("all_llvm")
    for version, name in FILES.items():
        output = HERE / f"{Path(name).stem}-{version}.bc"
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / name
            source.write_text(older(compiled(str(all_llvm.zig(12)), name), version), encoding="utf-8")
            status, _, message = all_llvm.judge("assemble", version, str(source), str(output))
        if status:
            print(f"LLVM {version}: {message}")
            continue
        text = subprocess.run(["llvm-dis-22", output.name, "-o", "-"], cwd=HERE, capture_output=True, check=True).stdout
        Path(f"{output}.ll.gz").write_bytes(gzip.compress(text, mtime=0))


if __name__ == "__main__":
    main()
