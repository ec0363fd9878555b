"""Everything that changes instructions or functions, done to one instruction of each kind in each function.

What comes out is sound: verbs pass over instructions for which they would make no sense, such as pads and tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bitcodec.builder import Builder
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc
from bitcodec.ir.instructions import Call, CallBase, Instruction
from bitcodec.ir.types import TokenType, VoidType
from bitcodec.tables.opcodes import TailCallKind
from bitcodec.transforms import Rewriter, extract_functions, strip_debug_info, strip_metadata, strip_names

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

__all__ = ["READ_FIRST", "VERBS"]

_FIRST = {"phi", "landingpad", "catchpad", "cleanuppad", "catchswitch"}
_UNIQUE = ("llvm.localescape", "llvm.coro", "llvm.call.preallocated", "llvm.va_start")
"""Intrinsics of which there must be one, or that must stand where they are."""


def defined(module: Module) -> list[Function]:
    return [function for function in module.functions if not function.is_declaration]


def chosen(module: Module) -> Iterator[Instruction]:
    """Yield the first instruction of each opcode in each function."""
    for function in defined(module):
        seen: set[str] = set()
        for instruction in list(function.instructions):
            if instruction.parent is not None and instruction.opcode not in seen:
                seen.add(instruction.opcode)
                yield instruction


def plain(module: Module) -> Iterator[Instruction]:
    return filter(is_plain, chosen(module))


def movable(module: Module) -> Iterator[Instruction]:
    return (instruction for instruction in plain(module) if instruction.opcode != "phi")


def is_plain(instruction: Instruction) -> bool:
    """Return whether there may be two of it, or none."""
    if instruction.is_terminator or instruction.opcode in _FIRST - {"phi"} or _has_tokens(instruction):
        return False
    if isinstance(instruction, CallBase) and instruction.bundles:
        return False
    if isinstance(instruction, Call):
        callee = instruction.called_function
        is_unique = callee is not None and callee.name.startswith(_UNIQUE)
        return instruction.tail_kind is not TailCallKind.MUSTTAIL and not is_unique
    return True


def _has_tokens(instruction: Instruction) -> bool:
    return any(isinstance(value.type, TokenType) for value in (instruction, *instruction.operands))


def neighbour(instruction: Instruction, distance: int) -> Instruction | None:
    """Return a plain instruction that many places away in its block."""
    assert instruction.parent is not None
    instructions = instruction.parent.instructions
    place = instructions.index(instruction) + distance
    found = instructions[place] if 0 <= place < len(instructions) else None
    return found if found is not None and found.opcode != "phi" and is_plain(found) else None


# The verbs


def replace(module: Module) -> None:
    for old in chosen(module):
        Rewriter().replace(old, old.clone())


def replace_with(module: Module) -> None:
    for old in plain(module):
        old.replace_with(old.clone())


def duplicate(module: Module) -> None:
    for instruction in plain(module):
        Rewriter().duplicate(instruction)


def clone(module: Module) -> None:
    for instruction in plain(module):
        instruction.clone().insert_before(instruction)


def merge(module: Module) -> None:
    for number, instruction in enumerate(plain(module)):
        copy = instruction.clone()
        copy.insert_before(instruction)
        Rewriter().merge(copy, instruction, moves=number % 2 == 0)


def hoist(module: Module) -> None:
    for instruction in movable(module):
        before = neighbour(instruction, -1)
        if before is not None and before not in instruction.operands:
            Rewriter().hoist(instruction, before)


def move(module: Module) -> None:
    for instruction in movable(module):
        following = neighbour(instruction, 1)
        if following is not None and instruction not in following.operands:
            instruction.move_after(following)


def take_out_and_put_back(module: Module) -> None:
    for instruction in movable(module):
        following = neighbour(instruction, 1)
        if following is not None:
            instruction.remove_from_parent()
            instruction.insert_before(following)


def erase(module: Module) -> None:
    for instruction in _unused(module):
        Rewriter().erase(instruction)


def erase_from_parent(module: Module) -> None:
    for instruction in _unused(module):
        instruction.erase_from_parent()


def _unused(module: Module) -> Iterator[Instruction]:
    """Yield instructions, which `poison` has taken the place of where they were used."""
    for instruction in plain(module):
        if not isinstance(instruction.type, VoidType):
            instruction.replace_all_uses_with(module.context.constants.poison(instruction.type))
        yield instruction


def erase_what_is_unused(module: Module) -> None:
    for instruction in plain(module):
        if not instruction.is_used:
            instruction.erase_from_parent()


def replace_all_uses(module: Module) -> None:
    for instruction in plain(module):
        if instruction.opcode == "alloca" or isinstance(instruction.type, VoidType):
            continue  # what ends the life of a variable takes nothing else
        assert instruction.function is not None
        arguments = (each for each in instruction.function.arguments if each.type is instruction.type)
        instruction.replace_all_uses_with(next(arguments, module.context.constants.null(instruction.type)))


def replace_arguments(module: Module) -> None:
    for function in defined(module):
        for argument in function.arguments:
            argument.replace_all_uses_with(module.context.constants.poison(argument.type))


def build(module: Module) -> None:
    for instruction in movable(module):
        assert instruction.parent is not None
        builder = Builder(instruction.parent)
        builder.before(instruction)
        number = builder.constant(module.context.types.integer(32), 7)
        builder.store(number, builder.alloca(number.type))


def split(module: Module) -> None:
    for function in defined(module):
        for block in function.blocks:
            inside = [each for each in block.instructions if each.opcode not in _FIRST]
            if len(inside) > 2 and all(map(is_plain, inside[:-1])):
                block.split(inside[len(inside) // 2])


def delete_bodies(module: Module) -> None:
    for function in defined(module)[1::2]:
        if not any(isinstance(user, GlobalAlias | GlobalIFunc) for user in function.users):
            function.delete_body()


def extract(module: Module) -> None:
    extract_functions(module, [each.name for each in defined(module)][:1])


def replace_a_global(module: Module) -> None:
    variables = [each for each in module.global_variables if not each.name.startswith("llvm.")]
    for old in variables:
        alike = [each for each in variables if each.type is old.type and not each.is_thread_local and each is not old]
        if alike and not old.is_thread_local and not alike[0]._is_made_of(old):
            old.replace_all_uses_with(alike[0])
            return


def erase_globals(module: Module) -> None:
    for value in (*module.global_variables, *module.functions):
        if not value.is_used:
            value.erase_from_parent()


VERBS: dict[str, Callable[[Module], None]] = {
    verb.__name__: verb
    for verb in (
        replace,
        replace_with,
        duplicate,
        clone,
        merge,
        hoist,
        move,
        take_out_and_put_back,
        erase,
        erase_from_parent,
        erase_what_is_unused,
        replace_all_uses,
        replace_arguments,
        build,
        split,
        delete_bodies,
        extract,
        replace_a_global,
        erase_globals,
        strip_debug_info,
        strip_names,
    )
}
VERBS["strip_metadata"] = lambda module: strip_metadata(module, ["tbaa", "nonnull"])


# What was read before


def nothing(_module: Module) -> None: ...


def some_records(module: Module) -> None:
    for function in defined(module)[::2]:
        for instruction in list(function.instructions)[::2]:
            instruction.materialize()


def named_metadata(module: Module) -> None:
    for named in module.named_metadata.values():
        assert all(node.operands is not None for node in named.operands)


def everything(module: Module) -> None:
    module.materialize()


READ_FIRST: tuple[Callable[[Module], None], ...] = (nothing, some_records, named_metadata, everything)
