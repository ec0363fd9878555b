"""The table of rules: what its rows say agrees with the other tables of versions."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bitcodec.bitcode.schema.blocks import ConstantsCode, FunctionCode, MetadataCode, TypeCode
from bitcodec.bitcode.schema.node_versions import NODE_VERSIONS
from bitcodec.bitcode.writer.debug_info import program_of
from bitcodec.doctor import NEWEST, OLDEST, RULES, Effect
from bitcodec.doctor.keys import ConstructKind, Key
from bitcodec.doctor.observing import OBSERVERS
from bitcodec.doctor.rules import rules_of
from bitcodec.downgrade.memory import ATOMIC_OPERATION
from bitcodec.downgrade.operations import NEWER_CASTS
from bitcodec.ir import debug_info
from bitcodec.tables.attributes import KINDS_BY_NUMBER, first_version
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_rows import Node
from bitcodec.tables.opcodes import CAST_OPCODES


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
        assert readers(Key(ConstructKind.ATTRIBUTE, number)) == {*range(first_version(number), NEWEST + 1)}
    assert readers(Key(ConstructKind.ATTRIBUTE, 1)) == {*range(OLDEST, NEWEST + 1)}
    assert readers(Key(ConstructKind.ATTRIBUTE, 999)) == set()


def test_lengths_follow_each_other() -> None:
    for row in NODE_VERSIONS.values():
        assert all(one.since < other.since for one, other in pairwise(row.lengths))
        assert all(one.until < other.until for one, other in pairwise(row.forms))


@pytest.mark.parametrize("node", NODES, ids=lambda node: node.name)
def test_what_is_written_for_a_version_is_what_it_accepts(node: Node) -> None:
    code = MetadataCode[node.record]
    if code not in NODE_VERSIONS:
        return
    row = NODE_VERSIONS[code]
    assert row.lengths[0].since == max(node.since, OLDEST) == max(code.since, OLDEST)
    for version in range(row.lengths[0].since, NEWEST + 1):
        accepted = [lengths.accepted for lengths in row.lengths if lengths.since <= version][-1]
        form = next((form for form in row.forms if version < form.until), None)
        count = len(form.operands) + 1 if form else len(program_of(getattr(debug_info, node.name), version).operands)
        assert accepted is None or count in accepted, version


def test_every_code_of_the_newest_version_has_a_row_or_is_as_old_as_the_readers() -> None:
    for block, codes, newest_of_llvm_4 in ((17, TypeCode, 22), (11, ConstantsCode, 23), (12, FunctionCode, 55)):
        for code in codes:
            assert code <= newest_of_llvm_4 or code in OBSERVERS[block], (block, code)


def test_the_table_of_downgrades_agrees() -> None:
    for name, construct in ATOMIC_OPERATION.items():
        (rule,) = [each for each in RULES if each.identifier == f"atomicrmw-{name}"]
        assert rule.newest == construct.since - 1
    assert readers(Key(ConstructKind.SAME_SIGN, 0)) == {*range(20, NEWEST + 1)}
    since = NEWER_CASTS["ptrtoaddr"].since
    assert readers(Key(ConstructKind.CAST, CAST_OPCODES.index("ptrtoaddr"))) == {*range(since, NEWEST + 1)}
