"""What is deep, long or many: printed in time and memory that go with its size, or refused in one line."""

from __future__ import annotations

from typing import Any

import pytest

import bitcodec
from bitcodec import ir
from bitcodec.asm import print_assembly
from bitcodec.errors import BitcodecError
from bitcodec.ir.metadata import MDTuple, NamedMetadata
from bitcodec.ir.module import Module

DEEP = 20_000


@pytest.fixture
def module() -> Module:
    return Module("m", ir.DataLayout(""))


def with_variable(module: Module, initializer: ir.Constant) -> Module:
    variable = ir.GlobalVariable(module.context.types.pointer(), initializer.type)
    variable.name = "v"
    module.append(variable)
    variable.initializer = initializer
    return module


def test_deep_constants(module: Module) -> None:
    types, constants = module.context.types, module.context.constants
    function = ir.Function(types.pointer(), types.function(types.void, ()))
    function.name = "f"
    module.append(function)
    value: ir.Constant = constants.cast("ptrtoint", function, types.integer(64))
    for number in range(DEEP):
        other = constants.integer(types.integer(64), number + 1)
        value = constants.binary("add" if number % 2 else "xor", value, other)
    text = print_assembly(with_variable(module, value))
    assert text.count("(i64 ") == DEEP
    assert "ptrtoint (ptr @f to i64)" in text


def test_constants_that_say_more_than_memory_holds(module: Module) -> None:
    types, constants = module.context.types, module.context.constants
    value: ir.Constant = constants.integer(types.integer(32), 1)
    null = constants.null(types.pointer())
    for _ in range(60):
        literal = types.struct([value.type, types.pointer(), value.type])
        value = constants.aggregate(literal, [value, null, value])
    with pytest.raises(BitcodecError, match="more than"):
        print_assembly(with_variable(module, value))


def test_long_integers(module: Module) -> None:
    types, constants = module.context.types, module.context.constants
    width = 200_000
    value = -(3 << width - 3) + 12345
    text = print_assembly(with_variable(module, constants.integer(types.integer(width), value)))
    digits = text.split(f"i{width} ")[1].split("\n")[0]
    assert digits.startswith("-")
    high, low = divmod(-value, 10**4000)
    assert digits.endswith(f"{low:04000}")
    assert len(digits) == 1 + 4000 + len(decimal(high))


def decimal(number: int) -> str:
    """Return the digits of a number that Python may refuse to print as a whole."""
    digits = []
    while number:
        number, part = divmod(number, 10**4000)
        digits.append(f"{part:04000}")
    return "".join(reversed(digits)).lstrip("0")


def test_long_chains_of_metadata(module: Module) -> None:
    metadata = module.context.metadata
    node = metadata.tuple()
    for _ in range(DEEP):
        node = metadata.tuple([node])
    module.named_metadata["chain"] = NamedMetadata("chain", [node])
    lines = print_assembly(module).splitlines()
    assert lines[-1] == f"!{DEEP} = !{{}}"
    assert lines[-2] == f"!{DEEP - 1} = !{{!{DEEP}}}"


def test_circles_of_metadata(module: Module) -> None:
    metadata = module.context.metadata
    node = metadata.unique(MDTuple(is_distinct=True))
    node.set_operands([node, None])
    module.named_metadata["circle"] = NamedMetadata("circle", [node])
    assert print_assembly(module).endswith("\n!circle = !{!0}\n\n!0 = distinct !{!0, null}\n")


def test_names_that_are_no_text(module: Module) -> None:
    data = bytes(range(1, 256)).decode("utf-8", "surrogateescape")
    variable = ir.GlobalVariable(module.context.types.pointer(), module.context.types.integer(8))
    variable.name = data
    module.append(variable)
    text = str(bitcodec.print_assembly(module))
    escaped = "".join(
        chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else "\\\\" if byte == 0x5C else f"\\{byte:02X}"
        for byte in range(1, 256)
    )
    assert f'@"{escaped}" = external global i8\n' in text


def test_debug_records_that_refer_to_anything(module: Module) -> None:
    types, metadata = module.context.types, module.context.metadata
    function = ir.Function(types.pointer(), types.function(types.void, ()))
    function.name = "f"
    module.append(function)
    block = ir.BasicBlock(types.label)
    function.append_block(block)
    block.append(ir.Return(types.void))
    anything: Any = metadata.tuple([metadata.string("x")])
    record = ir.DbgVariableRecord(ir.DbgVariableKind.VALUE, anything, anything, anything, anything)
    block.terminator.debug_records.append(record)
    assert '\n    #dbg_value(!0, !0, !0, !0)\n  ret void\n}\n\n!0 = !{!"x"}\n' in print_assembly(module)
