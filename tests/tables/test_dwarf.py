"""Numbers and names of DWARF: all are those of LLVM 22, which names what is written as a number."""

from __future__ import annotations

import re

import pytest

from answers import ask, recall
from bitcodec.tables import dwarf
from bitcodec.tables.names import Named

HEAD = '!file = !{!0}\n!0 = !DIFile(filename: "a", directory: "b")\n!1 = !{}\n'
FAMILIES: dict[type[Named], tuple[str, int]] = {
    dwarf.Tag: ("!GenericDINode(tag: {})", 0xFFFF),
    dwarf.Language: ("distinct !DICompileUnit(language: {}, file: !0)", 0xFFFF),
    dwarf.LanguageName: ("distinct !DICompileUnit(sourceLanguageName: {}, file: !0)", 0xFFFF),
    dwarf.TypeEncoding: ("!DIBasicType(encoding: {})", 0xFF),
    dwarf.CallingConvention: ("!DISubroutineType(cc: {}, types: !1)", 0xFF),
    dwarf.MacroType: ('!DIMacro(type: {}, name: "x")', 0xFF),
    dwarf.EnumKind: ("distinct !DICompositeType(tag: DW_TAG_enumeration_type, enumKind: {})", 1),
}
"""A node with a number of each family, and the largest number."""
REGISTER, CONSTANT = "80", "16, 7"
"""`DW_OP_reg0`, behind which LLVM names every operation, and a constant on the stack."""
LARGEST_OPERATION, MOST_ARGUMENTS = 0xFF, 3


def printed(lines: list[str]) -> list[str]:
    """Return how LLVM 22 prints these nodes."""
    names = ", ".join(f"!{number}" for number in range(2, len(lines) + 2))
    nodes = "\n".join(f"!{number} = {line}" for number, line in enumerate(lines, 2))
    data = ask(
        ["llvm-as-22", "-disable-verify", "-", "-o", "-"], input=f"{HEAD}!all = !{{{names}}}\n{nodes}\n", check=True
    ).stdout
    text = ask(["llvm-dis-22", "-", "-o", "-"], input=data, text=True, check=True).stdout
    order = re.findall(r"!(\d+)", re.search(r"^!all = (.*)$", text, re.MULTILINE)[1])
    found = dict(re.findall(r"^!(\d+) = (.*)$", text, re.MULTILINE))
    return [found[number] for number in order]


def named(family: type[Named]) -> dict[str, int]:
    """Return the numbers that LLVM 22 has names for."""
    form, largest = FAMILIES[family]
    field = form.partition(" {}")[0].replace("(", " ").rpartition(" ")[2]
    found = {}
    for number, line in enumerate(printed([form.format(number) for number in range(largest + 1)])):
        name = re.search(rf"\b{field} (DW_\w+)", line)
        if name:
            found[name[1]] = number
    return found


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_numbers_are_those_of_llvm(family: type[Named]) -> None:
    form, largest = FAMILIES[family]
    found = recall(["llvm-as-22", form, str(largest)], lambda: named(family))

    assert {name: number for number, name in family.spellings.items()} == found


def names_of_operations() -> dict[str, int]:
    """Return the operations that LLVM 22 has names for."""
    numbers = range(LARGEST_OPERATION + 1)
    lines = printed([f"!{{!DIExpression({REGISTER}, {number}, 1, 1)}}" for number in numbers])
    found = [re.search(r"DW_OP_reg0, DW_OP_(\w+), ", line) for line in lines]
    return {name[1]: number for number, name in zip(numbers, found, strict=True) if name}


def operations() -> list[list[str | int]]:
    """Return the valid operations of LLVM 22: number, name and how many arguments, first or on constants."""
    numbers = [*dwarf.OPERATORS, *dwarf.OTHER_OPERATORS]
    found: dict[int, list[str | int]] = {}
    for count in range(MOST_ARGUMENTS, -1, -1):
        for before in ("", f"{CONSTANT}, {CONSTANT}, "):
            lines = printed([f"!{{!DIExpression({before}{number}{', 1' * count})}}" for number in numbers])
            for number, line in zip(numbers, lines, strict=True):
                name = re.search(r"DW_OP_(\w+)(?:, \w+)*\)\}$", line.replace("DW_OP_constu, 7, ", ""))
                if name:
                    found[number] = [number, name[1], count]
    return [found[number] for number in sorted(found)]


def test_operations_are_those_of_llvm() -> None:
    names = recall(["llvm-as-22", "names of operations", str(LARGEST_OPERATION)], names_of_operations)

    ours = [(row.name, number) for number, row in dwarf.OPERATORS.items() if number <= LARGEST_OPERATION]
    ours += [(name, number) for number, name in dwarf.OTHER_OPERATORS.items()]
    assert sorted(ours) == sorted(names.items())


def test_operations_have_the_arguments_that_llvm_requires() -> None:
    question = ["llvm-as-22", "valid operations", *map(str, [*dwarf.OPERATORS, *dwarf.OTHER_OPERATORS])]

    ours = [[number, row.name, row.arguments] for number, row in sorted(dwarf.OPERATORS.items())]
    assert ours == recall(question, operations)
