"""References from a text that is added to a module to entities that it does not define.

Names of globals, comdats and identified structs refer to the module.  Numbers, such as `@0`, `!0` and `#0`, are
the text's own.  The text is parsed into a separate module, which uses the globals of the first at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import decoded
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import remove_dead_constant_users
from bitcodec.ir.construction.moving import discard_global
from bitcodec.ir.construction.present import present_blocks, present_instructions
from bitcodec.ir.construction.replacing import drop_all_operands
from bitcodec.ir.functions import Function
from bitcodec.ir.types import FunctionType
from bitcodec.tables.linkage import Linkage
from bitcodec.upgrade.data_layout import upgraded_data_layout

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState, Place
    from bitcodec.asm.parser.surroundings import Surroundings
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["check_target", "refer_outside", "roll_back"]


def check_target(state: ModuleState) -> None:
    """Check that the target of the text is the target of the module around it, if that has one.

    Raises:
        AssemblyError: the targets differ.
    """
    surroundings = state.surroundings
    if surroundings is None:
        return
    triple, layout = surroundings.module.target_triple, surroundings.module.data_layout.text
    layouts = (layout, upgraded_data_layout(layout, triple))
    if triple and state.module.target_triple != triple:
        state.lexer.refuse(f"target triple is '{triple}' in the module", surroundings.place("target", "triple"))
    if layout and state.module.data_layout.text not in layouts:
        state.lexer.refuse(f"target datalayout is '{layout}' in the module", surroundings.place("target", "datalayout"))


def refer_outside(state: ModuleState) -> None:
    """Resolve references that the text does not define in the module around it.

    Raises:
        AssemblyError: both define an entity, or the module has another kind of entity under a name.
    """
    surroundings = state.surroundings
    if surroundings is None:
        return
    _find_comdats(state, surroundings)
    _find_block_addresses(state, surroundings)
    surroundings.found = {**_find_declared(state, surroundings), **_find_undeclared(state, surroundings.module)}
    state.pending.settle_outside(surroundings.found)


def roll_back(state: ModuleState) -> None:
    """Let the text, in which an error was found, use nothing any more, and give no type a name or elements."""
    state.named_types.roll_back()
    surroundings = state.surroundings
    if surroundings is None:
        return
    module = state.module
    blocks = [block for function in module.functions for block in present_blocks(function)]
    instructions = [instruction for block in blocks for instruction in present_instructions(block)]
    drop_all_operands(dict.fromkeys(instructions))
    drop_all_operands(dict.fromkeys(module.globals))
    remove_dead_constant_users([*surroundings.found.values(), *surroundings.used])


def _find_comdats(state: ModuleState, surroundings: Surroundings) -> None:
    comdats = surroundings.module.comdats
    for name in [name for name in state.comdat_uses if name in comdats]:
        del state.comdat_uses[name]
        state.comdats[name].selection_kind = comdats[name].selection_kind
    for name, comdat in state.comdats.items():
        there = comdats.get(name)
        if there is not None and there.selection_kind is not comdat.selection_kind:
            kinds = f"'{comdat.selection_kind}', but '{there.selection_kind}' in the module"
            state.lexer.refuse(f"comdat '${name}' is {kinds}", surroundings.place("$", name))


def _find_block_addresses(state: ModuleState, surroundings: Surroundings) -> None:
    """Find blocks of functions of the module, of which the text has the address."""
    for key in [key for key in state.waiting_addresses if isinstance(key, bytes) and key not in state.globals]:
        function = surroundings.module.get(decoded(key))
        if not isinstance(function, Function) or function.is_declaration:
            continue
        for _, block, forward in state.waiting_addresses.pop(key).values():
            found = _block(state, function, block)
            surroundings.used += (function, found)
            state.pending.settle(forward, state.constants.block_address(function, found))


def _block(state: ModuleState, function: Function, place: Place) -> BasicBlock:
    key, position = place
    if isinstance(key, int):
        state.lexer.refuse("cannot take address of numeric label after the function is defined", position)
    found = function.symbols.get(decoded(key))
    if not isinstance(found, BasicBlock):
        state.lexer.refuse("referenced value is not a basic block", position)
    return found


def _find_declared(state: ModuleState, surroundings: Surroundings) -> dict[Constant, Constant]:
    """Return the globals of the module for those that the text declares, or defines while the module declares them.

    Declarations are removed from the text.  Intrinsics wait until old ones have been upgraded.
    """
    found: dict[Constant, Constant] = {}
    for value in [*state.module.globals]:
        there = surroundings.module.get(value.name) if value.name else None
        if there is None or _is_intrinsic(value):
            continue
        place = surroundings.place("@", value.name)
        _check_kind(state, value, there, place)
        if value.is_declaration:
            discard_global(value)
            found[value] = there
        elif there.is_declaration and type(there) is type(value):
            found[value] = there
        elif not there.is_declaration and not _is_appended(value, there):
            name = surroundings.module.identifier
            state.lexer.refuse(f"redefinition of '@{value.name}', which the module '{name}' defines", place)
    return found


def _check_kind(state: ModuleState, value: GlobalValue, there: GlobalValue, place: int) -> None:
    are_functions = [isinstance(each.value_type, FunctionType) for each in (value, there)]
    types: tuple[Type, Type] = (value.type, there.type)
    if are_functions[0] is not are_functions[1]:
        types = value.value_type, there.value_type
    if types[0] is not types[1]:
        message = f"'@{value.name}' of type '{types[0]}' is of type '{types[1]}' in the module"
        state.lexer.refuse(message, place)


def _find_undeclared(state: ModuleState, module: Module) -> dict[Constant, Constant]:
    """Return the globals of the module for names that the text uses without a declaration."""
    found: dict[Constant, Constant] = {}
    for key, forward in [*state.forward_globals.items()]:
        there = module.get(decoded(key)) if isinstance(key, bytes) else None
        if there is None or _is_intrinsic(there):
            continue
        if there.type is not forward.type:
            expected = f"'{there.type}' but expected '{forward.type}'"
            state.lexer.refuse(f"'@{there.name}' defined with type {expected}", forward.position)
        del state.forward_globals[key]
        found[forward] = there
    return found


def _is_intrinsic(value: GlobalValue) -> bool:
    return isinstance(value, Function) and value.is_intrinsic


def _is_appended(*values: GlobalValue) -> bool:
    return all(value.linkage is Linkage.APPENDING for value in values)
