"""What must hold of a module whatever was done to it, and pictures of it to compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from bitcodec.ir import BasicBlock, Constant, ConstantData, Function, Module, Phi, Switch, User, Value
from bitcodec.ir.constants import ConstantWithOperands


def check(module: Module) -> None:
    """Assert that uses, parents and names are all in step."""
    module.materialize()
    users = list(_users(module))
    expected = Counter((id(operand), id(user)) for user in users for operand in user._operands if _is_tracked(operand))
    values = {id(value): value for value in _values(module, users)}
    found = Counter((key, id(user)) for key, value in values.items() if _is_tracked(value) for user in value._uses)
    assert found == expected
    for value in module.globals:
        assert value.parent is module
    _check_names(module.symbols, module.globals)
    for function in module.functions:
        _check_function(function)
    for key, constant in module.context.constants._others.items():
        if isinstance(constant, ConstantWithOperands):
            assert constant._key == key
            assert constant._operands, f"{constant!r} has gone"
            assert all(isinstance(operand, (Constant, BasicBlock)) for operand in constant._operands)


def picture(module: Module) -> list[Any]:
    """Return all that a verb could change; equal pictures mean that nothing was touched."""
    users = list(_users(module))
    return [
        [id(value) for value in module.globals],
        [(id(value), value._name) for value in _values(module, users)],
        [(id(user), list(map(id, user._operands))) for user in users],
        [(id(value), list(map(id, value._uses))) for value in _values(module, users) if _is_tracked(value)],
        [(id(block), list(map(id, block._instructions))) for function in module.functions for block in function],
        [(id(phi), list(map(id, phi.incoming_blocks))) for phi in users if isinstance(phi, Phi)],
        [(id(switch), list(map(id, switch.case_values))) for switch in users if isinstance(switch, Switch)],
    ]


def _check_function(function: Function) -> None:
    named: list[Value] = list(function.arguments)
    for argument in function.arguments:
        assert argument.parent is function
    for block in function.blocks:
        assert block.parent is function
        named.append(block)
        for instruction in block.instructions:
            assert instruction.parent is block
            assert instruction.function is function
            named.append(instruction)
            if isinstance(instruction, Phi):
                assert len(instruction.incoming_blocks) == len(instruction.operands)
            if isinstance(instruction, Switch):
                assert len(instruction.case_values) == len(instruction.operands) - 2
    _check_names(function.symbols, named)


def _check_names(symbols: Any, values: Any) -> None:
    names = [value._name for value in values if value._name]
    assert len(names) == len(set(names))
    assert set(symbols) == set(names)
    assert all(symbols.get(value._name) is value for value in values if value._name)


def _is_tracked(value: Value) -> bool:
    return value._uses is not ConstantData._UNTRACKED


def _users(module: Module) -> Iterator[User]:
    yield from module.globals
    for function in module.functions:
        yield from function.instructions
    yield from (constant for constant in module.context.constants._others.values() if constant._operands)


def _values(module: Module, users: list[User]) -> Iterator[Value]:
    yield from users
    for user in users:
        yield from user._operands
    for function in module.functions:
        yield from function.arguments
        yield from function.blocks
