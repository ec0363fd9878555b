"""Short ways to do frequent things."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir import CallBase, ConstantFP, ConstantInt, Linkage, Module, StringAttribute

EXAMPLES = Path(__file__).parents[2] / "examples"


def load() -> Module:
    return bitcodec.open(EXAMPLES / "hello.bc")


def test_a_module_is_saved_and_verified(tmp_path: Path) -> None:
    module = load()
    assert module.verify() == []
    module.save(tmp_path / "copy.bc")
    assert str(bitcodec.open(tmp_path / "copy.bc")).splitlines()[1:] == str(module).splitlines()[1:]
    assert bitcodec.dumps(module) == (tmp_path / "copy.bc").read_bytes()


def test_a_broken_module_is_not_sound() -> None:
    module = load()
    module.functions["main"].instructions[-1].erase_from_parent()
    assert [str(finding) for finding in module.verify()] == [str(finding) for finding in bitcodec.verify(module)] != []


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda module: pickle.loads(pickle.dumps(module))])
def test_a_copy_shares_nothing(duplicate) -> None:
    module = load()
    module.functions["main"].name = "entry"
    copied = duplicate(module)
    assert str(copied) == str(module)
    assert copied.identifier == module.identifier
    assert copied.context is not module.context
    copied.functions["entry"].linkage = "internal"
    assert module.functions["entry"].linkage is Linkage.EXTERNAL


def test_attributes_of_a_function() -> None:
    function = load().functions["main"]
    assert not function.has_attribute("noinline")
    function.add_attribute("noinline")
    function.add_attribute("frame-pointer", "all")
    assert function.has_attribute("noinline")
    assert function.attributes.for_function["frame-pointer"] == StringAttribute("frame-pointer", "all")
    function.remove_attribute("noinline")
    function.remove_attribute("noinline")
    assert not function.has_attribute("noinline")
    with pytest.raises(ValueError, match="nonsense"):
        function.add_attribute("nonsense")
    with pytest.raises(ValueError, match="not for a function"):
        function.add_attribute("noalias")
    assert bitcodec.verify(function.parent) == []  # type: ignore[arg-type]


def test_attributes_of_a_call() -> None:
    module = load()
    call = next(each for each in module.functions["main"].instructions if isinstance(each, CallBase))
    call.add_attribute("nomerge")
    assert call.has_attribute("nomerge")
    assert "nomerge" in str(module)
    call.remove_attribute("nomerge")
    assert not call.has_attribute("nomerge")


def test_strings() -> None:
    module = load()
    variable = module.add_string("größe", "text")
    assert str(variable) == r'@text = private unnamed_addr constant [8 x i8] c"gr\C3\B6\C3\9Fe\00", align 1'
    assert bytes(variable.initializer) == "größe\0".encode()
    assert bytes(module.add_string(b"").initializer) == b"\0"
    assert bitcodec.verify(module) == []
    types = module.context.types
    numbers = module.context.constants.data(types.array(2, types.integer(32)), [1, 2])
    with pytest.raises(TypeError, match="not an array of i8"):
        bytes(numbers)


def test_numbers() -> None:
    module = load()
    constants, types = module.context.constants, module.context.types
    number, fraction = constants.integer(types.integer(8), -3), constants.real(types.double, 0.5)
    assert isinstance(number, ConstantInt)
    assert isinstance(fraction, ConstantFP)
    assert (int(number), float(fraction)) == (-3, 0.5)


def test_instructions_are_a_sequence() -> None:
    main = load().functions["main"]
    listed = [instruction for block in main.blocks for instruction in block]
    assert list(main.instructions) == listed
    assert len(main.instructions) == len(listed)
    assert [main.instructions[index] for index in range(-len(listed), len(listed))] == listed * 2
    assert main.instructions[1:-1] == tuple(listed[1:-1])
    assert list(reversed(main.instructions)) == listed[::-1]
    assert main.instructions.index(listed[3]) == 3
    assert listed[2] in main.instructions
    assert main[1][0] is main.blocks[1].instructions[0]
    for index in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError, match=f"instruction {index} of {len(listed)}"):
            main.instructions[index]
    assert repr(main.instructions) == f"<{len(listed)} instructions of @main>"
    assert len(load().functions["printf"].instructions) == 0


def test_indirect_calls() -> None:
    module = bitcodec.open(EXAMPLES / "shapes/shapes.bc")
    calls = [each for function in module.functions for each in function.instructions if isinstance(each, CallBase)]
    assert {call.is_indirect for call in calls if call.called_function is None} == {True}
    assert {call.is_indirect for call in calls if call.called_function} == {False}


def test_text_of_operands() -> None:
    main = load().functions["main"]
    assert [block.operand_text for block in main.blocks][1] == "%5"
    texts = [operand.operand_text for instruction in main.instructions for operand in instruction.operands]
    assert "@printf" in texts
    assert "0" in texts
