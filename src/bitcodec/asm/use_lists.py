"""Use-list orders: in which order the uses of values are, where a reader of the text would find them in another.

Rules: docs/reference/text.md, 14; the order in which LLVM's parser of text makes uses.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import Constant, ConstantData, InlineAsm
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import wrapped_values
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.metadata_walk import wrappers_in_records
from bitcodec.ir.uses import numbered_uses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.asm.texts import Texts
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["UseListOrders", "use_list_text"]

_HEAD = "\n; uselistorder directives\n"


class UseListOrders(dict["Function | None", "list[tuple[Value, list[int]]]"]):
    """By function: its values with a special order of uses, and the order; by None: values that functions share.

    Index i of an order gives the new place of the use that a reader finds at i, the newest first.

    Args:
        module: a module that is read to the end.

    Raises:
        BitcodecError: something in the module is malformed.
    """

    def __init__(self, module: Module) -> None:
        super().__init__()
        module.order_uses()
        numbers = _numbers(module)
        for value, number in numbers.items():
            order = _order(value, number, numbers)
            if order:
                self.setdefault(_function_of(value), []).append((value, order))


def use_list_text(orders: Iterable[tuple[Value, list[int]]], texts: Texts, indent: str = "") -> str:
    """Return the use-list order directives, empty without orders."""
    lines = [
        f"{indent}uselistorder {texts.typed(value)}, {{ {', '.join(map(str, order))} }}\n" for value, order in orders
    ]
    return _HEAD + "".join(lines) if lines else ""


def _order(value: Value, number: int, numbers: dict[Value, int]) -> list[int]:
    """Return the order of a value's uses, nothing if it is the one in which a reader would find them."""
    if isinstance(value, ConstantData):
        return []
    uses = [(numbers[user], operand) for user, operand in numbered_uses(value) if user in numbers]
    if len(uses) < 2:
        return []
    if isinstance(value, BlockAddress):
        number = numbers.get(value.block, 0)
    # Uses in front of a definition are uses of a placeholder; they change sides when the definition replaces it.
    limit = 0 if isinstance(value, BasicBlock) else number
    newest_first = [(*use, index) for index, use in enumerate(reversed(uses))]
    early = sorted(use for use in newest_first if use[0] <= limit)
    late = sorted((use for use in newest_first if use[0] > limit), reverse=True)
    found = [index for _, _, index in late + early]
    return [] if all(one < other for one, other in pairwise(found)) else found


def _numbers(module: Module) -> dict[Value, int]:
    """Give numbers to all values, from 1, in the order in which text mentions them."""
    numbers: dict[Value, int] = {}
    for globals_ in (module.global_variables, module.aliases, module.ifuncs, module.functions):
        for value in globals_:
            for operand in value.operands:
                if not isinstance(operand, GlobalValue):
                    _add(operand, numbers)
            _add(value, numbers)
            if isinstance(value, Function):
                for local in _locals(value):
                    _add(local, numbers)
    return numbers


def _locals(function: Function) -> Iterator[Value]:
    """Yield the values of a function, constants before the instructions that mention them first."""
    if function.is_declaration:
        return
    yield from function.arguments
    for block in function.blocks:
        yield block
        for instruction in block.instructions:
            yield from _beside(instruction)
            for operand in instruction.operands:
                for value in wrapped_values(operand.metadata) if isinstance(operand, MetadataAsValue) else (operand,):
                    if isinstance(value, InlineAsm | Constant) and not isinstance(value, GlobalValue):
                        yield value
            yield instruction


def _beside(instruction: Instruction) -> Iterator[Value]:
    """Yield the constants in debug records before an instruction; there globals count as mentioned too."""
    for wrapper in wrappers_in_records(instruction):
        if isinstance(wrapper.value, Constant):
            yield wrapper.value


def _add(value: Value, numbers: dict[Value, int]) -> None:
    """Give a number to a value after its operands; plain constants, whose uses are not tracked, have none."""
    pending = [value]
    while pending:
        current = pending[-1]
        if current in numbers or isinstance(current, ConstantData):
            pending.pop()
            continue
        parts = current.operands if isinstance(current, Constant) and not isinstance(current, GlobalValue) else ()
        missing = [
            part
            for part in parts
            if part not in numbers and not isinstance(part, BasicBlock | GlobalValue | ConstantData)
        ]
        if missing:
            pending += reversed(missing)
        else:
            numbers[current] = len(numbers) + 1
            pending.pop()


def _function_of(value: Value) -> Function | None:
    if isinstance(value, Instruction):
        return value.function
    return value.parent if isinstance(value, Argument | BasicBlock) else None
