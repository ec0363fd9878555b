"""Comdats of aliases: those of the objects that they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcodec.symbols import base_objects

if TYPE_CHECKING:
    from bitcodec.ir.values import Value

pytestmark = pytest.mark.same_in_both

LARGER = "$x = comdat largest\n@x = global i64 1, comdat\n"
CHAIN_LENGTH = 500


def linked(*texts: str) -> str:
    return bitcodec.print_assembly(bitcodec.link([bitcodec.parse_assembly(text) for text in texts]))


def test_aliases_of_replaced_comdats_become_declarations_in_their_order() -> None:
    text = """
$x = comdat largest
@x = global i8 1, comdat
@after = alias i32, ptr @before
@before = alias i32, ptr @x
@kept = global [2 x ptr] [ptr @after, ptr @before]
"""
    # What llvm-link 22 prints.
    assert linked(text, LARGER).splitlines()[3:] == [
        "$x = comdat largest",
        "",
        "@kept = global [2 x ptr] [ptr @after, ptr @before]",
        "@after = external global i32",
        "@before = external global i32",
        "@x = global i64 1, comdat",
    ]


def test_aliases_of_what_has_become_a_declaration_stay() -> None:
    text = """
$x = comdat largest
@x = global i8 1, comdat
@first = alias i32, ptr @x
@second = alias i32, ptr @first
@third = alias i32, getelementptr (i8, ptr @second, i64 0)
"""
    # What llvm-link 22 --disable-verify prints.
    assert linked(text, LARGER).splitlines()[3:] == [
        "$x = comdat largest",
        "",
        "@first = external global i32",
        "@x = global i64 1, comdat",
        "",
        "@second = alias i32, ptr @first",
        "@third = alias i32, ptr @second",
    ]


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("other", [LARGER, "", "$x = comdat any\n@x = global i64 1, comdat\n"])
def test_a_chain_of_aliases_is_walked_once(monkeypatch: pytest.MonkeyPatch, other: str, *, is_reversed: bool) -> None:
    walked = 0
    address_parts = base_objects.address_parts

    def count(value: Value) -> tuple[Value, ...]:
        nonlocal walked
        walked += 1
        return address_parts(value)

    chain = [f"@a{n} = weak_odr alias i32, ptr @{f'a{n - 1}' if n else 'x'}" for n in range(CHAIN_LENGTH)]
    kind = "any" if "any" in other else "largest"
    text = "\n".join([f"$x = comdat {kind}", "@x = global i8 1, comdat", *(chain[::-1] if is_reversed else chain)])
    monkeypatch.setattr(base_objects, "address_parts", count)
    linker = bitcodec.Linker(internalize=True)
    for each in (text, other, text.replace("@a", "@b")):
        linker.add(bitcodec.parse_assembly(each))
    linker.finish()
    assert 0 < walked <= CHAIN_LENGTH * 20
