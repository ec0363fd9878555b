"""Text of our instructions, as llvm-dis 22 writes them.

What follows an instruction behind commas, its metadata, is left to `details`.
Rules: docs/reference/text.md, 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bitcodec import ir
from bitcodec.tables.instruction_flags import NO_FAST_MATH, FastMathFlags
from bitcodec.tables.opcodes import TailCallKind

from .global_text import calling_convention, group_text, program_address_space
from .value_text import ValueText, gep_flags, quoted, words, wrap_flags

TextOf = Callable[[Any, ValueText], str]
"""Makes the text of an instruction, behind the name of its result."""

_FAST_MATH_WORDS = {
    "reassoc": FastMathFlags.REASSOC,
    "nnan": FastMathFlags.NNAN,
    "ninf": FastMathFlags.NINF,
    "nsz": FastMathFlags.NSZ,
    "arcp": FastMathFlags.ARCP,
    "contract": FastMathFlags.CONTRACT,
    "afn": FastMathFlags.AFN,
}
_WRAPPING = {"add", "sub", "mul", "shl", "trunc"}
_ONE_FLAG = {
    "udiv": "exact",
    "sdiv": "exact",
    "lshr": "exact",
    "ashr": "exact",
    "or": "disjoint",
    "zext": "nneg",
    "uitofp": "nneg",
}


def instruction_text(instruction: Any, text: ValueText) -> str:
    body = _TEXTS[type(instruction)](instruction, text)
    if isinstance(instruction.type, ir.VoidType) and not instruction.name:
        return body
    return f"{text.value(instruction)} = {body}"


def _fast_math(instruction: Any) -> str:
    flags = getattr(instruction, "fast_math", NO_FAST_MATH)
    if flags & FastMathFlags.FAST == FastMathFlags.FAST:
        return "fast"
    return words(*(word for word, flag in _FAST_MATH_WORDS.items() if flags & flag))


def _flags(instruction: Any) -> str:
    opcode, flags = instruction.opcode, getattr(instruction, "flags", 0)
    if opcode in _WRAPPING:
        return wrap_flags(flags)
    return _ONE_FLAG[opcode] if opcode in _ONE_FLAG and flags & 1 else ""


def _operands(operands: Iterable[Any], text: ValueText) -> str:
    """Return operands with their types: with one type for all if all have it."""
    first, *others = operands
    if any(other.type is not first.type for other in others):
        return text.listed((first, *others))
    return ", ".join([text.typed(first), *map(text.value, others)])


def _operation(instruction: Any, text: ValueText) -> str:
    return words(
        instruction.opcode, _flags(instruction), _fast_math(instruction), _operands(instruction.operands, text)
    )


def _typed_operation(instruction: Any, text: ValueText) -> str:
    return words(instruction.opcode, _fast_math(instruction), text.listed(instruction.operands))


def _cast(cast: Any, text: ValueText) -> str:
    return f"{_operation(cast, text)} to {text.type(cast.type)}"


def _icmp(compare: Any, text: ValueText) -> str:
    same_sign = "samesign" if compare.flags else ""
    return words("icmp", same_sign, compare.predicate.spelling, _operands(compare.operands, text))


def _fcmp(compare: Any, text: ValueText) -> str:
    return words("fcmp", _fast_math(compare), compare.predicate.spelling, _operands(compare.operands, text))


def _phi(phi: Any, text: ValueText) -> str:
    incoming = ", ".join(f"[ {text.value(value)}, {text.value(block)} ]" for value, block in phi.incoming)
    return f"{words('phi', _fast_math(phi), text.type(phi.type))} {incoming}"


# Memory


def _alloca(alloca: Any, text: ValueText) -> str:
    size = alloca.array_size
    is_one = isinstance(size, ir.ConstantInt) and size.type.bit_width == 32 and size.value == 1
    parts = [
        words(
            "alloca",
            "inalloca" if alloca.is_inalloca else "",
            "swifterror" if alloca.is_swift_error else "",
            text.type(alloca.allocated_type),
        ),
        "" if is_one else text.typed(size),
        _align(alloca),
        f"addrspace({alloca.type.address_space})" if alloca.type.address_space else "",
    ]
    return ", ".join(filter(None, parts))


def _align(access: Any) -> str:
    return f"align {access.alignment}" if access.alignment else ""


def _volatile(access: Any) -> str:
    return "volatile" if access.is_volatile else ""


def _scope(access: Any) -> str:
    return f"syncscope({quoted(access.sync_scope)})" if access.sync_scope else ""


def _load(load: Any, text: ValueText) -> str:
    return _access(load, f"{text.type(load.type)}, {text.typed(load.pointer)}")


def _store(store: Any, text: ValueText) -> str:
    return _access(store, text.listed(store.operands))


def _access(access: Any, operands: str) -> str:
    atomic = "atomic" if access.is_atomic else ""
    order = words(_scope(access), access.ordering.spelling) if atomic else ""
    return f"{words(access.opcode, atomic, _volatile(access), operands, order)}, {_align(access)}"


def _fence(fence: Any, _text: ValueText) -> str:
    return words("fence", _scope(fence), fence.ordering.spelling)


def _cmpxchg(exchange: Any, text: ValueText) -> str:
    weak = "weak" if exchange.is_weak else ""
    orderings = words(exchange.success_ordering.spelling, exchange.failure_ordering.spelling)
    head = words("cmpxchg", weak, _volatile(exchange), text.listed(exchange.operands), _scope(exchange), orderings)
    return f"{head}, {_align(exchange)}"


def _atomicrmw(change: Any, text: ValueText) -> str:
    operation = words("atomicrmw", _volatile(change), change.operation.spelling)
    head = words(operation, text.listed(change.operands), _scope(change), change.ordering.spelling)
    return f"{head}, {_align(change)}"


def _get_element_ptr(gep: Any, text: ValueText) -> str:
    head = words(gep.opcode, gep_flags(gep.flags), text.type(gep.source_element_type))
    return f"{head}, {_operands(gep.operands, text)}"


def _va_arg(instruction: Any, text: ValueText) -> str:
    return f"va_arg {text.typed(instruction.pointer)}, {text.type(instruction.type)}"


# Vectors and aggregates


def _shuffle(shuffle: Any, text: ValueText) -> str:
    return f"shufflevector {text.listed(shuffle.operands)}, {text.mask(shuffle)}"


def _indexed(instruction: Any, text: ValueText) -> str:
    return f"{instruction.opcode} {', '.join([text.listed(instruction.operands), *map(str, instruction.indices)])}"


# Control flow and unwinding


def _return(instruction: Any, text: ValueText) -> str:
    return f"ret {text.listed(instruction.operands) or 'void'}"


def _branch(branch: Any, text: ValueText) -> str:
    condition = [branch.condition] if branch.is_conditional else []
    return f"br {text.listed([*condition, *branch.successors])}"


def _switch(switch: Any, text: ValueText) -> str:
    cases = (text.listed(case) for case in switch.cases)
    return words("switch", text.listed((switch.condition, switch.default)), "[", *cases, "]")


def _indirect_branch(branch: Any, text: ValueText) -> str:
    return f"indirectbr {text.typed(branch.address)}, [{text.listed(branch.successors)}]"


def _cleanup_return(instruction: Any, text: ValueText) -> str:
    return f"cleanupret from {text.value(instruction.pad)} {_unwind(instruction, text)}"


def _unwind(instruction: Any, text: ValueText) -> str:
    block = instruction.unwind_destination
    return "unwind to caller" if block is None else f"unwind {text.typed(block)}"


def _catch_return(instruction: Any, text: ValueText) -> str:
    return f"catchret from {text.value(instruction.pad)} to {text.typed(instruction.successor)}"


def _catch_switch(switch: Any, text: ValueText) -> str:
    handlers = text.listed(switch.handlers)
    return f"catchswitch within {text.value(switch.parent_pad)} [{handlers}] {_unwind(switch, text)}"


def _pad(pad: Any, text: ValueText) -> str:
    return f"{pad.opcode} within {text.value(pad.parent_pad)} [{text.listed(pad.arguments)}]"


def _landing_pad(pad: Any, text: ValueText) -> str:
    clauses = (f"{'filter' if clause.is_filter else 'catch'} {text.typed(clause.value)}" for clause in pad.clauses)
    return words("landingpad", text.type(pad.type), "cleanup" if pad.is_cleanup else "", *clauses)


def _unreachable(_instruction: Any, _text: ValueText) -> str:
    return "unreachable"


# Calls


def _call(call: Any, text: ValueText) -> str:
    tail = call.tail_kind.spelling
    return words(tail, "call", _fast_math(call), _called(call, text))


def _invoke(invoke: Any, text: ValueText) -> str:
    normal, unwind = map(text.typed, invoke.successors)
    return f"invoke {_called(invoke, text)} to {normal} unwind {unwind}"


def _call_branch(branch: Any, text: ValueText) -> str:
    indirect = text.listed(branch.indirect_destinations)
    return f"callbr {_called(branch, text)} to {text.typed(branch.default_destination)} [{indirect}]"


def _called(call: Any, text: ValueText) -> str:
    function_type = call.function_type
    shown_type = function_type if function_type.is_vararg else function_type.return_type
    attributes = call.attributes
    arguments = [
        _argument(argument, attributes.for_parameter(index), text) for index, argument in enumerate(call.arguments)
    ]
    if getattr(call, "tail_kind", None) is TailCallKind.MUSTTAIL and call.function.is_vararg:
        arguments.append("...")
    bundles = (f"{quoted(bundle.tag)}({text.listed(bundle.inputs)})" for bundle in call.bundles)
    return words(
        calling_convention(call),
        attributes.for_return.spelled(type_text=text.type),
        _call_address_space(call),
        text.type(shown_type),
        f"{text.value(call.callee)}({', '.join(arguments)})",
        group_text(attributes.for_function, text),
        f"[ {', '.join(bundles)} ]" if call.bundles else "",
    )


def _argument(argument: Any, attributes: Any, text: ValueText) -> str:
    if not attributes:
        return text.typed(argument)
    return words(text.type(argument.type), attributes.spelled(type_text=text.type), text.value(argument))


def _call_address_space(call: Any) -> str:
    if isinstance(call, ir.CallBranch):
        return ""
    return program_address_space(call.callee.type.address_space, call.module)


_TEXTS: dict[type, TextOf] = {
    ir.UnaryOperator: _operation,
    ir.BinaryOperator: _operation,
    ir.Cast: _cast,
    ir.ICmp: _icmp,
    ir.FCmp: _fcmp,
    ir.Select: _typed_operation,
    ir.Freeze: _typed_operation,
    ir.Phi: _phi,
    ir.Alloca: _alloca,
    ir.Load: _load,
    ir.Store: _store,
    ir.Fence: _fence,
    ir.AtomicCmpXchg: _cmpxchg,
    ir.AtomicRMW: _atomicrmw,
    ir.GetElementPtr: _get_element_ptr,
    ir.VAArg: _va_arg,
    ir.ExtractElement: _operation,
    ir.InsertElement: _operation,
    ir.ShuffleVector: _shuffle,
    ir.ExtractValue: _indexed,
    ir.InsertValue: _indexed,
    ir.Return: _return,
    ir.Branch: _branch,
    ir.Switch: _switch,
    ir.IndirectBranch: _indirect_branch,
    ir.Unreachable: _unreachable,
    ir.Resume: _typed_operation,
    ir.CleanupReturn: _cleanup_return,
    ir.CatchReturn: _catch_return,
    ir.CatchSwitch: _catch_switch,
    ir.CatchPad: _pad,
    ir.CleanupPad: _pad,
    ir.LandingPad: _landing_pad,
    ir.Call: _call,
    ir.Invoke: _invoke,
    ir.CallBranch: _call_branch,
}
