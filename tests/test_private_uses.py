"""Private members are used by their own package alone, but for a few slots in compiled loops of `asm` and `bitcode`.

What is done with a slot of the model belongs to `ir/construction`, which has it for compiled loops in `present.pxd`.
"""

from __future__ import annotations

import ast
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src/bitcodec"
LOOPS = {
    "asm/bodies.py": 2,
    "asm/instructions/frequent.py": 4,
    "asm/parser/function_state.py": 1,
    "asm/parser/metadata.py": 3,
    "bitcode/creation_order.py": 1,
    "bitcode/reader/extras.py": 11,
    "bitcode/reader/node_reader.py": 2,
    "bitcode/writer/instruction_records.py": 3,
}
"""Compiled loops that read or fill slots of the model, and how often each does at most."""
OF_PYTHON = {"_asdict", "_fields", "_replace", "_value_"}
"""Names that named tuples and enumerations have by Python's rules."""


class PrivateNames(ast.NodeVisitor):
    """The private names that a module defines, and those that it uses of other objects than `self` and `cls`."""

    def __init__(self, text: str) -> None:
        self.defined: set[str] = set()
        self.used: list[str] = []
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                    self.defined.add(name)
                case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                    self.defined.add(name)
                case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) if name[0] == "_" and name[:2] != "__":
                    self.used.append(name)
                case ast.Assign(targets=[ast.Name(id="__slots__"), *_], value=value):
                    self.defined |= {str(each.value) for each in ast.walk(value) if isinstance(each, ast.Constant)}


def foreign_uses(texts: dict[str, str]) -> dict[str, list[str]]:
    """Return by file the private names that it uses and does not define, and that another package defines."""
    names = {path: PrivateNames(text) for path, text in texts.items()}
    packages: dict[str, set[str]] = {}
    for path, found in names.items():
        for name in found.defined:
            packages.setdefault(name, set()).add(path.partition("/")[0])
    uses = {}
    for path, found in names.items():
        own = found.defined | OF_PYTHON
        uses[path] = [
            name for name in found.used if name not in own and packages.get(name, set()) - {path.partition("/")[0]}
        ]
    return {path: found for path, found in uses.items() if found}


def test_private_names_are_used_by_their_package() -> None:
    texts = {path.relative_to(SOURCES).as_posix(): path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")}
    uses = foreign_uses({path: text for path, text in texts.items() if "_" in text})

    assert {path: names for path, names in uses.items() if path.partition("/")[0] != "ir" and path not in LOOPS} == {}
    assert {path: names for path, names in uses.items() if len(names) > LOOPS.get(path, len(names))} == {}
    assert all(path.startswith(("asm/", "bitcode/")) and texts[path].startswith("# cython:") for path in LOOPS)


def test_uses_are_found() -> None:
    model = "class Value:\n    __slots__ = ('_operands',)\n    def _drop(self): self._name = ''"
    loop = "def f(self, value):\n    self._name = value._operands\n    value._drop(_operands=value._name)"

    assert foreign_uses({"ir/values.py": model, "linker/f.py": loop}) == {
        "linker/f.py": ["_operands", "_drop", "_operands"]
    }
    assert foreign_uses({"ir/values.py": model, "ir/f.py": loop, "asm/f.py": "value.operands"}) == {}
