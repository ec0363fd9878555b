"""Shapes of instructions have the attributes that the rules of a class read, as the code of the rules has them."""

from __future__ import annotations

import ast
import builtins
import functools
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bitcodec.ir.types
from bitcodec.ir.constants import ConstantDataVector, ConstantInt, ConstantVector
from bitcodec.ir.instructions import Instruction, Load, Store
from bitcodec.verifier.bodies import Body
from bitcodec.verifier.instructions import PROBLEMS, SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(__file__).parents[2] / "src"
KNOWN = {"type", "operands", "parent", "verifier", "layout", "module"}
"""Names in rules that are part of each key, or facts of a module; `parent` leads to the last instruction of a block."""
CONSTANTS = (ConstantInt, ConstantVector, ConstantDataVector)
KINDS = pytest.mark.parametrize("kind", SHAPES, ids=lambda kind: kind.__name__)


def members(found: Any) -> Iterator[Any]:
    """Yield a table of rules and its parts, without the globals that its functions use."""
    yield found
    if isinstance(found, functools.partial):
        found = (found.func, *found.args)
    elif isinstance(found, dict):
        found = (*found.values(),)
    if isinstance(found, (tuple, frozenset)):
        for each in found:
            yield from members(each)


def codes(function: types.FunctionType) -> Iterator[types.CodeType]:
    rest = [function.__code__]
    for code in rest:
        rest += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    yield from rest


def used_by(function: types.FunctionType) -> list[Any]:
    """Return the globals and the variables of outer functions that a function uses."""
    known = function.__globals__
    found = [known[name] for code in codes(function) for name in code.co_names if name in known]
    return found + [cell.cell_contents for cell in function.__closure__ or ()]


def functions_of(kind: type[Instruction]) -> list[types.FunctionType]:
    """Return the functions on which the result of a class's rules depends, without those that remain to be applied."""
    remaining = SHAPES[kind].remaining_rules
    assert isinstance(remaining, types.FunctionType)
    named = [
        part for each in used_by(remaining) for part in (*members(each), *(each if isinstance(each, dict) else ()))
    ]
    left = {id(part) for part in named} & {id(part) for part in members(PROBLEMS[kind])}
    seen: dict[int, Any] = {}
    rest: list[Any] = [PROBLEMS[kind], remaining]
    while rest:
        found = rest.pop()
        if id(found) in left or id(found) in seen:
            continue
        seen[id(found)] = found
        rest += used_by(found) if isinstance(found, types.FunctionType) else [*members(found)][1:]
    return [found for found in seen.values() if isinstance(found, types.FunctionType)]


def names_read(kind: type[Instruction]) -> set[str]:
    return {name for function in functions_of(kind) for code in codes(function) for name in code.co_names}


def source_of(module: str) -> ast.Module:
    """Return the source of a module, which compiled ones have no path of."""
    return ast.parse((SOURCES / f"{module.replace('.', '/')}.py").read_text("utf-8"))


@functools.cache
def members_of(kind: type) -> dict[str, ast.stmt]:
    """Return the members of a class as its source has them: compiled classes do not have their code."""
    tree = source_of(kind.__module__)
    body = next(each.body for each in tree.body if isinstance(each, ast.ClassDef) and each.name == kind.__name__)
    found: dict[str, ast.stmt] = {}
    for each in body:
        match each:
            case (
                ast.FunctionDef(name=name)
                | ast.Assign(targets=[ast.Name(id=name)])
                | ast.AnnAssign(target=ast.Name(id=name))
            ):
                found[name] = each
    return found


def fields(kind: type[Instruction], names: set[str]) -> set[str]:
    """Return the fields of a class, without those of all instructions, that attributes depend on."""
    found: set[str] = set()
    rest = list(names)
    own = kind.__mro__[: kind.__mro__.index(Instruction)]
    for name in rest:
        for each in own:
            if name in each.__slots__:  # type: ignore[attr-defined]
                found.add(name)
            elif name in members_of(each):
                parts = [*ast.walk(members_of(each)[name])]
                read = {
                    part.attr for part in parts if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "self"
                }
                if any(isinstance(part, ast.Name) and part.id == "FlagAccess" for part in parts):
                    read.add("flags")
                rest += read.difference(rest)
    return found


@KINDS
def test_shapes_have_the_attributes_that_rules_read(kind: type[Instruction]) -> None:
    assert fields(kind, set(SHAPES[kind].attributes)) == fields(kind, names_read(kind))


@pytest.mark.parametrize("kind", [kind for kind in SHAPES if SHAPES[kind].callee_facts is None])
def test_rules_read_nothing_of_the_place_or_the_values_of_an_instruction(kind: type[Instruction]) -> None:
    of_types = {name for each in vars(bitcodec.ir.types).values() if isinstance(each, type) for name in dir(each)}
    classes = kind.__mro__[: kind.__mro__.index(Instruction)]
    own = {name for each in classes for name in (*members_of(each), *each.__slots__)}  # type: ignore[attr-defined]
    read = names_read(kind) - of_types - own - KNOWN
    of_bodies = {*dir(Body), *Body.__init__.__code__.co_names} - {*dir(builtins)}
    assert read & (of_bodies | {*dir(Instruction)}) == set()
    if SHAPES[kind].first_constant is None:
        assert read & {name for each in CONSTANTS for name in dir(each)} == set()


@pytest.mark.parametrize("kind", [Load, Store], ids=lambda kind: kind.__name__)
def test_keys_of_loads_and_stores_have_the_attributes_of_their_shapes(kind: type[Instruction]) -> None:
    variable = kind.__name__.lower()
    tree = source_of("bitcodec.verifier.blocks")
    read = {
        each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute) and ast.unparse(each.value) == variable
    }
    assert read - {"type"} == {*SHAPES[kind].attributes}
