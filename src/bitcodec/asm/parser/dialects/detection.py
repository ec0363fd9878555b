"""Detects the version of LLVM that printed an old text.

Signs occur only in texts up to a version or since a version.  Attributes of intrinsics are as reliable: LLVM
gives every intrinsic that it declares its own.  The rest are hints, which count where the signs leave several versions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.asm.parser.dialects.dialect import LAST_WITH_TYPED_POINTERS, OLDEST, TextDialect

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["detected"]

_OPERAND = rb"[^\n,=]{0,400}\*{1,9} {1,9}(?:[%@]|null\b|undef\b|getelementptr\b|bitcast\b|inttoptr\b)"
_TYPED_POINTER = rb'^[^"\n]*(?:\b(?:i\d{1,8}|half|float|double)|[)>}\]]|%[\w.$-]{1,200})\*'
_ORDERING = rb"(?:monotonic|acquire|release|acq_rel|seq_cst)"
_ONE_ORDERING = rb"\bcmpxchg [^\n]{1,400} (?!" + _ORDERING + rb" )\S{1,400} " + _ORDERING + rb"$"
_SIGNS = (
    (re.compile(_TYPED_POINTER, re.MULTILINE), LAST_WITH_TYPED_POINTERS),
    (re.compile(rb"DIGlobalVariableExpression\(var: [^,\n]{1,400}\)$", re.MULTILINE), LAST_WITH_TYPED_POINTERS),
    (re.compile(rb"^[ \t]*(?:%\S+ = )?(?:tail )?load (?:atomic )?(?:volatile )?" + _OPERAND, re.MULTILINE), (3, 6)),
    (re.compile(rb"getelementptr (?:inbounds )?\(?" + _OPERAND), (3, 6)),
    (re.compile(rb"landingpad [^\n]{0,400} personality "), (3, 6)),
    (re.compile(rb"\bDW_OP_bit_piece\b|\bvariable: [^\s\"]"), (3, 9)),
    (re.compile(rb'\bsubprograms: !|\b(?:scope|type|baseType|containingType): !"'), (3, 8)),
    (re.compile(rb"\bfunction: [^(\s]|\bDILocalVariable\(tag: "), (3, 7)),
    (re.compile(rb"\bDW_OP_(?:plus|minus), \d"), (4, 0)),
    (re.compile(rb"^!\d+ = (?:distinct )?metadata ", re.MULTILINE), (3, 5)),
    (re.compile(rb"^@[^\n]{1,400} = (?:linker_private|linkonce_odr_auto_hide)", re.MULTILINE), (3, 4)),
    (re.compile(_ONE_ORDERING, re.MULTILINE), (3, 4)),
    (re.compile(rb"\bsinglethread (?:unordered|monotonic|acq|rel|seq_cst)"), (4, 0)),
    (re.compile(rb"\bDISubprogram\([^\n]*\bisDefinition: "), (7, 0)),
    (re.compile(rb"^; <label>:\d", re.MULTILINE), (8, 0)),
    (re.compile(rb"\* [^*,()\n]{0,400}\bbyval\b(?!\()"), (8, 0)),
    (re.compile(rb'"no-frame-pointer-elim"='), (9, 0)),
)
"""Patterns that occur only in texts up to a version."""
_NEWER_SIGNS = (
    (re.compile(rb"\bDIGlobalVariableExpression\("), (4, 0)),
    (re.compile(rb"\bsyncscope\(|\bDW_OP_plus_uconst\b"), (5, 0)),
    (re.compile(rb"\bspFlags: | fneg "), (8, 0)),
    (re.compile(rb"\bbyval\(|\bimmarg\b"), (9, 0)),
    (re.compile(rb"^\d+: +; (?:preds = |No predecessors)", re.MULTILINE), (9, 0)),
    (re.compile(rb" freeze "), (10, 0)),
    (re.compile(rb"\blowerBound: 0\b|\bnoundef\b"), (11, 0)),
    (re.compile(rb"\bsret\(|(?<![.\w])mustprogress\b|\bpoison\b"), (12, 0)),
)
"""Patterns that occur only in texts since a version."""
_LAST_OLD = (21, 0)

_DECLARATION = re.compile(rb"^declare [^\n@]*@llvm\.([a-z_.]+[a-z_])[^\n]* (#\d+)$", re.MULTILINE)
_GROUP = re.compile(rb"^attributes (#\d+) = \{ ([^\n]*) \}$", re.MULTILINE)
_PURE = rb"(?:dbg\.(?:declare|value)|[su](?:add|sub|mul)\.with\.overflow|fma|fmuladd|bswap|ct(?:pop|lz|tz)|fabs)\b"
_MARKING = rb"(?:mem(?:cpy|move|set)|lifetime\.|invariant\.start|assume|prefetch|donothing|dbg\.label)\b"
_FRAME = rb"(?:va_|stack(?:save|restore)|(?:return|frame)address|readcyclecounter|local(?:escape|recover))"
_INTRINSICS = (
    (re.compile(_PURE), b"speculatable", (4, 0), (5, 0)),
    (re.compile(_PURE + rb"|" + _MARKING), b"willreturn", (9, 0), (10, 0)),
    (re.compile(rb"memset\b"), b"writeonly", (10, 0), (11, 0)),
    (re.compile(_PURE + rb"|" + _MARKING + rb"|" + _FRAME), b"nofree", (11, 0), (12, 0)),
)
"""Attributes that some intrinsics lack up to a version, and have since the next."""

_IDENT = re.compile(rb'^!\d+ = (?:metadata )?!\{(?:metadata )?!"clang version (\d{1,2})\.(\d)[. ]', re.MULTILINE)
"""The compiler that made a module.  The text may be of a newer LLVM."""
_HINTS = (
    (
        re.compile(
            rb'^target datalayout = "e-m:[eow](?!-p270)[^"\n]*"\ntarget triple = "(?:x86_64|i\d86)', re.MULTILINE
        ),
        (9, 0),
    ),
)
"""Patterns in modules of compilers up to a version, rare in those of newer ones."""
_NEWER_HINTS = ((re.compile(rb'-p270:32:32|"frame-pointer"='), (10, 0)),)
"""Patterns in modules of compilers since a version."""


def detected(data: bytes) -> TextDialect:
    """Return the dialect of an old text: the newest that the signs allow, or an older one that a hint names."""
    newest = min([version for sign, version in _SIGNS if sign.search(data)], default=_LAST_OLD)
    oldest = max([version for sign, version in _NEWER_SIGNS if sign.search(data)], default=OLDEST)
    for first, last in _versions_of_intrinsics(data):
        oldest = max(oldest, min(first, newest))
        newest = min(newest, max(last, oldest))
    oldest = max([oldest, *(version for hint, version in _NEWER_HINTS if version <= newest and hint.search(data))])
    hints = [(int(ident[1]), int(ident[2])) for ident in _IDENT.finditer(data)]
    hints += [version for hint, version in _HINTS if hint.search(data)]
    return TextDialect(min([newest, *(hint for hint in hints if hint >= oldest)]), is_old=True)


def _versions_of_intrinsics(data: bytes) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the first and the last version that have an intrinsic's attributes of the text."""
    groups = {group[1]: group[2].split() for group in _GROUP.finditer(data)}
    for declaration in _DECLARATION.finditer(data):
        words = groups.get(declaration[2])
        if words is None:
            continue
        for names, word, before, since in _INTRINSICS:
            if names.match(declaration[1]):
                yield (since, _LAST_OLD) if word in words else (OLDEST, before)
