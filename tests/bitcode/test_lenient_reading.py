"""Records that LLVM 22 reads, or skips, though they make little sense, against recorded answers of its tools."""

from __future__ import annotations

from itertools import dropwhile
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec import BitcodecError
from bitcodec.asm import module_text
from bitcodec.bitcode.offsets import relocated
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.doctor import diagnose
from bitcodec.verifier import verify

from . import streams as s
from .streams import block, module, record, stream

I32, VOID, POINTER, VECTOR, FLOAT, ACTION, INTERRUPT, NUMBERED = range(8)
TYPES = s.types(
    s.integer(32),
    s.VOID,
    s.opaque_pointer(),
    record(12, 2, I32),
    s.FLOAT,
    s.function_type(VOID, POINTER),
    s.function_type(VOID, POINTER, I32),
    s.function_type(VOID, I32),
)
CONSTANTS = s.constants(s.set_type(I32), s.NULL, s.set_type(VECTOR), s.NULL, s.set_type(FLOAT), s.NULL)
DEFINED = s.function(ACTION, is_declaration=0)
BEHIND, FLOAT_BACK, VECTOR_BACK, I32_BACK = 0, 2, 3, 4
"""Relative numbers of values in the first instruction: the value defined next, and the constants."""
X86_INTRCC = 83
OPERANDS_OF_LLVM_23 = 12


def body(*items: s.Item) -> bytes:
    return stream(module(TYPES, DEFINED, CONSTANTS, s.function_block(*items, s.RET_VOID)))


def llvms_lines(data: bytes, folder: Path) -> list[str]:
    """Return the text that LLVM prints, without the lines that name the file; its message if it refuses it."""
    path = folder / "module.bc"
    path.write_bytes(data)
    done = ask(["llvm-dis-22", path, "-o", "-"], text=True)
    return meaning(done.stdout) if done.returncode == 0 else [done.stderr.rpartition("error: ")[2].rstrip()]


def our_lines(data: bytes) -> list[str]:
    return meaning("".join(module_text(bitcodec.loads(data))))


def meaning(text: str) -> list[str]:
    return [*dropwhile(lambda line: line.startswith(("; ModuleID", "source_filename")) or not line, text.splitlines())]


@pytest.mark.parametrize(
    "instruction",
    [
        record(FunctionCode.INST_STORE_OLD, 1, I32_BACK, 3, 0),
        record(FunctionCode.INST_STOREATOMIC_OLD, 1, FLOAT_BACK, 3, 0, 2, 1),
        record(FunctionCode.INST_CMPXCHG_OLD, 1, I32_BACK, I32_BACK, 0, 2, 1, 2, 0),
        record(FunctionCode.INST_ATOMICRMW_OLD, 1, I32_BACK, 1, 0, 2, 1),
    ],
    ids=lambda row: FunctionCode(row.code).name,
)
def test_a_value_stored_through_an_opaque_pointer_is_known_by_its_number(instruction: s.Record, tmp_path: Path) -> None:
    data = body(instruction)
    assert our_lines(data) == llvms_lines(data, tmp_path)


def test_the_type_of_a_value_that_follows_is_not_known(tmp_path: Path) -> None:
    data = body(record(FunctionCode.INST_STORE_OLD, 1, BEHIND, 3, 0))
    assert llvms_lines(data, tmp_path) == ["Invalid record"]
    with pytest.raises(BitcodecError, match="INST_STORE_OLD record: the type that the pointer points to is unknown"):
        our_lines(data)


@pytest.mark.parametrize(
    ("instruction", "message"),
    [
        (record(FunctionCode.INST_EXTRACTELT, VECTOR_BACK, FLOAT_BACK), "Invalid extractelement operands!"),
        (record(FunctionCode.INST_INSERTELT, VECTOR_BACK, I32_BACK, VECTOR_BACK), "Invalid insertelement operands!"),
    ],
    ids=["extractelement", "insertelement"],
)
def test_the_verifier_looks_at_the_type_of_an_index(instruction: s.Record, message: str, tmp_path: Path) -> None:
    path = tmp_path / "module.bc"
    path.write_bytes(data := body(instruction))
    found = ask(["opt-22", "-passes=verify", "-disable-output", path], text=True)
    assert found.stderr.splitlines()[0].endswith(message)
    assert [finding.message for finding in verify(bitcodec.loads(data))] == [message]


@pytest.mark.parametrize("type_id", [ACTION, INTERRUPT, NUMBERED])
def test_the_first_parameter_of_an_interrupt_is_byval(type_id: int, tmp_path: Path) -> None:
    data = stream(module(TYPES, s.function(type_id, calling_convention=X86_INTRCC)))
    assert llvms_lines(data, tmp_path) == ["Missing param element type for x86_intrcc upgrade"]
    with pytest.raises(BitcodecError, match="parameter 0 of an x86_intrcc function is not byval"):
        our_lines(data)


def test_labels_are_no_parameters(tmp_path: Path) -> None:
    label = record(5)
    data = stream(module(s.types(s.VOID, label, s.function_type(0, 1)), s.function(2)))
    assert llvms_lines(data, tmp_path) == ["Invalid function argument type"]
    with pytest.raises(BitcodecError, match="FUNCTION record: a label cannot be a parameter"):
        our_lines(data)


def test_blocks_are_declared_before_they_are_named(tmp_path: Path) -> None:
    names = s.value_symtab({}, {0: "entry"})
    early = stream(module(TYPES, DEFINED, block(12, names, record(1, 1), s.RET_VOID)))
    assert llvms_lines(early, tmp_path) == ["Invalid bbentry record"]
    with pytest.raises(BitcodecError, match="BBENTRY record: the record precedes the blocks of the body"):
        our_lines(early)
    late = stream(module(TYPES, DEFINED, block(12, record(1, 1), names, s.RET_VOID)))
    assert our_lines(late) == llvms_lines(late, tmp_path)


def test_types_of_all_indices_exist(tmp_path: Path) -> None:
    def indexed(type_id: int) -> bytes:
        address = record(20, I32, POINTER, 0, type_id, 1)
        variable = record(7, I32, 2, 0, 0, 0, 0)
        constants = s.constants(s.set_type(I32), s.NULL, s.set_type(POINTER), address)
        return stream(module(TYPES, variable, constants))

    assert our_lines(indexed(I32)) == llvms_lines(indexed(I32), tmp_path)
    assert llvms_lines(indexed(98), tmp_path) == ["Invalid getelementptr constexpr record"]
    with pytest.raises(BitcodecError, match="CE_INBOUNDS_GEP record: type 98 does not exist"):
        bitcodec.loads(indexed(98)).materialize()


def between_bodies(*blocks: s.Block) -> bytes:
    """Return a module of three functions: the blocks are in front of their bodies."""
    named = [DEFINED._replace(operands=(number, 1, *DEFINED.operands)) for number in range(3)]
    inner = s.function_block(s.RET_VOID)
    table = block(14, *(record(3, number, 0) for number in range(3)))
    bodies = [item for each in blocks for item in (each, inner)]
    items = (TYPES, *named, record(13, 0), *bodies, table)
    return relocated(stream(module(*items, version=2), s.strtab("fgh")))


def test_metadata_between_bodies_is_not_read(tmp_path: Path) -> None:
    data = between_bodies(*(s.metadata(record(3), record(4, name), record(10, at)) for at, name in enumerate("xyz")))
    assert our_lines(data) == llvms_lines(data, tmp_path)
    assert [*bitcodec.loads(data).named_metadata] == ["x"]


@pytest.mark.parametrize(
    "skipped",
    [
        block(26, record(1, "one")),
        block(21, record(1, "deopt")),
        block(10, record(3, 1, s.FUNCTION_INDEX, 0, 18)),
        block(17, record(1, 7)),
        s.constants(s.set_type(99)),
        block(22, record(6, 0, "dbg")),
    ],
    ids=["scopes", "bundles", "attributes", "types", "constants", "kinds"],
)
def test_no_block_between_bodies_is_read(skipped: s.Block, tmp_path: Path) -> None:
    data = between_bodies(block(26, record(1, "one")), skipped, skipped)
    assert our_lines(data) == llvms_lines(data, tmp_path)


@pytest.mark.parametrize("operands", [(), (7,), (7, 5), (7, 0, 0)])
def test_a_typed_pointer_of_more_operands_is_in_the_first_address_space(
    operands: tuple[int, ...], tmp_path: Path
) -> None:
    pointer, action = 1, 2
    types = s.types(s.integer(32), s.pointer(I32, *operands), s.function_type(I32, pointer))
    data = stream(module(types, s.function(action)))
    assert our_lines(data) == llvms_lines(data, tmp_path)


@pytest.mark.parametrize("places", [(0, 1), (1, 0), (1 << 57, 1), (1 << 57 | 1, 0), (3 << 32 | 7, 1 << 40 | 5)])
def test_places_of_uses_have_32_bits(places: tuple[int, ...], tmp_path: Path) -> None:
    uses_of_block = 2
    data = stream(
        module(
            TYPES,
            DEFINED,
            CONSTANTS,
            s.function_block(s.branch(1), s.branch(1), block(18, record(uses_of_block, *places, 1)), blocks=2),
        )
    )
    assert our_lines(data) == llvms_lines(data, tmp_path)


def test_a_dropped_list_of_units_consists_of_nodes(tmp_path: Path) -> None:
    def listing(*listed: s.Record) -> bytes:
        nodes = s.metadata(*listed, record(4, "llvm.dbg.cu"), record(10, 0))
        return stream(module(TYPES, DEFINED, CONSTANTS, nodes, s.function_block(s.RET_VOID)))

    node, value = listing(record(3)), listing(record(2, I32, 1))
    assert our_lines(node) == llvms_lines(node, tmp_path)
    assert llvms_lines(value, tmp_path) == ["Invalid named metadata: expect fwd ref to MDNode"]
    with pytest.raises(BitcodecError, match="NAMED_NODE record: metadata id 0 is not a node"):
        our_lines(value)


@pytest.mark.parametrize("count", range(5, 14))
def test_a_basic_type_has_as_many_operands_as_a_version_writes(count: int, tmp_path: Path) -> None:
    base_type, signed = 0x24, 5
    operands = (0, base_type, 0, 32, 0, signed, *[0] * 8)[:count]
    nodes = s.metadata(record(15, *operands), record(4, "list"), record(10, 0))
    data = stream(module(TYPES, nodes))
    theirs = llvms_lines(data, tmp_path)
    (verdict,) = diagnose(data, [22])[0].verdicts
    assert verdict.reads == (theirs != ["Invalid record"])
    if count == OPERANDS_OF_LLVM_23:
        assert our_lines(data)[-1] == "!0 = !DIBasicType(size: 32, encoding: DW_ATE_signed)"
    elif theirs == ["Invalid record"]:
        with pytest.raises(BitcodecError, match="BASIC_TYPE record: has"):
            our_lines(data)
    else:
        assert our_lines(data) == theirs


@pytest.mark.parametrize("count", [6, 7, 8])
def test_the_value_of_the_oldest_exchange_is_used_before_it(count: int, tmp_path: Path) -> None:
    """A loop that tries again with what was in memory, as LLVM 3.4 wrote it; records of 8 operands give a pair."""
    pointer, action = 2, 3
    types = s.types(s.integer(32), s.VOID, s.pointer(I32), s.function_type(VOID, pointer))
    argument, seven, phi = 1, 2, 3
    exchange = (phi + 1 - argument, 1, phi + 1 - seven, 0, 6, 1, 2, 0)[:count]
    body = s.function_block(
        s.constants(s.set_type(I32), s.constant_integer(7)),
        s.branch(1),
        s.phi(I32, (s.signed(1), 0), (s.signed(-1), 1)),
        record(FunctionCode.INST_CMPXCHG_OLD, *exchange),
        s.branch(1),
        blocks=2,
    )
    data = stream(module(types, s.function(action, is_declaration=0), body))
    theirs = llvms_lines(data, tmp_path)
    if theirs == ["Assigned value does not match type of forward declaration"]:
        with pytest.raises(BitcodecError, match=r"a forward reference expected type i32, but the value has type \{"):
            our_lines(data)
    else:
        assert our_lines(data) == theirs


@pytest.mark.parametrize("scalar", [I32, 1, 2, 3, 4], ids=["i32", "float", "i1", "i64", "ptr"])
@pytest.mark.parametrize("mask", [s.NULL, record(3), record(26)], ids=["zero", "undef", "poison"])
def test_a_mask_of_equal_elements_is_a_vector_of_any_type(scalar: int, mask: s.Record, tmp_path: Path) -> None:
    vector, mask_type, action = 5, 6, 7
    types = s.types(
        s.integer(32),
        s.FLOAT,
        s.integer(1),
        s.integer(64),
        s.opaque_pointer(),
        record(12, 4, I32),
        record(12, 2, scalar),
        s.function_type(vector, vector),
    )
    data = shuffling(types, action, s.set_type(mask_type), mask)
    assert our_lines(data) == llvms_lines(data, tmp_path)


@pytest.mark.parametrize(
    ("width", "numbers"), [(8, (7, 3)), (16, (1, 0)), (64, (5, 2)), (64, (1 << 32 | 5, (1 << 32) - 1))]
)
def test_32_bits_of_the_integers_of_a_mask_count(width: int, numbers: tuple[int, ...], tmp_path: Path) -> None:
    integer, vector, mask_type, action = 1, 2, 3, 4
    types = s.types(
        s.integer(32), s.integer(width), record(12, 4, I32), record(12, 2, integer), s.function_type(vector, vector)
    )
    data = shuffling(types, action, s.set_type(mask_type), record(22, *numbers))
    assert our_lines(data) == llvms_lines(data, tmp_path)


def shuffling(types: s.Block, action: int, *mask: s.Record) -> bytes:
    """Return a module that shuffles the elements of an argument by a mask."""
    body = s.function_block(s.constants(*mask), record(8, 2, 2, 1), s.UNREACHABLE)
    return stream(module(types, s.function(action, is_declaration=0), body))
