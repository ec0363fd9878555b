"""Text that breaks a rule, and what LLVM says of it."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import NamedTuple

__all__ = ["DATA", "Snippet", "all_snippets", "snippets_of_files"]

FOLDER = Path(__file__).parent
DATA = FOLDER / "data"
NODES = "nodes"
"""The file whose snippets are a debug-info node each, which stands among others."""
AROUND_NODE = """\
!llvm.module.flags = !{{!0}}
!llvm.dbg.cu = !{{!10}}
!nodes = !{{!2}}
!0 = !{{i32 2, !"Debug Info Version", i32 3}}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = {}
!3 = !{{}}
!4 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!5 = !DIDerivedType(tag: DW_TAG_member, baseType: !4)
!6 = !DISubprogram(name: "g", spFlags: 0)
!7 = distinct !DISubprogram(name: "h", unit: !10, spFlags: DISPFlagDefinition)
!8 = !DISubroutineType(types: !{{null}})
!9 = !DIFile(filename: "", directory: "/")
!10 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
"""


class Snippet(NamedTuple):
    """A section of a file in `broken`.

    Attributes:
        message: what LLVM says, among other things perhaps.
        text: the module.
    """

    message: str
    text: str


@functools.cache
def all_snippets() -> tuple[Snippet, ...]:
    """Return all snippets."""
    return tuple(snippet for snippets in snippets_of_files().values() for snippet in snippets)


def snippets_of_files() -> dict[str, list[Snippet]]:
    """Return the snippets of each file, by the name of the file."""
    return {path.stem: _snippets(path) for path in sorted((FOLDER / "broken").glob("*.ll"))}


def _snippets(path: Path) -> list[Snippet]:
    found = []
    for section in re.split(r"(?m)^;;; ", path.read_text(encoding="utf-8"))[1:]:
        message, text = section.split("\n", 1)
        found.append(Snippet(message, AROUND_NODE.format(text.strip()) if path.stem == NODES else text))
    return found
