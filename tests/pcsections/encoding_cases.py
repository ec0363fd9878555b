"""Nodes that encodings are held for against what `llc` wrote of them: goldens, for where there is no LLVM."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from .backends import BACKENDS, RARE_BACKENDS, Backend
from .recipes import Body, Node, Recipe

GOLDENS = Path(__file__).resolve().parents[1] / "data" / "pcsection-encodings.json.gz"

_LEFT_OUT = ("x32", "ilp32", "abin32")
TARGETS: tuple[Backend, ...] = tuple(
    backend for backend in (*BACKENDS, *RARE_BACKENDS) if not backend.triple.endswith(_LEFT_OUT)
)


def _integers(*widths: int) -> tuple[Recipe, ...]:
    return tuple(("int", width, (1 << width) - 2) for width in widths)


_VECTORS: tuple[Recipe, ...] = (
    ("vector", tuple(("int", 1, bit) for bit in (1, 0, 1, 1, 0, 0, 1, 0, 1))),
    ("vector", tuple(("int", 24, number) for number in (1, 2, 0xFFFFFE))),
    ("vector", (("int", 16, 1), ("int", 16, 2), ("int", 16, 3))),
    ("vector", (("int", 64, (1 << 64) - 1),) * 3),
)
_AGGREGATES: tuple[Recipe, ...] = (
    ("struct", False, (("int", 8, 1), ("int", 32, 2), ("int", 8, 3))),
    ("struct", True, (("int", 8, 1), ("int", 32, 2), ("int", 8, 3))),
    ("array", (("struct", False, (("int", 16, 1), ("null",))),) * 2),
    ("string", b"words\0"),
)
_FLOATS: tuple[Recipe, ...] = (
    ("float", "half", 0x3C00),
    ("float", "bfloat", 0x3F80),
    ("float", "float", 0x3FC00000),
    ("float", "double", 0xC000000000000001),
    ("float", "x86_fp80", 0x3FFF8000000000000001),
    ("float", "fp128", 0x3FFF << 112 | 1),
    ("float", "ppc_fp128", 0x3FF0000000000000 | 0x3C90000000000000 << 64),
)
_NOTHING: tuple[Recipe, ...] = (
    ("null",),
    ("undef", ("int", 32, 0)),
    ("poison", ("int", 16, 0)),
    ("zero", _AGGREGATES[0]),
    ("struct", False, ()),
)
_ADDRESSES: tuple[Recipe, ...] = (
    ("address", "far", 0),
    ("address", "far", -3),
    ("number", "near", 5),
    ("struct", False, (("int", 8, 1), ("address", "near", 2))),
)
_TUPLES = (
    (),
    _integers(1, 7, 8),
    _integers(9, 16, 17, 24, 32),
    _integers(33, 40, 63, 64),
    _integers(65, 72, 96, 127, 128, 200),
    _FLOATS,
    _NOTHING,
    _VECTORS,
    _AGGREGATES,
    _ADDRESSES,
)

BODIES: tuple[Body, ...] = tuple(
    Body(
        Node(((f"e{number}", (constants,)), (f"c{number}!C", (constants, ())))),
        (Node(((f"i{number}!C", (constants,)), (f"i{number}", ()), (f"e{number}", (constants, constants)))),),
        (0, None, 0, 0),
    )
    for number, constants in enumerate(_TUPLES)
)
"""Functions, each with sections of its own: its entry, and a run of three instructions."""


def bodies_for(backend: Backend) -> tuple[Body, ...]:
    """Return the functions for a target: without what instructions ask for where they lose their nodes."""
    return BODIES if backend.word else tuple(body._replace(nodes=(), loads=()) for body in BODIES)


def goldens() -> dict[str, Any]:
    """Return what `make_encodings` wrote, by triple."""
    found: dict[str, Any] = json.loads(gzip.decompress(GOLDENS.read_bytes()))
    return found
