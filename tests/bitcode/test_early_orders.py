"""Orders of uses in front of instructions: LLVM 22 applies them to the uses made so far."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bitcodec
from answers import ask
from bitcodec.asm import module_text
from bitcodec.bitcode import creation_order

from . import streams as s
from .streams import block, module, record, stream

if TYPE_CHECKING:
    from bitcodec.ir.values import User, Value

I32, POINTER, ACTION, I1 = range(4)
TYPES = s.types(s.integer(32), s.opaque_pointer(), s.function_type(I32, I32), s.integer(1))
VARIABLE, _, ARGUMENT, THREE, ADDRESS, PHI, SUM, COMPARISON = range(8)
FREE, OF_BLOCK = 1, 2
"""Codes of records."""
STORE, EXPLICIT_TYPE = 44, 2

ORDERS = {
    "2 of the argument": record(FREE, 1, 0, ARGUMENT),
    "3 of the argument": record(FREE, 2, 0, 1, ARGUMENT),
    "2 of a block": record(OF_BLOCK, 1, 0, 1),
    "2 of a value to come": record(FREE, 1, 0, SUM),
    "3 of a value to come": record(FREE, 1, 2, 0, SUM),
    "2 of a constant": record(FREE, 1, 0, ADDRESS),
    "2 of a variable": record(FREE, 1, 0, VARIABLE),
    "3 of a variable": record(FREE, 1, 2, 0, VARIABLE),
}


def store(number: int, pointer: int, value: int) -> s.Record:
    """Return a STORE record; `number` is the number of the next value."""
    return record(STORE, number - pointer, number - value, 3, 0)


def ordering(order: s.Record, place: int) -> bytes:
    """Return a module with an order of uses in front of an instruction of its function."""
    constants = s.constants(
        s.set_type(I32), s.constant_integer(3), s.set_type(POINTER), record(12, I32, POINTER, VARIABLE, I32, THREE)
    )
    body = [
        s.branch(1),
        s.phi(I32, (s.signed(PHI - ARGUMENT), 0), (s.signed(PHI - SUM), 1), (s.signed(PHI - SUM), 2)),
        s.binary(SUM - PHI, SUM - ARGUMENT),
        store(COMPARISON, ADDRESS, SUM),
        s.compare(COMPARISON - SUM, COMPARISON - THREE),
        s.conditional_branch(1, 1, 2),
        store(COMPARISON + 1, ADDRESS, ARGUMENT),
        store(COMPARISON + 1, VARIABLE, SUM),
        store(COMPARISON + 1, VARIABLE, ARGUMENT),
        s.branch(1),
    ]
    body.insert(place, block(18, order))
    variable = record(7, I32, EXPLICIT_TYPE, 0, 0, 0, 0)
    inner = s.function_block(constants, *body, blocks=3)
    return stream(module(TYPES, variable, s.function(ACTION, is_declaration=0), inner))


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
@pytest.mark.parametrize("place", [2, 3, 4, 6, 7, 8, 9])
def test_an_order_is_of_the_uses_in_front_of_it(order: s.Record, place: int, tmp_path: Path) -> None:
    data = ordering(order, place)
    path = tmp_path / "module.bc"
    path.write_bytes(data)
    done = ask(["llvm-dis-22", path, "-preserve-ll-uselistorder", "-o", "-"], text=True)
    expected = done.stdout.partition("define ")[2]
    text = "".join(module_text(bitcodec.loads(data), preserve_use_list_order=True))
    assert text.partition("define ")[2] == expected


class Counting(creation_order.CreationOrder):
    """Counts how often the uses of a value are listed."""

    listed = 0

    def uses(self, value: Value) -> list[tuple[User, int]]:
        Counting.listed += 1
        return super().uses(value)


@pytest.mark.parametrize("is_early", [True, False])
def test_many_orders_of_one_value(monkeypatch: pytest.MonkeyPatch, *, is_early: bool) -> None:
    """Its uses are listed once in each function, not once for each order."""
    monkeypatch.setattr(creation_order, "CreationOrder", Counting)
    Counting.listed = 0
    stores = [store(3, VARIABLE, ARGUMENT)] * 200
    order = record(FREE, 1, 0, VARIABLE)
    body = (
        [item for each in stores for item in (each, block(18, order))]
        if is_early
        else [*stores, block(18, *[order] * 200)]
    )
    variable, function = record(7, I32, EXPLICIT_TYPE, 0, 0, 0, 0), s.function(ACTION, is_declaration=0)
    read = bitcodec.loads(stream(module(TYPES, variable, function, s.function_block(*body, s.ret(3 - ARGUMENT)))))
    assert len(read.global_variables[0].users) == 200
    assert 0 < Counting.listed < 5
