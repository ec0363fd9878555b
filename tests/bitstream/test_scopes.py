"""Which abbreviation an id stands for, asked of columns by row."""

from __future__ import annotations

from bitcodec import bitstream
from bitcodec.bitstream.scopes import Scopes
from bits import Bits


def scopes_of(bits: Bits) -> tuple[Scopes, bitstream.Columns]:
    columns = bitstream.loads(bits.stream()).columns
    return Scopes(columns), columns


def described(columns: bitstream.Columns, numbers: object) -> list[str]:
    return [str(columns.abbreviations[number]) for number in numbers]  # type: ignore[attr-defined]


def test_shared_then_own() -> None:
    bits = Bits().enter_block(0).unabbreviated(1, [8]).define(1).unabbreviated(1, [9]).define(2).define(3).end_block()
    bits.enter_block(8).define(4).enter_block(9).define(5).end_block().define(6).end_block()
    scopes, columns = scopes_of(bits)
    assert described(columns, scopes.shared(1)) == ["[1]"]
    assert described(columns, scopes.own(1)) == ["[4]", "[6]"]
    assert described(columns, scopes.shared(1) + scopes.own(1)) == ["[1]", "[4]", "[6]"]
    assert described(columns, scopes.shared(2) + scopes.own(2)) == ["[2]", "[3]", "[5]"]


def test_no_blockinfo() -> None:
    scopes, _ = scopes_of(Bits().enter_block(8).end_block())
    assert list(scopes.shared(0) + scopes.own(0)) == []
    assert scopes.block_info(0).abbreviations == {}


def test_definitions_in_blockinfo_are_not_its_own() -> None:
    scopes, columns = scopes_of(
        Bits().enter_block(0).unabbreviated(1, [0]).define(7).end_block().enter_block(0).end_block()
    )
    assert described(columns, scopes.shared(0) + scopes.own(0)) == []
    assert described(columns, scopes.shared(1) + scopes.own(1)) == ["[7]"]
