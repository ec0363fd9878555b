"""Modules import each other in circles only where their classes refer to each other; imports for types count too."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SRC = Path(__file__).parents[1] / "src"

CIRCLES = [
    {"bitcodec.bitstream.draft", "bitcodec.bitstream.stream"},  # a stream, and its draft
    {"bitcodec.ir.type_spelling", "bitcodec.ir.types"},
    {  # the loop over metadata records, and the maker and the index that it calls
        *(f"bitcodec.bitcode.reader.{name}" for name in ("debug_info", "metadata_index", "metadata_nodes")),
        "bitcodec.bitcode.reader.node_reader",
    },
    {  # the body of a machine function, and its text, which is read and printed lazily
        *(f"bitcodec.mir.{name}" for name in ("blocks", "body_parser", "body_printer", "call_sites", "function")),
        *(f"bitcodec.mir.{name}" for name in ("instruction", "instruction_list", "instruction_parser", "module")),
    },
]
"""All circles but that of the model; some of their modules need not be in one."""
HOOKS = {("bitcodec.ir.module_verbs", "bitcodec.verifier.findings")}
"""Imports for types by methods of the model whose work a package above does."""
CORE = "bitcodec.ir."
"""Modules, functions, blocks, instructions, constants and metadata refer to each other: one circle."""


def modules() -> dict[str, Path]:
    found = {}
    for path in SRC.rglob("*.py"):
        parts = path.relative_to(SRC).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(body: list[ast.stmt], names: dict[str, Path]) -> Iterator[str]:
    """Yield what a module imports when it is imported, or for type checkers."""
    for statement in body:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            for alias in statement.names:
                inner = f"{statement.module}.{alias.name}"
                yield inner if inner in names else statement.module
        elif isinstance(statement, ast.If | ast.Try):
            yield from imports_of([*statement.body, *statement.orelse], names)


def graph() -> dict[str, set[str]]:
    """Return what each module imports; packages that import on demand import nothing themselves."""
    names = modules()
    found = {}
    for name, path in names.items():
        imported = set(imports_of(ast.parse(path.read_text(encoding="utf-8")).body, names)) & set(names)
        found[name] = {other for other in imported - {name} if (name, other) not in HOOKS}
    return found


def circles() -> list[set[str]]:
    """Return the sets of modules that all lead to each other: what is reached and reaches back."""
    forward = graph()
    backward: dict[str, set[str]] = {name: set() for name in forward}
    for name, imported in forward.items():
        for other in imported:
            backward[other].add(name)
    left, found = set(forward), []
    while left:
        start = min(left)
        circle = reached(start, forward) & reached(start, backward)
        left -= circle
        if len(circle) > 1:
            found.append(circle)
    return found


def reached(start: str, edges: dict[str, set[str]]) -> set[str]:
    seen, pending = {start}, [start]
    while pending:
        more = edges[pending.pop()] - seen
        seen |= more
        pending += more
    return seen


def test_there_are_no_circles_but_those_of_classes_that_refer_to_each_other() -> None:
    found = circles()
    core = [circle for circle in found if all(name.startswith(CORE) for name in circle) and len(circle) > 2]
    assert len(core) == 1
    assert {"bitcodec.ir.module", "bitcodec.ir.functions", "bitcodec.ir.instructions"} <= core[0]
    assert [sorted(circle) for circle in found if circle not in core and not any(map(circle.issubset, CIRCLES))] == []
