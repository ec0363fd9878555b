"""Writes `tests/data/pcsections/`: small objects of many processors, and what LLVM's tools say of them.

    python -m tests.pcsections.make_elf_goldens

Nothing in `expected.json` comes from bitcodec: PCs and functions are llvm-readobj's, lines are llvm-symbolizer's.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # as pytest does

from . import readobj
from .elf_building import CLANG, LLC, LLD, SYMBOLIZER, run
from .elf_mutations import EXPECTED, FOLDER
from .readobj import pc_sections, tables

__all__ = ["LINES"]

MODULE = """
source_filename = "m"
@v = global i32 7
define i32 @f(ptr %p) !pcsections !0 {
  %a = load volatile i32, ptr %p, !pcsections !2
  %b = load volatile i32, ptr %p, !pcsections !2
  ret i32 %b
}
define internal void @g(ptr %p) noinline !pcsections !1 {
  store volatile i32 1, ptr %p, !pcsections !2
  ret void
}
define void @h(ptr %p) section "t" !pcsections !1 {
  call void @g(ptr %p)
  ret void
}
!0 = !{!"fc!C", !4}
!1 = !{!"fs", !5}
!2 = !{!"is"}
!4 = !{i32 300, ptr @v}
!5 = !{i16 5}
"""

SOURCE = """
int total;
int f(int a) {
  for (int i = 0; i < a; i++)
    total += i;
  return total;
}
int main(void) {
  return f(3);
}
"""

OBJECTS = {
    "x86_64-small": ("x86_64-linux-gnu",),
    "x86_64-large": ("x86_64-linux-gnu", "-code-model=large"),
    "x32": ("x86_64-linux-gnux32",),
    "i386": ("i386-linux-gnu",),
    "aarch64-large": ("aarch64-linux-gnu", "-code-model=large"),
    "aarch64_be": ("aarch64_be-linux-gnu",),
    "armv7": ("armv7-linux-gnueabihf",),
    "thumbv7": ("thumbv7-linux-gnueabihf",),
    "riscv32-relax": ("riscv32-linux-gnu", "-mattr=+relax"),
    "riscv64": ("riscv64-linux-gnu", "-code-model=medium"),
    "powerpc64-elfv1": ("powerpc64-linux-gnu",),
    "powerpc64le": ("powerpc64le-linux-gnu", "-code-model=small"),
    "s390x": ("s390x-linux-gnu",),
    "loongarch64-relax": ("loongarch64-linux-gnu", "-mattr=+relax"),
    "mipsel": ("mipsel-linux-gnu",),
    "mips64el-large": ("mips64el-linux-gnuabi64", "-code-model=large"),
    "sparcv9": ("sparcv9-linux-gnu",),
}

LINES = {"lines-x86_64.o": False, "lines-x86_64.out": True}
"""Files with lines, and whether they are linked."""

_NAME = "Name"


def functions(path: Path) -> list[list[Any]]:
    """Return name, section, value and size of the symbols of functions."""
    return [[name, section, value, size] for name, section, _, value, size in readobj.functions(path)]


def lines(path: Path) -> list[list[Any]]:
    """Return address, file and line of each byte of code."""
    places = [each["Section"] for each in tables(path)["Sections"] if each["Section"][_NAME][_NAME] == ".text"]
    addresses = [place["Address"] + offset for place in places for offset in range(place["Size"])]
    answer = run(SYMBOLIZER, "--no-inlines", "--output-style=GNU", "--obj", path, *map(hex, addresses)).splitlines()[
        1::2
    ]
    shown = (each.split(" (")[0].rpartition(":") for each in answer)
    return [[address, file, int(line)] for address, (file, _, line) in zip(addresses, shown, strict=True)]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    expected: dict[str, Any] = {}
    with TemporaryDirectory() as name:
        source = Path(name) / "m.ll"
        source.write_text(MODULE)
        for title, (triple, *options) in OBJECTS.items():
            made = FOLDER / f"{title}.o"
            run(LLC, "-O1", f"-mtriple={triple}", *options, "-filetype=obj", source, "-o", made)
            expected[made.name] = {"pc_sections": pc_sections(made), "functions": functions(made)}
        c_source = Path(name) / "m.c"
        c_source.write_text(SOURCE)
        made, image = (FOLDER / each for each in LINES)
        where = f"-ffile-prefix-map={name}=/src"
        flags = ("-O1", "-g", "-fno-inline", "-fno-ident", "-ffreestanding", where, "-fdebug-compilation-dir=/src")
        run(CLANG, "--target=x86_64-linux-gnu", *flags, "-c", c_source, "-o", made)
        run(LLD, "--nmagic", "--gc-sections", "-e", "main", made, "-o", image)
        for each in (made, image):
            expected[each.name] = {"functions": functions(each), "lines": lines(each)}
    EXPECTED.write_text(
        json.dumps(expected, separators=(",", ":")).replace('],"', '],\n"').replace('"},', '"},\n') + "\n"
    )


if __name__ == "__main__":
    main()
