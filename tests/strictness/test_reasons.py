"""Reasons for differences, each proved with a small module; recorded with LLVM 22.1.8."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcode import streams as s
from bitcode.streams import block, module, record, stream
from bitcodec import BitcodecError, EncodingError

I32, POINTER, VOID, STRUCT, ACTION, TAKES_STRUCT = range(6)
TYPES = s.types(
    s.integer(32),
    s.opaque_pointer(),
    s.VOID,
    record(18, 0, I32),
    s.function_type(VOID),
    s.function_type(VOID, STRUCT),
)
DEFINED = s.function(ACTION, is_declaration=0)
EXPLICIT_TYPE = 2
BLOCK_ADDRESS, NO_CFI = 21, 29


def verified(data: bytes, folder: Path) -> list[str]:
    """Return what LLVM's verifier prints about a module."""
    path = folder / "module.bc"
    path.write_bytes(data)
    return ask(["opt-22", "-passes=verify", "-disable-output", path], text=True).stderr.splitlines()


def refuse(data: bytes, reason: str) -> None:
    with pytest.raises(BitcodecError, match=reason):
        bitcodec.loads(data).materialize()


def test_pointers_into_address_spaces_beyond_24_bits_are_printed_alike_but_differ(tmp_path: Path) -> None:
    function = s.function(ACTION)
    distant = function._replace(operands=(*function.operands, *[0] * 8, 1 << 26))
    variable = s.variable(POINTER, is_constant=EXPLICIT_TYPE, initializer=1)
    data = stream(module(TYPES, distant, variable))
    assert verified(data, tmp_path)[:2] == [
        "Global variable initializer type does not match global variable type!",
        "ptr @0",
    ]
    refuse(data, "address space 67108864 is larger")


@pytest.mark.parametrize("constant", [record(BLOCK_ADDRESS, ACTION, 1, 1), record(NO_CFI, ACTION, 1)])
def test_addresses_are_pointers_whatever_type_is_stated(constant: s.Record, tmp_path: Path) -> None:
    constants = s.constants(s.set_type(STRUCT), constant)
    body = s.function_block(constants, s.call(TAKES_STRUCT, 2 - 0, 1), s.RET_VOID, s.RET_VOID, blocks=2)
    data = stream(module(TYPES, s.function(TAKES_STRUCT), DEFINED, body))
    assert verified(data, tmp_path)[0] == "Call parameter type does not match function signature!"
    refuse(data, r"a constant of type ptr where \{ i32 \} is stated")


def test_types_of_pointers_to_globals_have_numbers_behind_those_of_the_file() -> None:
    def typed(number: int) -> bytes:
        variables = (s.variable(type_id, is_constant=EXPLICIT_TYPE) for type_id in (I32, number))
        return stream(module(TYPES, *variables))

    first = len(TYPES.items) - 1
    assert s.llvm_dis(typed(first)).splitlines()[-1] == "@1 = external global ptr"
    assert s.llvm_dis_error(typed(first + 1)).endswith("Invalid record")
    for number in (first, first + 1):
        refuse(typed(number), f"type {number} does not exist")


def test_a_text_of_an_attribute_with_a_zero_is_written_so_that_llvm_cannot_read_it(tmp_path: Path) -> None:
    zero = 256
    group = block(10, record(3, 1, s.FUNCTION_INDEX, 4, "a", 0, "b", zero, "c", 0))
    data = stream(module(group, block(9, record(2, 1)), TYPES, s.function(ACTION, attributes=1)))
    text = s.llvm_dis(data)
    assert text.splitlines()[-1] == 'attributes #0 = { "a"="b\\00c" }'
    path = tmp_path / "module.ll"
    path.write_text(text.partition("\n\n")[2])
    written = tmp_path / "written.bc"
    ask(["llvm-as-22", path, "-o", written], check=True)
    assert "Invalid attribute group entry" in s.llvm_dis_error(written.read_bytes())
    with pytest.raises(EncodingError, match="a zero ends texts of attributes"):
        bitcodec.dumps(bitcodec.loads(data), copies_unchanged=False)


def test_a_list_of_old_constructors_is_made_of_the_operands_of_its_initializer() -> None:
    types = s.types(s.integer(32), s.opaque_pointer(), record(18, 0, 0, 1), record(11, 7, 2))
    constructors = s.variable(3, is_constant=EXPLICIT_TYPE, initializer=2, linkage=2)
    names = s.value_symtab({0: "llvm.global_ctors"})
    data = stream(module(types, constructors, s.constants(s.set_type(0), s.NULL), names))
    assert (
        s.llvm_dis(data).splitlines()[-1]
        == "@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer"
    )
    refuse(data, r"@llvm.global_ctors holds a \[7 x \{ i32, ptr \}\], not a i32")
