"""A module at a glance: producer, target and symbols, however old its writer."""

from __future__ import annotations

import pytest

from bitcodec import bitstream
from bitcodec.bitcode.schema.linkage import linkage_name
from bitcodec.bitcode.summary import ModuleSummary, Symbol, summarize
from bitcodec.errors import BitstreamError
from bits import Bits
from corpus import FOLDER, needs_corpus

EXTERNAL, INTERNAL, WEAK_ODR, EXTERN_WEAK = 0, 3, 17, 7


def summaries(bits: Bits) -> list[ModuleSummary]:
    return summarize(bitstream.loads(bits.stream()))


def named(bits: Bits, names: bytes) -> Bits:
    """Add a string table."""
    return bits.enter_block(23).define(1, "blob").abbreviated(4, [1, "blob"], [1], names).end_block()


def test_a_module_of_today_has_its_names_in_a_string_table() -> None:
    bits = Bits().enter_block(13).unabbreviated(1, b"LLVM22.1.8").unabbreviated(2, [0]).end_block()
    bits.enter_block(8).unabbreviated(1, [2]).unabbreviated(2, b"x86_64").unabbreviated(3, b"e-m:e").unabbreviated(
        16, b"a.c"
    )
    bits.unabbreviated(7, [0, 1, 5, 0, 9, INTERNAL])  # GLOBALVAR: name, type, constant, initializer, linkage
    bits.unabbreviated(
        8, [1, 2, 5, 0, 1, EXTERN_WEAK]
    )  # FUNCTION: name, type, calling convention, declaration, linkage
    bits.unabbreviated(8, [3, 3, 5, 0, 0, WEAK_ODR])
    bits.unabbreviated(14, [6, 1, 5, 0, 2, EXTERNAL])  # ALIAS: name, type, address space, aliasee, linkage
    bits.unabbreviated(18, [7, 4, 5, 0, 2, EXTERNAL]).end_block()  # IFUNC
    assert summaries(named(bits, b"vfngggailan")) == [
        ModuleSummary(
            producer="LLVM22.1.8",
            epoch=0,
            version=2,
            triple="x86_64",
            data_layout="e-m:e",
            source_filename="a.c",
            symbols=[
                Symbol("v", "variable", "internal", is_definition=True),
                Symbol("fn", "function", "extern_weak", is_definition=False),
                Symbol("ggg", "function", "weak_odr", is_definition=True),
                Symbol("a", "alias", "external", is_definition=True),
                Symbol("ilan", "ifunc", "external", is_definition=True),
            ],
        )
    ]


def test_an_old_module_has_its_names_in_a_symbol_table_and_no_producer() -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [0]).unabbreviated(2, b"i386")
    bits.unabbreviated(7, [5, 0, 0, EXTERNAL])  # GLOBALVAR: type, constant, initializer, linkage
    bits.unabbreviated(8, [5, 0, 0, INTERNAL])  # FUNCTION: type, calling convention, declaration, linkage
    bits.unabbreviated(9, [5, 1, EXTERNAL, 0])  # ALIAS_OLD: type, aliasee, linkage
    bits.enter_block(14).unabbreviated(1, [2, *b"alias"]).unabbreviated(1, [0, *b"var"])  # ENTRY: value id, name
    bits.unabbreviated(3, [1, 77, *b"fn"])  # FNENTRY: value id, offset, name
    bits.end_block().end_block()
    (module,) = summaries(bits)
    assert (module.producer, module.epoch, module.version, module.triple) == (None, None, 0, "i386")
    assert (module.data_layout, module.source_filename) == (None, None)
    assert module.symbols == [
        Symbol("var", "variable", "external", is_definition=False),
        Symbol("fn", "function", "internal", is_definition=True),
        Symbol("alias", "alias", "external", is_definition=True),
    ]


def test_symbol_tables_of_functions_name_no_globals() -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [1]).unabbreviated(8, [5, 0, 0, EXTERNAL])
    bits.enter_block(12).enter_block(14).unabbreviated(1, [0, *b"argument"]).end_block().end_block()
    bits.enter_block(14).unabbreviated(1, [0, *b"fn"]).end_block().end_block()
    (module,) = summaries(bits)
    assert [symbol.name for symbol in module.symbols] == ["fn"]


def test_each_module_has_its_own_producer_and_names() -> None:
    bits = Bits()
    for producer, names in ((b"LLVM14.0.6", b"one"), (None, b"two")):
        if producer:
            bits.enter_block(13).unabbreviated(1, producer).unabbreviated(2, [0]).end_block()
        bits.enter_block(8).unabbreviated(1, [2]).unabbreviated(8, [0, 3, 5, 0, 0, EXTERNAL]).end_block()
        named(bits, names)
    first, second = summaries(bits)
    assert (first.producer, [symbol.name for symbol in first.symbols]) == ("LLVM14.0.6", ["one"])
    assert (second.producer, [symbol.name for symbol in second.symbols]) == (None, ["two"])


def test_modules_may_share_a_string_table() -> None:
    bits = Bits()
    for offset in (0, 3):
        bits.enter_block(8).unabbreviated(1, [2]).unabbreviated(8, [offset, 3, 5, 0, 0, EXTERNAL]).end_block()
    modules = summaries(named(bits, b"onetwo"))
    assert [symbol.name for module in modules for symbol in module.symbols] == ["one", "two"]


@pytest.mark.parametrize("operands", [[], [0], [0, 3], [0, 3, 5, 0, 0]])
def test_a_global_of_too_few_operands_is_passed_over(operands: list[int]) -> None:
    bits = (
        Bits()
        .enter_block(8)
        .unabbreviated(1, [2])
        .unabbreviated(8, operands)
        .unabbreviated(8, [0, 2, 5, 0, 0, 0])
        .end_block()
    )
    (module,) = summaries(named(bits, b"fn"))
    assert [symbol.name for symbol in module.symbols] == ["fn"]


@pytest.mark.parametrize(("offset", "size"), [(2**64 - 1, 2**64 - 1), (1, 2**63), (100, 100), (0, 0)])
def test_a_name_beyond_the_string_table_is_no_crash(offset: int, size: int) -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2]).unabbreviated(8, [offset, size, 5, 0, 0, 0]).end_block()
    (module,) = summaries(named(bits, b"fn"))
    assert [symbol.name for symbol in module.symbols] in ([""], ["n"])


def test_bodies_are_not_looked_into() -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2]).enter_block(12)
    for _ in range(10):
        bits.fixed(0xFFFF_FFFF, 32)  # no record could be read here
    bits.end_block().unabbreviated(2, b"after").end_block()
    (module,) = summaries(bits)
    assert module.triple == "after"


def test_a_malformed_module_is_refused_with_its_place() -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2])
    place = bits.size
    with pytest.raises(BitstreamError) as caught:
        summaries(bits.id(5))
    assert (caught.value.bit_offset, caught.value.block_path) == (place, (8,))


@pytest.mark.parametrize(
    ("name", "linkage", "is_intrinsic", "is_local"),
    [
        ("main", "external", False, False),
        ("llvm.memcpy", "external", True, False),
        ("a", "private", False, True),
        ("a", "internal", False, True),
        ("a", "linkonce_odr", False, False),
    ],
)
def test_symbols_tell_what_they_are(name: str, linkage: str, is_intrinsic: bool, is_local: bool) -> None:
    symbol = Symbol(name, "function", linkage, is_definition=True)
    assert (symbol.is_intrinsic, symbol.is_local) == (is_intrinsic, is_local)


def test_linkages_are_those_of_llvm() -> None:
    today = {
        0: "external",
        2: "appending",
        3: "internal",
        7: "extern_weak",
        8: "common",
        9: "private",
        12: "available_externally",
        16: "weak",
        17: "weak_odr",
        18: "linkonce",
        19: "linkonce_odr",
    }
    formerly = {
        1: "weak",
        4: "linkonce",
        5: "external",
        6: "external",
        10: "weak_odr",
        11: "linkonce_odr",
        13: "private",
        14: "private",
        15: "external",
    }
    assert {code: linkage_name(code) for code in range(20)} == today | formerly
    assert linkage_name(20) == linkage_name(2**64 - 1) == "external"


@needs_corpus
@pytest.mark.parametrize(
    ("path", "producer", "version", "count"),
    [
        ("legacy/aggregateInstructions.3.2.ll.bc", None, 1, 2),
        ("legacy/compatibility-3.6.ll.bc", None, 1, 229),
        ("legacy/compatibility-4.0.ll.bc", "LLVM4.0.0", 1, 314),
        ("modules/structs-O0g-14.bc", "LLVM14.0.6", 2, 25),
        ("modules/structs-O0g-22.bc", "LLVM22.1.8", 2, 25),
    ],
)
def test_files_of_many_years(path: str, producer: str | None, version: int, count: int) -> None:
    (module,) = summarize(bitstream.open(FOLDER / path))
    assert (module.producer, module.version, len(module.symbols)) == (producer, version, count)
    assert all(symbol.name for symbol in module.symbols)
