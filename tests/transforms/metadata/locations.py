"""Pairs of places in the source, of instructions of which LLVM's passes make one."""

from __future__ import annotations

import itertools

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.instructions import Instruction, Store

__all__ = ["LOCATION_COUNT", "location_module", "place_of"]

_LOCATION_HEAD = """
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !DIFile(filename: "b.inc", directory: "/")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, SUBPROGRAM)
!5 = distinct !DISubprogram(name: "g", file: !1, line: 50, type: !3, unit: !0, SUBPROGRAM)
!6 = distinct !DISubprogram(name: "h", file: !2, line: 70, type: !3, unit: !0, SUBPROGRAM)
!7 = distinct !DILexicalBlock(scope: !4, file: !1, line: 10, column: 3)
!8 = distinct !DILexicalBlock(scope: !4, file: !1, line: 20, column: 3)
!9 = distinct !DILexicalBlock(scope: !7, file: !1, line: 11, column: 5)
!10 = !DILexicalBlockFile(scope: !7, file: !2, discriminator: 0)
!11 = !DILexicalBlockFile(scope: !7, file: !1, discriminator: 2)
!12 = distinct !DILexicalBlock(scope: !7, file: !2, line: 3, column: 1)
!13 = distinct !DILexicalBlock(scope: !8, file: !2, line: 3, column: 1)
!14 = distinct !DILexicalBlock(scope: !5, file: !1, line: 52, column: 1)
!15 = distinct !DILexicalBlock(scope: !7, file: !1, line: 10, column: 3)
!16 = !DILexicalBlockFile(scope: !15, file: !2, discriminator: 0)
!17 = distinct !DILexicalBlock(scope: !8, file: !1, line: 10, column: 3)
!18 = !DILexicalBlockFile(scope: !17, file: !2, discriminator: 0)
!20 = distinct !DILocation(line: 30, column: 7, scope: !4)
!21 = distinct !DILocation(line: 31, column: 7, scope: !7)
!22 = distinct !DILocation(line: 55, column: 2, scope: !5, inlinedAt: !20)
!names = !{!4, !5, !6, !7, !8, !9, !12, !13, !14, !15, !17, !20, !21, !22}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!99}
!99 = !{i32 2, !"Debug Info Version", i32 3}
""".replace("SUBPROGRAM", "spFlags: DISPFlagDefinition, keyInstructions: true")
_LOCATIONS = (
    "line: 5, column: 1, scope: !4",
    "line: 5, column: 2, scope: !4, atomGroup: 1, atomRank: 2",
    "line: 5, column: 1, scope: !7, atomGroup: 2, atomRank: 1",
    "line: 5, column: 1, scope: !8, atomGroup: 3, atomRank: 1, isImplicitCode: true",
    "line: 6, column: 1, scope: !9, isImplicitCode: true",
    "line: 0, column: 0, scope: !9",
    "line: 3, column: 4, scope: !10",
    "line: 5, column: 1, scope: !11",
    "line: 3, column: 4, scope: !12",
    "line: 3, column: 4, scope: !13",
    "line: 3, column: 9, scope: !16",
    "line: 3, column: 9, scope: !18",
    "line: 53, column: 1, scope: !5, inlinedAt: !20",
    "line: 53, column: 1, scope: !14, inlinedAt: !20, atomGroup: 4, atomRank: 1",
    "line: 53, column: 1, scope: !5, inlinedAt: !21, atomGroup: 5, atomRank: 1",
    "line: 71, column: 1, scope: !6, inlinedAt: !22",
    "line: 71, column: 2, scope: !6, inlinedAt: !20",
    "line: 71, column: 1, scope: !6, inlinedAt: !21, atomGroup: 6, atomRank: 3",
)
LOCATION_COUNT = len(_LOCATIONS) ** 2


def location_module() -> str:
    """Return the text of a module with one function, in which branches begin alike but for the locations.

    The stores in front of which the branches are tell by their numbers which pair it is.
    """
    lines = ["br label %start.0"]
    for number, (first, second) in enumerate(itertools.product(range(len(_LOCATIONS)), repeat=2)):
        lines += [f"start.{number}:", f"%c.{number} = load volatile i1, ptr %p, !dbg !20"]
        lines.append(f"br i1 %c.{number}, label %first.{number}, label %second.{number}, !dbg !20")
        for name, location in (("first", first), ("second", second)):
            lines += [f"{name}.{number}:", f"store volatile i32 {number}, ptr %p, !dbg !{200 + location}"]
            lines += [
                f'call void asm sideeffect "{name} {number}", ""(), !dbg !20',
                f"br label %start.{number + 1}, !dbg !20",
            ]
    lines += [f"start.{LOCATION_COUNT}:", "ret void, !dbg !20"]
    body = "".join(f"{'' if line.endswith(':') else '  '}{line}\n" for line in lines)
    nodes = "".join(f"!{200 + number} = !DILocation({fields})\n" for number, fields in enumerate(_LOCATIONS))
    return f"define void @f(ptr %p) !dbg !4 {{\n{body}}}\n{_LOCATION_HEAD}{nodes}"


def place_of(instruction: Instruction) -> int | None:
    """Return the number of a store that tells by it which pair it is."""
    if isinstance(instruction, Store) and isinstance(instruction.value, ConstantInt):
        return instruction.value.value
    return None
