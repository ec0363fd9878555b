"""Makes `bitcodec/tables/libnvvm.txt`: lets libNVVM compile a call of each intrinsic of NVPTX.

`python -m tests.tables.make_libnvvm LIBRARY` needs libNVVM and LLVM 7's assembler, which `shared/oracles` beside the
checkout has, and a library of LLVM 7.  An intrinsic that libNVVM does not know becomes a function of another module,
whose name PTX then contains.  Of the intrinsics of other targets, it knows (and has no instructions for) those whose
names are in the library.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from bitcodec.tables.intrinsics import IntrinsicRow, intrinsic_rows
from bitcodec.tables.libnvvm import OTHER_TARGETS

ROOT = Path(__file__).parents[2]
ORACLE = ROOT.parent / "shared" / "oracles" / "old_llvm.py"
OUTPUT = ROOT / "src" / "bitcodec" / "tables" / "libnvvm.txt"
ARCHITECTURE = "90"
HEADER = """\
# The intrinsics of LLVM 22 that libNVVM of CUDA 12.4 knows, made by tests/tables/make_libnvvm.py: it compiles those of
# NVPTX, and has no instructions for those of other targets.
#
# Each line is a name without `llvm.` and types: the number of words (they end with dots) that it shares with the name
# before it, and its other words.

"""
LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64"
    "-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)
TYPES = {"f16": "half", "f32": "float", "f64": "double", "void": "void"}
# These have names with types, and were tried one by one: atomic operations with a scope, loads and handles.
OVERLOADED = (
    *(
        f"nvvm.atomic.{name}.gen.i.{scope}"
        for name in ["add", "and", "cas", "dec", "exch", "inc", "max", "min", "or", "xor"]
        for scope in ("cta", "sys")
    ),
    *(f"nvvm.atomic.add.gen.f.{scope}" for scope in ("cta", "sys")),
    *(f"nvvm.ldu.global.{kind}" for kind in "fip"),
    "nvvm.texsurf.handle",
    "nvvm.texsurf.handle.internal",
)
# LLVM 7 calls this one `nvvm.barrier0`.
RENAMED = ("nvvm.barrier.cta.sync.aligned.all",)


def spelled(name: str) -> str | None:
    """Return how LLVM 7's text spells a type; None for one that it does not have."""
    if name in TYPES or re.fullmatch(r"i\d+", name):
        return TYPES.get(name, name)
    pointer = re.fullmatch(r"p(\d+)", name)
    if pointer:
        return "i8*" if pointer[1] == "0" else f"i8 addrspace({pointer[1]})*"
    vector = re.fullmatch(r"v(\d+)(.+)", name)
    element = spelled(vector[2]) if vector else None
    return f"<{vector[1]} x {element}>" if vector and element else None


def call_of(name: str, row: IntrinsicRow) -> str | None:
    """Return a module with a call of an intrinsic; None if its types cannot be spelled."""
    found = re.fullmatch(r"(\{.*?\}|[^({]+)\((.*)\)", row.signature)
    if row.is_overloaded or found is None:
        return None
    results = [spelled(each) for each in found[1].strip("{}").split(",")]
    parameters = [spelled(each) for each in found[2].split(",") if each]
    if None in results or None in parameters:
        return None
    immediate = {
        int(text.partition(":")[0]) - 1 for text in row.attributes[1:] if "immarg" in text and text[0].isdigit()
    }
    result = results[0] if len(results) == 1 else f"{{{', '.join(map(str, results))}}}"
    passed = ", ".join(f"{type_} {'0' if index in immediate else 'undef'}" for index, type_ in enumerate(parameters))
    value = "" if result == "void" else "%v = "
    return f"""
target datalayout = "{LAYOUT}"
target triple = "nvptx64-nvidia-cuda"
declare {result} @llvm.{name}({", ".join(map(str, parameters))})
define void @f() {{
{value}call {result} @llvm.{name}({passed})
ret void
}}
!nvvmir.version = !{{!0}}
!0 = !{{i32 2, i32 0}}
"""


def is_compiled(text: str, folder: Path) -> bool:
    """Return whether libNVVM compiles a module and knows the intrinsic in it."""
    source, module = folder / "call.ll", folder / "call.bc"
    source.write_text(text)
    if subprocess.run([sys.executable, ORACLE, "assemble", "7", source, "-o", module], check=False).returncode:
        return False
    run = subprocess.run(
        [sys.executable, ORACLE, "nvvm", module, ARCHITECTURE], capture_output=True, text=True, check=False
    )
    return not run.returncode and "llvm." not in run.stdout


def known() -> Iterator[str]:
    """Yield the names of the intrinsics that libNVVM knows."""
    yield from OVERLOADED
    yield from RENAMED
    rows = intrinsic_rows()
    with tempfile.TemporaryDirectory() as folder:
        for name in rows:
            text = call_of(name, rows[name]) if name.startswith("nvvm.") else None
            if text is not None and is_compiled(text, Path(folder)):
                yield name


def of_other_targets(library: bytes) -> Iterator[str]:
    """Yield the names of the intrinsics of other targets that a library of LLVM knows."""
    names = {found.decode() for found in re.findall(rb"(?<=\0llvm\.)[\w.]+(?=\0)", library)}
    yield from (name for name in intrinsic_rows() if name.partition(".")[0] in OTHER_TARGETS and name in names)


def listed(names: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a list of names."""
    before: list[str] = []
    for name in sorted(names):
        words = name.split(".")
        shared = 0
        while shared < min(len(words), len(before)) and words[shared] == before[shared]:
            shared += 1
        yield f"{shared} {'.'.join(words[shared:])}\n"
        before = words


if __name__ == "__main__":
    names = [*known(), *of_other_targets(Path(sys.argv[1]).read_bytes())]
    OUTPUT.write_text(HEADER + "".join(listed(names)))
