"""Calls.  Rules: assembly text reference, section 9.4."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, Any

from bitcodec import ir
from bitcodec.asm.attributes import attribute_words, calling_convention, group, program_address_space
from bitcodec.asm.instructions.flags import FAST_MATH
from bitcodec.asm.names import quoted
from bitcodec.ir.intrinsic_attributes import intrinsic_name
from bitcodec.tables.immediate_arguments import FAMILIES, IMMEDIATE_ARGUMENTS
from bitcodec.tables.opcodes import TailCallKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts
    from bitcodec.ir.values import Value

__all__ = ["TEXTS"]


def _call(call: ir.Call, texts: Texts) -> str:
    tail = call.tail_kind
    words = "call" if tail is TailCallKind.NONE else f"{tail.spelling} call"
    if call.fast_math:
        words += FAST_MATH[call.fast_math]
    arguments = _arguments(call, texts)
    if tail is TailCallKind.MUSTTAIL and call.function is not None and call.function.is_vararg:
        arguments += ", ..." if arguments else "..."
    return f"{words} {_called(call, arguments, texts)}"


def _invoke(invoke: ir.Invoke, texts: Texts) -> str:
    normal, unwind = map(texts.typed, invoke.successors)
    called = _called(invoke, _arguments(invoke, texts), texts)
    return f"invoke {called}\n          to {normal} unwind {unwind}"


def _call_branch(branch: ir.CallBranch, texts: Texts) -> str:
    default, *others = branch.successors
    called = _called(branch, _arguments(branch, texts), texts)
    return f"callbr {called}\n          to {texts.typed(default)} [{texts.listed(others)}]"


def _called(call: ir.CallBase, arguments: str, texts: Texts) -> str:
    words = calling_convention(call.calling_convention) if call.calling_convention else ""
    attributes = call.attributes
    words += attribute_words(attributes.for_return, texts)
    callee = call._operands[-1]
    if not isinstance(call, ir.CallBranch):
        words += program_address_space(callee.type, texts)
    function_type = call.function_type
    shown = texts.types[function_type if function_type.is_vararg else function_type.return_type]
    tail = group(attributes.for_function, texts) if attributes else ""
    if call._bundles:
        tail += _bundles(call, texts)
    return f"{words}{shown} {texts.names[callee]}({arguments}){tail}"


def _arguments(call: ir.CallBase, texts: Texts) -> str:
    parameters = call.attributes.parameters
    callee = call._operands[-1]
    has_remarks = callee._name.startswith(FAMILIES)
    if not parameters and not has_remarks:
        return texts.listed(call._operands[: call._argument_count])
    types, names = texts.types, texts.names
    remarks = _remarks(call) if has_remarks else {}

    def argument_text(index: int, argument: Value) -> str:
        words = attribute_words(parameters[index], texts) if index in parameters else ""
        return f"{remarks.get(index, '')}{types[argument.type]} {words}{names[argument]}"

    return texts.limit.join(starmap(argument_text, enumerate(call._operands[: call._argument_count])))


def _remarks(call: ir.CallBase) -> dict[int, str]:
    """Return what is said of arguments, by index."""
    rows = IMMEDIATE_ARGUMENTS.get(intrinsic_name(call.callee.name) or "", ())
    remarks = {}
    for index, name, meanings, otherwise in rows:
        argument = call._operands[index]
        if isinstance(argument, ir.ConstantInt):
            number = argument.unsigned
            remarks[index] = f"/* {name}={meanings[number] if number < len(meanings) else otherwise} */ "
    return remarks


def _bundles(call: ir.CallBase, texts: Texts) -> str:
    bundles = (f"{quoted(bundle.tag)}({texts.listed(bundle.inputs)})" for bundle in call.bundles)
    return f" [ {texts.limit.join(bundles)} ]"


TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    ir.Call: _call,
    ir.Invoke: _invoke,
    ir.CallBranch: _call_branch,
}
