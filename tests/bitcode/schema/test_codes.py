"""`NamedCode` behaves as `enum.IntEnum` does, with a second name for each member."""

from __future__ import annotations

import copy
import pickle
from enum import IntEnum

import pytest

from bitcodec.bitcode.schema.blocks import RECORD_CODES, BlockId, FunctionCode, ModuleCode, SyncScopeNamesCode


class Reference(IntEnum):
    VERSION = 1
    TRIPLE = 2


@pytest.mark.parametrize("codes", [BlockId, *RECORD_CODES.values()])
def test_members_are_found_by_number_and_by_name(codes: type[BlockId]) -> None:
    for name, member in codes.__members__.items():
        assert codes(int(member)) is codes[name] is getattr(codes, name) is member
        assert isinstance(member, codes)
        assert member.value == int(member)
        assert member in codes
    assert [member.name for member in codes] == list(codes.__members__)
    assert len(codes) == len(list(codes))


def test_texts_are_those_of_an_enumeration() -> None:
    code = ModuleCode.TRIPLE
    assert (str(code), f"{code}", f"{code:03}") == (
        str(Reference.TRIPLE),
        f"{Reference.TRIPLE}",
        f"{Reference.TRIPLE:03}",
    )
    assert repr(code) == "<ModuleCode.TRIPLE: 2>"
    assert repr(Reference.TRIPLE) == "<Reference.TRIPLE: 2>"


def test_an_unknown_number_is_refused() -> None:
    with pytest.raises(ValueError, match="99 is not a valid FunctionCode"):
        FunctionCode(99)
    with pytest.raises(KeyError):
        FunctionCode["NONSENSE"]
    assert 99 not in FunctionCode


def test_codes_are_numbers() -> None:
    assert {ModuleCode.TRIPLE: 1}[2] == 1  # type: ignore[index] # an enumerator is its number
    assert sorted([ModuleCode.TRIPLE, ModuleCode.VERSION]) == [1, 2]


def test_dump_names_are_names_unless_a_row_says_otherwise() -> None:
    assert BlockId.MODULE_BLOCK.dump_name == "MODULE_BLOCK"
    assert BlockId.TYPE_BLOCK.dump_name == "TYPE_BLOCK_ID"
    assert not SyncScopeNamesCode.SYNC_SCOPE_NAME.dump_name


def test_copies_are_the_same_objects() -> None:
    code = FunctionCode(10)
    assert copy.deepcopy(code) is code
    assert pickle.loads(pickle.dumps(code)) is code
