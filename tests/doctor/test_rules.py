"""The table of rules: what its rows say agrees with the other tables of versions."""

from __future__ import annotations

from itertools import pairwise

from bitcodec.bitcode.downgrade import constructs
from bitcodec.bitcode.schema.blocks import ConstantsCode, FunctionCode, MetadataCode, TypeCode
from bitcodec.bitcode.schema.metadata import RECORD_LENGTHS
from bitcodec.doctor import NEWEST, OLDEST, RULES, Effect
from bitcodec.doctor.keys import Key, Kind
from bitcodec.doctor.node_lengths import NODE_LENGTHS
from bitcodec.doctor.observing import OBSERVERS
from bitcodec.doctor.rules import rules_of
from bitcodec.tables.attributes import HIGHEST_NUMBERS, KINDS_BY_NUMBER


def readers(key: Key) -> set[int]:
    """Return the versions that read a construct."""
    return {v for v in range(OLDEST, NEWEST + 1) if not any(rule.covers(v, key) for rule in rules_of(key))}


def test_rows_are_in_range() -> None:
    for rule in RULES:
        assert OLDEST <= rule.oldest <= rule.newest <= NEWEST, rule
        assert bool(rule.message) == (rule.effect in {Effect.REFUSES, Effect.REJECTS}) or rule.effect is Effect.CRASHES
        assert rule.construct


def test_rows_of_one_construct_do_not_overlap() -> None:
    for rule in RULES:
        same = [each for each in RULES if (each.kind, each.number) == (rule.kind, rule.number) and each is not rule]
        if rule.lengths is None:
            assert all(each.newest < rule.oldest or rule.newest < each.oldest or each.lengths for each in same), rule


def test_attributes() -> None:
    for number in KINDS_BY_NUMBER:
        known = {version for version, highest in HIGHEST_NUMBERS.items() if number <= highest}
        assert readers(Key(Kind.ATTRIBUTE, number)) - {OLDEST} == known - {OLDEST}
    assert readers(Key(Kind.ATTRIBUTE, 1)) == {*range(OLDEST, NEWEST + 1)}
    assert readers(Key(Kind.ATTRIBUTE, 999)) == set()


def test_newest_lengths_are_those_of_the_reader() -> None:
    for code, lengths in RECORD_LENGTHS.items():
        oldest, newest, accepted = NODE_LENGTHS[code][-1]
        assert newest == NEWEST, MetadataCode(code).name
        assert oldest <= NEWEST
        assert {*accepted} == lengths, MetadataCode(code).name


def test_lengths_of_every_version_follow_each_other() -> None:
    for ranges in NODE_LENGTHS.values():
        for (_, newest, _), (oldest, _, _) in pairwise(ranges):
            assert oldest == newest + 1


def test_every_code_of_the_newest_version_has_a_row_or_is_as_old_as_the_readers() -> None:
    for block, codes, newest_of_llvm_4 in ((17, TypeCode, 22), (11, ConstantsCode, 23), (12, FunctionCode, 55)):
        for code in codes:
            assert code <= newest_of_llvm_4 or code in OBSERVERS[block], (block, code)


def test_the_table_of_downgrades_agrees() -> None:
    for name, construct in constructs.ATOMIC_OPERATION.items():
        (rule,) = [each for each in RULES if each.identifier == f"atomicrmw-{name}"]
        assert rule.newest == construct.since - 1
    assert readers(Key(Kind.SAME_SIGN, 0)) == {*range(constructs.SAME_SIGN.since, NEWEST + 1)}
    assert readers(Key(Kind.PTRTOADDR, 0)) == {constructs.PTRTOADDR.since}
