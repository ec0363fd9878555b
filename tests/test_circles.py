"""Modules import each other in circles only where their classes refer to each other.

Imports for types and in functions count too.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SRC = Path(__file__).parents[1] / "src"

CORE = {
    *("basic_blocks", "constant_expressions", "constant_table", "context", "function_instructions", "functions"),
    *("global_lists", "globals", "instructions.control_flow", "instructions.instruction", "module", "sources"),
}
"""The circle of `ir`: the classes of a module, function, block and instruction refer to each other."""
VALUES = {"constants", "metadata", "symbols", "uses", "values"}
"""Metadata wraps values, and values know what wraps and what uses them."""
CIRCLES = [
    {f"bitcodec.ir.{name}" for name in CORE},
    {f"bitcodec.ir.{name}" for name in VALUES},
    {"bitcodec.bitstream.draft", "bitcodec.bitstream.stream"},  # a stream, and its draft
    {f"bitcodec.ir.{name}" for name in ("target_types", "type_spelling", "types")},
    {"bitcodec.cli.declaring", "bitcodec.cli.lazy"},  # commands, which click imports for help and errors alone
    {"bitcodec.pcsections.decoding.arrow", "bitcodec.pcsections.decoding.sections"},  # a table, and itself for pyarrow
    {  # the body of a machine function, and its text, which is read and printed lazily
        *(f"bitcodec.mir.{name}" for name in ("blocks", "body_parser", "body_printer", "call_sites", "function")),
        *(
            f"bitcodec.mir.{name}"
            for name in ("instruction", "instruction_list", "instruction_parser", "module", "renaming")
        ),
    },
]
"""All circles."""
HOOKS = {
    ("bitcodec.ir.functions", "bitcodec.ir.pcsections"),
    ("bitcodec.ir.instructions.instruction", "bitcodec.ir.pcsections"),
    ("bitcodec.ir.module", "bitcodec.ir.debug_info_index"),
    ("bitcodec.ir.module", "bitcodec.ir.module_flags"),
    ("bitcodec.ir.module_verbs", "bitcodec.ir.globals"),
    ("bitcodec.ir.module_verbs", "bitcodec.ir.findings"),
}
"""Imports for type checkers alone: what a method returns whose work a feature or a package above the model does."""


def modules() -> dict[str, Path]:
    found = {}
    for path in SRC.rglob("*.py"):
        parts = path.relative_to(SRC).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(tree: ast.AST, names: dict[str, Path]) -> Iterator[str]:
    """Yield what a module imports: at once, in its functions, or for type checkers."""
    for statement in ast.walk(tree):
        if isinstance(statement, ast.ImportFrom) and statement.module:
            for alias in statement.names:
                inner = f"{statement.module}.{alias.name}"
                yield inner if inner in names else statement.module


def at_runtime(tree: ast.Module) -> ast.Module:
    """Return a module without its imports for type checkers."""
    return ast.Module([each for each in tree.body if not isinstance(each, ast.If)], [])


def graph() -> dict[str, set[str]]:
    """Return what each module imports; packages that import on demand import nothing themselves."""
    names = modules()
    found = {}
    for name, path in names.items():
        imported = set(imports_of(ast.parse(path.read_text(encoding="utf-8")), names)) & set(names)
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
    assert sorted(map(sorted, circles())) == sorted(map(sorted, CIRCLES))


def test_hooks_are_for_type_checkers_alone() -> None:
    names = modules()
    for name, other in HOOKS:
        tree = ast.parse(names[name].read_text(encoding="utf-8"))
        assert other in imports_of(tree, names)
        assert other not in imports_of(at_runtime(tree), names)
