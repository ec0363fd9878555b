"""Nodes of all kinds, and instructions that may have them, as text."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["DEFINITIONS", "HEAD", "KINDS", "PARAMETERS", "POOLS", "TEMPLATES", "Template", "attached"]

DEFINITIONS = """
!0 = !{!"root"}
!1 = !{!"char", !0, i64 0}
!2 = !{!"int", !1, i64 0}
!3 = !{!"float", !1, i64 0}
!4 = !{!"pair", !2, i64 0, !3, i64 4, !2, i64 8}
!5 = !{!"nest", !4, i64 0, !2, i64 12}
!6 = !{!"other root"}
!7 = !{!"other", !6, i64 0}
!10 = !{!2, !2, i64 0}
!11 = !{!3, !3, i64 0}
!12 = !{!4, !2, i64 0}
!13 = !{!4, !3, i64 4}
!14 = !{!4, !2, i64 8}
!15 = !{!5, !2, i64 8}
!16 = !{!5, !2, i64 12}
!17 = !{!7, !7, i64 0}
!18 = !{!1, !1, i64 0}
!19 = !{!2, !2, i64 0, i64 1}
!20 = !{!0, i64 4, !"new int"}
!21 = !{!0, i64 4, !"new float"}
!22 = !{!0, i64 12, !"new pair", !20, i64 0, i64 4, !21, i64 4, i64 4, !20, i64 8, i64 4}
!23 = !{!0, i64 24, !"new nest", !22, i64 0, i64 12, !22, i64 12, i64 12}
!24 = !{!20, !20, i64 0, i64 4}
!25 = !{!22, !20, i64 0, i64 4}
!26 = !{!22, !21, i64 4, i64 4}
!27 = !{!22, !22, i64 0, i64 12}
!28 = !{!23, !22, i64 12, i64 12}
!29 = !{!23, !20, i64 8, i64 4}
!30 = !{i32 0, i32 10}
!31 = !{i32 5, i32 20}
!32 = !{i32 10, i32 12}
!33 = !{i32 -5, i32 0, i32 3, i32 4}
!34 = !{i32 -100, i32 -50, i32 1, i32 2, i32 30, i32 -2147483600}
!35 = !{i32 20, i32 5}
!36 = !{i32 12, i32 -7}
!37 = !{i32 0, i32 1, i32 5, i32 6, i32 9, i32 11}
!40 = !{}
!41 = !{i32 1}
!42 = !{i64 4}
!43 = !{i64 16}
!44 = !{i64 64}
!50 = distinct !{!50, !"domain"}
!51 = distinct !{!51}
!52 = distinct !{!52, !50, !"a"}
!53 = distinct !{!53, !50, !"b"}
!54 = distinct !{!54, !51, !"c"}
!55 = !{!52}
!56 = !{!53, !52}
!57 = !{!54, !52}
!58 = !{!54}
!60 = distinct !{}
!61 = distinct !{}
!62 = distinct !{}
!63 = !{!60, !61}
!64 = !{!62, !61, !60}
!70 = !{!"one", !"x"}
!71 = !{!"two", !"y"}
!72 = !{!70, !71}
!73 = !{!"one", !"z"}
!74 = !{!73, !71}
!80 = !{!"address"}
!81 = !{!"address_is_null"}
!82 = !{!"read_provenance"}
!83 = !{!"address", !"read_provenance"}
!84 = !{!"provenance", !"address"}
!85 = !{!"provenance"}
!90 = !{float 2.5}
!91 = !{float 1.0}
!92 = !{float 3.0}
!100 = !{!"branch_weights", i32 10}
!101 = !{!"branch_weights", i32 20}
!102 = !{!"branch_weights", !"expected", i32 7}
!103 = !{!"branch_weights", i64 -3}
!104 = !{!"VP", i32 0, i64 5, i64 123, i64 5}
!110 = !{i64 1}
!111 = !{i64 2, i64 3}
!112 = !{!113}
!113 = !{!111, !"cold"}
!114 = !{!115}
!115 = !{!110, !"notcold"}
!120 = !{!"int", i1 false}
!121 = !{!"node", i1 true}
!122 = !{!123}
!123 = !{i64 0, !"a.generalized"}
!124 = !{!125, !123}
!125 = !{i64 0, !"b.generalized"}
!126 = !{ptr @pure, ptr @also_pure}
!127 = !{ptr @pure}
!130 = !{!"s", !131}
!131 = !{i32 17}
!132 = distinct !{!"s", !131}
!140 = !{!"branch_weights", i32 1, i32 2}
!141 = !{!"branch_weights", i32 5, i32 2}
!names = !{!50, !51, !52, !53, !54, !60, !61, !62, !132}
"""

POOLS: dict[str, tuple[str, ...]] = {
    "tbaa": ("!10", "!11", "!12", "!13", "!14", "!15", "!16", "!17", "!18", "!19"),
    "tbaa.new": ("!24", "!25", "!26", "!27", "!28", "!29"),
    "range": ("!30", "!31", "!32", "!33", "!34", "!35", "!36", "!37"),
    "noalias.addrspace": ("!30", "!31", "!32", "!33", "!37"),
    "noundef": ("!40",),
    "invariant.load": ("!40",),
    "invariant.group": ("!40",),
    "nontemporal": ("!41",),
    "nonnull": ("!40",),
    "align": ("!42", "!43", "!44"),
    "dereferenceable": ("!42", "!43", "!44"),
    "dereferenceable_or_null": ("!42", "!43", "!44"),
    "alias.scope": ("!55", "!56", "!57", "!58"),
    "noalias": ("!55", "!56", "!57", "!58"),
    "llvm.access.group": ("!60", "!61", "!63", "!64"),
    "llvm.mem.parallel_loop_access": ("!50", "!63", "!64"),
    "mmra": ("!70", "!71", "!72", "!73", "!74"),
    "captures": ("!80", "!81", "!82", "!83", "!84", "!85"),
    "nosanitize": ("!40",),
    "annotation": ("!70",),
    "unknown": ("!40", "!41"),
    "fpmath": ("!90", "!91", "!92"),
    "prof": ("!100", "!101", "!102", "!103"),
    "prof.indirect": ("!101", "!104"),
    "prof.select": ("!140", "!141"),
    "callsite": ("!110", "!111"),
    "memprof": ("!112", "!114"),
    "alloc_token": ("!120", "!121"),
    "callee_type": ("!122", "!124"),
    "callees": ("!126", "!127"),
    "make.implicit": ("!40",),
    "unpredictable": ("!40",),
    "pcsections": ("!130", "!132"),
}
"""Nodes by kind; what is behind a dot that is no part of a kind tells several pools of one apart."""
KINDS = {pool: re.sub(r"\.(new|indirect|select)$", "", pool) for pool in POOLS}

_MEMORY = ("tbaa", "alias.scope", "noalias", "llvm.access.group", "llvm.mem.parallel_loop_access", "noalias.addrspace")
_ANY = ("nosanitize", "annotation", "unknown", "pcsections")
_LOAD = ("invariant.load", "invariant.group", "nontemporal", "noundef")
_CALL = ("callsite", "memprof", "alloc_token", "callee_type")


class Template(NamedTuple):
    """An instruction, the type of its result, the kinds it may have, and what passes can be made to do to it."""

    text: str
    type: str
    pools: tuple[str, ...]
    hows: tuple[str, ...] = ("stays", "moves", "hoists")


TEMPLATES = {
    "integer": Template("load i32, ptr %p", "i32", (*_MEMORY, "tbaa.new", *_LOAD, "range", *_ANY)),
    "relaxed": Template("load i32, ptr %p", "i32", ("mmra",), ("stays", "hoists")),
    "pointer": Template(
        "load ptr, ptr %p", "ptr", ("noundef", "nonnull", "align", "dereferenceable", "dereferenceable_or_null")
    ),
    "store": Template(
        "store ptr %q, ptr %p", "", ("captures", "tbaa", "nontemporal", "llvm.access.group", *_ANY), ("moves",)
    ),
    "quotient": Template("fdiv float %x, 3.0", "float", ("fpmath", *_ANY)),
    "choice": Template("select i1 %d, i32 %i, i32 7", "i32", ("unpredictable", "prof.select", *_ANY)),
    "call": Template("call i32 @pure(i32 %i)", "i32", ("prof", *_CALL, *_ANY), ("stays", "moves")),
    "silent": Template("call i32 @silent(i32 %i)", "i32", ("llvm.access.group",), ("stays", "moves")),
    "indirect": Template("call i32 %p(i32 %i) #0", "i32", ("callees", "prof.indirect"), ("stays", "moves")),
}

HEAD = """
declare i32 @pure(i32) #0
declare i32 @also_pure(i32) #0
declare i32 @silent(i32) #1
declare void @use(...)
attributes #0 = { memory(read) nounwind willreturn }
attributes #1 = { memory(none) nounwind willreturn }
"""
PARAMETERS = "(i1 %c, i1 %d, ptr nofree noundef align 16 dereferenceable(16) %p, ptr %q, float %x, i32 %i)"


def attached(pool: str, node: str) -> str:
    """Return what attaches a node."""
    return f", !{KINDS[pool]} {node}"
