"""More of LLVM's format document, as in `test_format_document`: constants, bodies of functions, names, metadata."""

from __future__ import annotations

import pytest

from parity.readers import READERS, Reader
from parity.views import BlockView, InstructionView, OperandView

from . import streams as s
from .streams import Item, Record, module, record, signed, stream, types

pytestmark = pytest.mark.parametrize("reader", READERS)


# CONSTANTS_BLOCK and FUNCTION_BLOCK

I32, VOID, ACTION, ACTION_POINTER, BINARY, BINARY_POINTER, I1, I64, I128 = range(9)
TYPES = types(
    s.integer(32),
    s.VOID,
    s.function_type(VOID),
    s.pointer(ACTION),
    s.function_type(I32, I32, I32),
    s.pointer(BINARY),
    s.integer(1),
    s.integer(64),
    s.integer(128),
)


def body(*items: Item, blocks: int = 1, version: int | None = 1) -> bytes:
    """Return a module of one function, `i32 (i32, i32)`: it is value 0, its parameters are 1 and 2."""
    function = s.function(BINARY_POINTER, is_declaration=0)
    return stream(
        module(TYPES, function, s.value_symtab({0: "f"}), s.function_block(*items, blocks=blocks), version=version)
    )


def blocks_of(reader: Reader, data: bytes) -> tuple[BlockView, ...]:
    (function,) = reader.view(data).functions
    return function.blocks


def argument(index: int) -> OperandView:
    return OperandView("argument", "", "i32", f"argument {index}")


def result(index: int, type_text: str = "i32") -> OperandView:
    return OperandView("instruction", "", type_text, f"instruction {index}")


def number(value: int, width: int = 32) -> OperandView:
    return OperandView("constant_int", "", f"i{width}", str(value % (1 << width)))


def to_block(index: int) -> OperandView:
    return OperandView("basic_block", "", "label", f"block {index}")


def instruction(opcode: str, type_text: str, *operands: OperandView) -> InstructionView:
    return InstructionView(opcode, type_text, "", "", operands)


ADD_AND_RETURN = (
    BlockView("", (instruction("add", "i32", argument(0), argument(1)), instruction("ret", "void", result(0)))),
)


def test_operands_of_version_1_count_back(reader: Reader) -> None:
    assert blocks_of(reader, body(s.binary(2, 1), s.ret(1))) == ADD_AND_RETURN


@pytest.mark.parametrize("version", [0, None])
def test_operands_of_version_0_are_numbers_of_values(reader: Reader, version: int | None) -> None:
    assert blocks_of(reader, body(s.binary(1, 2), s.ret(3), version=version)) == ADD_AND_RETURN


LOOP = (
    BlockView("", (instruction("br", "void", to_block(1)),)),
    BlockView(
        "",
        (
            instruction("phi", "i32", argument(0), result(2), to_block(0), to_block(1)),
            instruction("add", "i32", result(1), argument(1)),
            instruction("icmp", "i1", result(2), argument(0)),
            instruction("br", "void", result(3, "i1"), to_block(2), to_block(1)),
        ),
    ),
    BlockView("", (instruction("ret", "void", result(2)),)),
)
"""Instructions are counted through the function: the branch is 0, the phi 1."""


def test_phis_of_version_1_are_signed(reader: Reader) -> None:
    data = body(
        s.branch(1),
        s.phi(I32, (signed(2), 0), (signed(-1), 1)),
        s.binary(1, 2),
        s.compare(1, 4),
        s.conditional_branch(1, 1, 2),
        s.ret(2),
        blocks=3,
    )
    assert blocks_of(reader, data) == LOOP


def test_phis_of_version_0_are_not(reader: Reader) -> None:
    data = body(
        s.branch(1),
        s.phi(I32, (1, 0), (4, 1)),
        s.binary(3, 2),
        s.compare(4, 1),
        s.conditional_branch(5, 1, 2),
        s.ret(4),
        blocks=3,
        version=0,
    )
    assert blocks_of(reader, data) == LOOP


AHEAD = (
    BlockView("", (instruction("br", "void", to_block(2)),)),
    BlockView("", (instruction("add", "i32", result(3), argument(1)), instruction("ret", "void", result(1)))),
    BlockView("", (instruction("add", "i32", argument(0), argument(1)), instruction("br", "void", to_block(1)))),
)
"""The second block uses what the third one defines."""


@pytest.mark.parametrize("ahead", [0xFFFFFFFF, (1 << 64) - 1], ids=hex)
def test_forward_references_of_version_1_wrap_around(reader: Reader, ahead: int) -> None:
    add = record(2, ahead, I32, 1, s.ADD)
    data = body(s.branch(2), add, s.ret(1), s.binary(3, 2), s.branch(1), blocks=3)
    assert blocks_of(reader, data) == AHEAD


def test_forward_references_of_version_0_bring_their_type(reader: Reader) -> None:
    add = record(2, 4, I32, 2, s.ADD)
    data = body(s.branch(2), add, s.ret(3), s.binary(1, 2), s.branch(1), blocks=3, version=0)
    assert blocks_of(reader, data) == AHEAD


@pytest.mark.parametrize("ahead", [0, 0xFFFFFFFF, 0x80000000], ids=hex)
def test_forward_references_to_nothing_are_refused(reader: Reader, ahead: int) -> None:
    assert reader.refuses(body(s.ret(ahead, I32)))


def test_integers_are_signed(reader: Reader) -> None:
    constants = s.constants(
        s.set_type(I32),
        s.constant_integer(5),
        s.constant_integer(-5),
        record(4, 1 << 32),  # the least i32, its sign not told
        s.NULL,
    )
    data = body(constants, record(2, 4, 3, s.ADD), record(2, 3, 2, s.ADD), s.ret(1))
    assert [instruction.operands for instruction in blocks_of(reader, data)[0].instructions[:2]] == [
        (number(5), number(-5)),
        (number(-(1 << 31)), number(0)),
    ]


@pytest.mark.parametrize(
    ("type_id", "width", "constant", "value"),
    [
        (I64, 64, record(4, 1), -(1 << 63)),
        (I64, 64, record(4, (1 << 64) - 2), (1 << 63) - 1),
        (I64, 64, record(4, (1 << 64) - 1), -(1 << 63) + 1),
        (I1, 1, record(4, 3), 1),
        (I128, 128, record(5, signed(1), signed(-1)), (-1 << 64) + 1),
        (I128, 128, record(5, 1, signed(3)), (3 << 64) + (1 << 63)),
        (I128, 128, record(5, signed(7)), 7),
    ],
    ids=str,
)
def test_integers_at_the_ends(reader: Reader, type_id: int, width: int, constant: Record, value: int) -> None:
    """The sign of the least i64 stands alone; wide integers are words, the lowest first, each with its sign."""
    data = body(s.constants(s.set_type(type_id), constant), s.binary(1, 1), s.ret(3))
    assert blocks_of(reader, data)[0].instructions[0].operands == (number(value, width),) * 2


def test_constants_of_the_module_come_before_those_of_functions(reader: Reader) -> None:
    data = stream(
        module(
            TYPES,
            s.function(BINARY_POINTER, is_declaration=0),
            s.constants(s.set_type(I32), s.constant_integer(11)),
            s.function_block(
                s.constants(s.set_type(I32), s.constant_integer(22)), s.binary(1, 4), s.binary(2, 1), s.ret(1)
            ),
        )
    )
    first, second, _ = blocks_of(reader, data)[0].instructions
    assert first.operands == (number(22), number(11))
    assert second.operands == (number(22), result(0))


def test_a_block_need_not_end(reader: Reader) -> None:
    """Whether a body makes sense is for a verifier to say."""
    assert blocks_of(reader, body()) == (BlockView("", ()),)
    assert blocks_of(reader, body(s.binary(2, 1))) == (
        BlockView("", (instruction("add", "i32", argument(0), argument(1)),)),
    )


@pytest.mark.parametrize(
    "items",
    [
        [s.binary(2, 1000), s.ret(1)],
        [s.ret(1), s.ret(1)],
        [record(99)],
        [s.branch(1)],
        [s.binary(2, 1, 99), s.ret(1)],
        [record(2, 1), s.ret(1)],
    ],
    ids=str,
)
def test_bodies_that_make_no_function_are_refused(reader: Reader, items: list[Item]) -> None:
    assert reader.refuses(body(*items))


# VALUE_SYMTAB_BLOCK, METADATA_BLOCK and METADATA_ATTACHMENT


def test_names_of_values_and_blocks(reader: Reader) -> None:
    names = s.value_symtab({1: "left", 2: b"r\xc3\xa9".decode(), 3: "sum"}, {0: "entry"})
    (function,) = reader.view(body(s.binary(2, 1), s.ret(1), names)).functions
    assert [argument.name for argument in function.arguments] == ["left", "ré"]
    assert [(block.name, block.instructions[0].name) for block in function.blocks] == [("entry", "sum")]


def test_names_of_nothing_are_refused(reader: Reader) -> None:
    assert reader.refuses(body(s.binary(2, 1), s.ret(1), s.value_symtab({1000: "x"})))


def test_metadata_has_names_and_is_attached(reader: Reader) -> None:
    """Kinds are known by the names that the file gives their numbers."""
    nodes = s.metadata(
        record(6, 100, "my.kind"),
        record(1, "text"),  # !0
        record(3, 1),  # !1 = !{!0}
        record(4, "list"),
        record(10, 1, 1),
    )
    function = s.function(BINARY_POINTER, is_declaration=0)
    attached = s.metadata_attachments(record(11, 0, 100, 1))
    data = stream(
        module(TYPES, function, s.value_symtab({0: "f"}), nodes, s.function_block(s.binary(2, 1), s.ret(1), attached))
    )
    assert reader.named_metadata(data) == {"list": 2}
    assert reader.attachments(data) == ["my.kind"]
