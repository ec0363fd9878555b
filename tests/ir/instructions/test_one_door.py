"""Instructions are made in the package of their classes: nobody else sets their attributes one by one."""

from __future__ import annotations

import ast
from pathlib import Path

import bitcodec
from bitcodec.ir import instructions

SOURCES = Path(bitcodec.__file__).parent
CLASSES = {name for name in instructions.__all__ if isinstance(getattr(instructions, name), type)}
UNLISTED = {"ir/construction/copies.py"}
"""Files that make instructions which are in no list of uses."""


def makes_instruction(node: ast.AST) -> bool:
    """Return whether a node is `Class.__new__(...)` for a class of instructions."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr="__new__")):
            return name in CLASSES
    return False


def test_instructions_are_made_by_their_package() -> None:
    makers = set()
    for path in SOURCES.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if ".__new__(" in text and any(map(makes_instruction, ast.walk(ast.parse(text)))):
            makers.add(path.relative_to(SOURCES).as_posix())

    assert {maker for maker in makers if not maker.startswith("ir/instructions/")} == UNLISTED
    assert "ir/instructions/memory.py" in makers
