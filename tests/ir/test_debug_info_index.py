"""The debug information of a module by kind: as many nodes of each as the text of the module has."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir import DebugInfo

DATA = Path(__file__).parents[1] / "data"
ROOT = Path(__file__).parents[2]
TYPES = {"DIBasicType", "DIDerivedType", "DICompositeType", "DISubroutineType", "DISubrangeType", "DIStringType"}
FILES = [ROOT / "examples" / "hello.bc", ROOT / "examples" / "queue.bc", *sorted(DATA.glob("ir_metadata-22.bc"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_all_nodes_of_the_text_are_there(path: Path) -> None:
    module = bitcodec.open(path)
    found = module.debug_info
    assert isinstance(found, DebugInfo)
    printed = Counter(re.findall(r"^!\d+ = (?:distinct )?!(DI\w+)\(", str(module), re.MULTILINE))
    assert printed
    for name, nodes in (
        ("DICompileUnit", found.compile_units),
        ("DISubprogram", found.subprograms),
        ("DIGlobalVariable", found.global_variables),
        ("DILocalVariable", found.local_variables),
        ("DIFile", found.files),
    ):
        assert len(nodes) == len(set(nodes)) == printed[name]
        assert all(type(node).__name__ == name for node in nodes)
    assert len(found.types) == sum(printed[name] for name in TYPES)


def test_a_module_without_debug_information() -> None:
    found = bitcodec.open(DATA / "ir_types-22.bc").debug_info
    assert (found.compile_units, found.types, found.files) == ((), (), ())
    assert repr(found) == "<DebugInfo: 0 units, 0 subprograms, 0 types>"
