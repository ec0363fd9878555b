"""Bodies and functions: their order pairs them, and so does the symbol table.  LLVM 22 follows the table.

No writer gives other pairs by the one than by the other.  Such files are refused before any body is used.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcode import streams as s
from bitcode.streams import record
from bitcodec import BitcodecError, bitcode, bitstream, pcsections, transforms
from bitcodec.bitcode.editing.flag_changes import replace_flags
from bitcodec.bitcode.offsets import relocated
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode, ModuleCode
from bitcodec.verifier import verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir import Module

pytestmark = pytest.mark.usefixtures("proved")

I32, FUNCTION = 1, 2
FUNCTIONS = 4
"""Each returns the constant that is its number and 10."""


def file_of(pairs: dict[int, int], version: int = 2) -> bytes:
    """Return a module of functions.

    Args:
        pairs: functions that have other bodies by the symbol table than by order, and which.
        version: of the module.
    """
    names = "fghi"
    defined = s.function(FUNCTION, is_declaration=0)
    functions = [
        defined._replace(operands=(number, 1, *defined.operands)) if version == 2 else defined
        for number in range(FUNCTIONS)
    ]
    value = s.constant_integer
    bodies = [
        s.function_block(s.constants(s.set_type(I32), value(number + 10)), s.ret(1)) for number in range(FUNCTIONS)
    ]
    numbers = s.constants(s.set_type(I32), value(1), value(8))
    flag = [
        record(MetadataCode.STRING_OLD, "wchar_size"),
        *(record(MetadataCode.VALUE, I32, FUNCTIONS + number) for number in range(2)),
        record(MetadataCode.NODE, 2, 1, 3),
        record(MetadataCode.NAME, "llvm.module.flags"),
        record(MetadataCode.NAMED_NODE, 3),
    ]
    entries = [record(3, number, 0, "" if version == 2 else names[number : number + 1]) for number in range(FUNCTIONS)]
    content = s.module(
        s.types(s.VOID, s.integer(32), s.function_type(I32)),
        record(ModuleCode.TRIPLE, "x86_64"),
        *functions,
        record(ModuleCode.VSTOFFSET, 0),
        numbers,
        s.metadata(*flag),
        *bodies,
        s.block(BlockId.VALUE_SYMTAB_BLOCK, *entries),
        version=version,
    )
    data = relocated(s.stream(s.identification(), content, *([s.strtab(names)] if version == 2 else [])))
    return with_pairs(data, pairs)


def with_pairs(data: bytes, pairs: dict[int, int]) -> bytes:
    draft = bitstream.loads(data).edit()
    (table,) = (block for block in draft.block(BlockId.MODULE_BLOCK).blocks if block.id == BlockId.VALUE_SYMTAB_BLOCK)
    offsets = {entry.operands[0]: entry.operands[1] for entry in table.records}
    for entry in table.records:
        number, _, *name = entry.operands
        entry.operands = (number, offsets[pairs.get(number, number)], *name)
    return draft.dumps()


OTHER_PAIRS = [{1: 2, 2: 1}, {1: 0}, {0: 1, 1: 0}, {3: 1}, {1: 2, 2: 3, 3: 1}]
SAME_PAIRS: list[dict[int, int]] = [{}, {0: 1}, {0: 3}]
"""LLVM 22 takes the first body for that of the first function, whatever the symbol table states."""


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("pairs", OTHER_PAIRS + SAME_PAIRS, ids=str)
def test_llvm_follows_the_symbol_table(pairs: dict[int, int], version: int) -> None:
    text, ordered = (s.llvm_dis(file_of(each, version)) for each in (pairs, {}))
    assert (text == ordered) is (pairs in SAME_PAIRS)


# What uses bodies


def text_of_one(module: Module) -> None:
    str(module.functions["h"])


def text(module: Module) -> None:
    str(module)


def all_checked(module: Module) -> None:
    list(verify(module))


def copied(module: Module) -> bytes:
    return bitcodec.dumps(module)


def written(module: Module) -> bytes:
    return bitcodec.dumps(module, copies_unchanged=False)


def with_triple(module: Module) -> bytes:
    module.target_triple = "x86_64-unknown-linux-gnu"
    return bitcodec.dumps(module)


def without_flag(module: Module) -> bytes:
    module.flags.remove("wchar_size")
    return bitcodec.dumps(module)


def renamed(module: Module) -> bytes:
    module.functions["i"].name = "other"
    return bitcodec.dumps(module)


def attached(module: Module) -> bytes:
    pcsections.attach(module, "h", [pcsections.PCSection.of("hot")])
    return bitcodec.dumps(module)


def extracted(module: Module) -> bytes:
    transforms.extract_functions(module, ["h"])
    return bitcodec.dumps(module)


USES = [text_of_one, text, all_checked, copied, written, with_triple, without_flag, renamed, attached, extracted]


@functools.cache
def bodies_of(data: bytes) -> dict[str, str]:
    """Return the constant that each function returns, by a name that no use of the file changes."""
    functions = (function for function in bitcodec.loads(data).functions if not function.is_declaration)
    return {
        function.name.replace("other", "i"): str(function.blocks[0].instructions[-1].operands[0])
        for function in functions
    }


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__)
def test_bodies_that_order_and_symbol_table_pair_otherwise_are_refused(
    use: Callable[[Module], bytes | None], version: int
) -> None:
    for pairs in OTHER_PAIRS:
        module = bitcodec.loads(file_of(pairs, version))
        with pytest.raises(BitcodecError, match=r"the body of value \d does not begin at word \d+"):
            use(module)


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__)
def test_what_the_symbol_table_states_of_the_first_body_does_not_matter(
    use: Callable[[Module], bytes | None], version: int
) -> None:
    for pairs in SAME_PAIRS:
        data = use(bitcodec.loads(file_of(pairs, version)))
        expected = bodies_of(file_of({}))
        assert data is None or bodies_of(data).items() <= expected.items()


def with_changed_flags(data: bytes) -> bytes | None:
    module = bitcodec.loads(data)
    module.flags.remove("wchar_size")
    return replace_flags(module, bitstream.loads(data))


def with_changed_draft(data: bytes) -> bytes:
    draft = bitstream.loads(data).edit()
    draft.block(BlockId.MODULE_BLOCK).record(ModuleCode.TRIPLE).text = "x86_64-unknown-linux-gnu"
    return bitcode.dumps(draft)


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("change", [with_changed_flags, with_changed_draft])
def test_drafts_do_not_pair_bodies_otherwise(change: Callable[[bytes], bytes | None], version: int) -> None:
    for pairs in OTHER_PAIRS:
        with pytest.raises(BitcodecError, match=r"the body of value \d does not begin at word \d+"):
            change(file_of(pairs, version))
    for pairs in SAME_PAIRS:
        data = change(file_of(pairs, version))
        assert data is not None
        assert bodies_of(data) == bodies_of(file_of({}))


def test_an_offset_of_no_body_is_corrected_in_a_draft() -> None:
    draft = bitstream.loads(file_of({})).edit()
    (table,) = (block for block in draft.block(BlockId.MODULE_BLOCK).blocks if block.id == BlockId.VALUE_SYMTAB_BLOCK)
    for entry in table.records:
        entry.operands = (entry.operands[0], 0)
    assert bitcode.dumps(bitstream.loads(draft.dumps()).edit()) == file_of({})
