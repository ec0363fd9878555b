"""Names of debug-info flags and kinds stand for the numbers that LLVM 22 gives them."""

from __future__ import annotations

import re

import pytest

from answers import ask
from bitcodec.tables.debug_info_flags import DIFlag, DISPFlag, EmissionKind, NameTableKind, flag_names
from bitcodec.tables.names import Named

COMBINED = [3, 3 << 16, 3 << 16 | 3, 36, 36 | 3, (1 << 31) - 1]
CASES = {
    "flags": (DIFlag, '!DIDerivedType(tag: DW_TAG_member, name: "{}", baseType: null, flags: {})'),
    "spFlags": (DISPFlag, 'distinct !DISubprogram(name: "{}", spFlags: {})'),
}
KINDS = {"emissionKind": EmissionKind, "nameTableKind": NameTableKind}


def printed_fields(field: str, nodes: list[str]) -> list[str]:
    """Return what LLVM prints of a field of each node, "" where it prints none."""
    numbers = [f"!{number}" for number in range(2, len(nodes) + 2)]
    lines = [f"{number} = {node}" for number, node in zip(numbers, nodes, strict=True)]
    head = [f"!x = !{{{', '.join(numbers)}}}", '!1 = !DIFile(filename: "a", directory: "")']
    command = ["opt-22", "-S", "-disable-verify", "-o", "-"]
    text = ask(command, input="\n".join([*head, *lines, ""]), text=True, check=True).stdout
    order = re.search(r"^!x = !\{(.*)\}$", text, re.MULTILINE)
    assert order is not None
    found = dict(re.findall(r"^(!\d+) = (.*)$", text, re.MULTILINE))
    values = [re.search(rf"\b{field}: ([^,)]+)", found[number]) for number in order[1].split(", ")]
    return ["" if value is None else value[1] for value in values]


@pytest.mark.parametrize("field", CASES)
def test_flags(field: str) -> None:
    names, node = CASES[field]
    values = [1 << bit for bit in range(31)] + [value for value in COMBINED if names is DIFlag]
    printed = printed_fields(field, [node.format(value, value) for value in values])
    assert printed == [" | ".join(flag_names(value, names)) for value in values]


@pytest.mark.parametrize("field", KINDS)
def test_kinds(field: str) -> None:
    names: type[Named] = KINDS[field]
    unit = "distinct !DICompileUnit(language: DW_LANG_C99, file: !1, {}: {})"
    for value, printed in zip(
        names.spellings, printed_fields(field, [unit.format(field, value) for value in names.spellings]), strict=True
    ):
        assert printed in (names.spelling_of(value), ""), value
        assert printed or value == 0, "the first kind is not printed"
