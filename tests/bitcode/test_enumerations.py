"""The tables know what each version of LLVM enumerates: their rows against its headers.

`data/enumerations.json` has the numbers of `llvm/Bitcode/LLVMBitCodes.h` by version, under the names of the newest:
each version has what it adds to the one before.  Those of 13 to 22 are from Debian's packages `llvm-N-dev`, those of 23
from a release, those of 24 from its sources before the release.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bitcodec.bitcode.schema import blocks
from bitcodec.bitcode.schema.attributes import ATTRIBUTE_NAMES
from bitcodec.doctor import VERSIONS
from bitcodec.tables.attributes import HIGHEST_NUMBERS
from bitcodec.tables.linkage import SelectionKind
from bitcodec.tables.opcodes import CAST_OPCODES, AtomicRMWOperation

LISTS = Path(__file__).parents[1] / "data" / "enumerations.json"
CODES = {
    "BlockIDs": blocks.BlockId,
    "ModuleCodes": blocks.ModuleCode,
    "TypeCodes": blocks.TypeCode,
    "ConstantsCodes": blocks.ConstantsCode,
    "FunctionCodes": blocks.FunctionCode,
    "MetadataCodes": blocks.MetadataCode,
    "GlobalValueSummarySymtabCodes": blocks.GlobalValueSummaryCode,
    "ValueSymtabCodes": blocks.ValueSymtabCode,
    "UseListCodes": blocks.UselistCode,
}
"""Enumerations of LLVM, and the rows that have their numbers."""
PREFIX = re.compile(r"^(MODULE|TYPE|CST|VST|USELIST)_CODE_|^(FUNC_CODE|FS|METADATA)_")
OTHER_NAMES = {"ATTACHMENT", "MODULE_BLOCK_ID"}
"""Of METADATA_ATTACHMENT_BLOCK in bitcodec; of the first block."""
NOT_READ = 95
"""An attribute kind that headers have since LLVM 19 or 20 and no released reader takes."""


@cache
def lists() -> dict[int, dict[str, dict[str, int]]]:
    """Return all numbers of each version, by enumeration and name."""
    found: dict[int, dict[str, dict[str, int]]] = {}
    known: dict[str, dict[str, int]] = {}
    for version, added in json.loads(LISTS.read_text(encoding="utf-8")).items():
        known = {name: {**known.get(name, {}), **added.get(name, {})} for name in {*known, *added}}
        found[int(version)] = known
    return found


def known_to(version: int, rows: Iterable[Any]) -> set[int]:
    return {int(getattr(row, "code", row)) for row in rows if row.since <= version}


@pytest.mark.parametrize("version", lists())
@pytest.mark.parametrize("name", CODES)
def test_codes(name: str, version: int) -> None:
    numbers = {number for each, number in lists()[version][name].items() if not each.endswith("_ATTACHMENT")}
    attached = {11} if name == "MetadataCodes" else set()
    more = {36} if name == "MetadataCodes" else set()
    assert known_to(version, CODES[name]) == numbers - attached | more


@pytest.mark.parametrize("name", ["ModuleCodes", "TypeCodes", "ConstantsCodes", "FunctionCodes"])
def test_names(name: str) -> None:
    numbers: Mapping[str, int] = lists()[max(lists())][name]
    assert {PREFIX.sub("", each): number for each, number in numbers.items()} == {
        code.name: code.value for code in CODES[name]
    }


@pytest.mark.parametrize("version", lists())
def test_attributes(version: int) -> None:
    numbers = set(lists()[version]["AttributeKindCodes"].values())
    assert {number for number in ATTRIBUTE_NAMES if number <= HIGHEST_NUMBERS[version]} | {NOT_READ} == numbers | {
        NOT_READ
    }


@pytest.mark.parametrize("version", lists())
def test_operations(version: int) -> None:
    enumerations = lists()[version]
    assert known_to(version, AtomicRMWOperation) == set(enumerations["RMWOperations"].values())
    casts = set(enumerations["CastOpcodes"].values())
    assert casts == {number for number in range(len(CAST_OPCODES)) if number != 13 or version >= 22}
    assert {kind.code for kind in SelectionKind} == set(enumerations["ComdatSelectionKindCodes"].values())


def test_the_newest_list_is_that_of_the_newest_version() -> None:
    assert max(lists()) == VERSIONS[-1] == max(HIGHEST_NUMBERS)
