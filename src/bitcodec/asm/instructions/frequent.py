# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Text of the instructions that most bodies consist of; the others are in the files of their families.

Each function gets the texts of types and the names of values, which `texts` has too.
Rules: assembly text reference, section 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir
from bitcodec.asm.attributes import attribute_words, calling_convention, group, program_address_space
from bitcodec.asm.constants import GEP_FLAG_WORDS
from bitcodec.asm.instructions.calls import CallWords, argument_remarks, bundle_words
from bitcodec.asm.instructions.flags import FAST_MATH, integer_flags
from bitcodec.asm.instructions.memory import access_text
from bitcodec.asm.limits import FEW
from bitcodec.ir.types import PointerType
from bitcodec.tables.immediate_arguments import FAMILIES
from bitcodec.tables.opcodes import (
    NO_CAST_FLAGS,
    NO_CMP_FLAGS,
    NO_FAST_MATH,
    NO_INTEGER_FLAGS,
    AtomicOrdering,
    TailCallKind,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bitcodec.asm.texts import Texts
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectTexts

    Maker = Callable[[Any, Mapping[Type, str], ObjectTexts, Texts], str]

__all__ = ["FREQUENT_TEXTS"]

_BITS_OF_ALLOCA_COUNT = 32
_OPERANDS_OF_MOST_GEPS = 2
_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC
_NO_TAIL = TailCallKind.NONE
_MUST_TAIL = TailCallKind.MUSTTAIL


class _Alignments(dict[int, str]):
    """`, align N` by alignment, nothing for 0."""

    def __missing__(self, alignment: int) -> str:
        text = self[alignment] = f", align {alignment}"
        return text


_ALIGNMENTS = _Alignments({0: ""})


def _alloca(alloca: Any, types: Mapping[Type, str], _names: ObjectTexts, texts: Texts) -> str:
    words = types[alloca.allocated_type]
    count = alloca._operands[0]
    if not _is_one(count):
        words += f", {texts.typed(count)}"
    words += _ALIGNMENTS[alloca.alignment]
    type_ = alloca.type
    if isinstance(type_, PointerType) and type_.address_space:
        words += f", addrspace({type_.address_space})"
    if alloca.is_swift_error:
        words = f"swifterror {words}"
    return f"alloca inalloca {words}" if alloca.is_inalloca else f"alloca {words}"


def _is_one(count: Any) -> bool:
    if not isinstance(count, ir.ConstantInt) or not isinstance(count.type, ir.IntegerType):
        return False
    return bool(count.value == 1 and count.type.bit_width == _BITS_OF_ALLOCA_COUNT)


def _load(load: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    pointer = load._operands[0]
    if load.ordering is _NOT_ATOMIC and not load.is_volatile:
        align = _ALIGNMENTS[load.alignment]
        return f"load {types[load.type]}, {types[pointer.type]} {names[pointer]}{align}"
    return access_text(load, f"{types[load.type]}, {types[pointer.type]} {names[pointer]}")


def _store(store: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    value, pointer = store._operands
    if store.ordering is _NOT_ATOMIC and not store.is_volatile:
        align = _ALIGNMENTS[store.alignment]
        return f"store {types[value.type]} {names[value]}, {types[pointer.type]} {names[pointer]}{align}"
    return access_text(store, f"{types[value.type]} {names[value]}, {types[pointer.type]} {names[pointer]}")


def _get_element_ptr(gep: Any, types: Mapping[Type, str], names: ObjectTexts, texts: Texts) -> str:
    operands = gep._operands
    flags, source = GEP_FLAG_WORDS[gep.flags], types[gep.source_element_type]
    if len(operands) == _OPERANDS_OF_MOST_GEPS:
        base, index = operands
        if base.type is not index.type:
            base_type, index_type = types[base.type], types[index.type]
            return f"getelementptr{flags} {source}, {base_type} {names[base]}, {index_type} {names[index]}"
    # Where indices are no numbers, as LLVM itself has them no more, they may have the type of the pointer.
    base, last = operands[0], operands[-1]
    of_one_type = last.type is base.type
    listed = texts.operands(operands) if of_one_type else _listed(operands, types, names, texts)
    return f"getelementptr{flags} {source}, {listed}"


def _binary(binary: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    lhs, rhs = binary._operands
    opcode, flags, fast_math = binary.opcode, binary.flags, binary.fast_math
    if flags is not NO_INTEGER_FLAGS and flags:
        opcode += integer_flags(opcode, flags)
    elif fast_math is not NO_FAST_MATH:
        opcode += FAST_MATH[fast_math]
    return f"{opcode} {types[binary.type]} {names[lhs]}, {names[rhs]}"


def _cast(cast: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    value = cast._operands[0]
    words, flags, fast_math = cast.opcode, cast.flags, cast.fast_math
    if flags is not NO_CAST_FLAGS and flags:
        words += integer_flags(words, flags)
    if fast_math is not NO_FAST_MATH:
        words += FAST_MATH[fast_math]
    return f"{words} {types[value.type]} {names[value]} to {types[cast.type]}"


def _icmp(compare: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    lhs, rhs = compare._operands
    flags = compare.flags
    same_sign = " samesign" if flags is not NO_CMP_FLAGS and flags else ""
    return f"icmp{same_sign} {compare.predicate.spelling} {types[lhs.type]} {names[lhs]}, {names[rhs]}"


def _fcmp(compare: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    lhs, rhs = compare._operands
    operands = f"{types[lhs.type]} {names[lhs]}, {names[rhs]}"
    return f"fcmp{FAST_MATH[compare.fast_math]} {compare.predicate.spelling} {operands}"


def _select(select: Any, types: Mapping[Type, str], names: ObjectTexts, texts: Texts) -> str:
    return f"select{FAST_MATH[select.fast_math]} {_listed(select._operands, types, names, texts)}"


def _phi(phi: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    edges = zip(phi._operands, phi._incoming_blocks, strict=True)
    incoming = ", ".join([f"[ {names[value]}, {names[block]} ]" for value, block in edges])
    return f"phi{FAST_MATH[phi.fast_math]} {types[phi.type]} {incoming}"


def _return(instruction: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    operands = instruction._operands
    if not operands:
        return "ret void"
    value = operands[0]
    return f"ret {types[value.type]} {names[value]}"


def _branch(branch: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    operands = branch._operands
    if len(operands) == 1:
        return f"br label {names[operands[0]]}"
    condition, if_false, if_true = operands
    return f"br {types[condition.type]} {names[condition]}, label {names[if_true]}, label {names[if_false]}"


def _switch(switch: Any, types: Mapping[Type, str], names: ObjectTexts, _texts: Texts) -> str:
    condition, default, *blocks = switch._operands
    type_ = types[condition.type]
    cases = zip(switch._case_values, blocks, strict=True)
    lines = "".join([f"    {type_} {names[number]}, label {names[block]}\n" for number, block in cases])
    return f"switch {type_} {names[condition]}, label {names[default]} [\n{lines}  ]"


def _call(call: Any, types: Mapping[Type, str], names: ObjectTexts, texts: Texts) -> str:
    tail, fast_math = call.tail_kind, call.fast_math
    words = "call" if tail is _NO_TAIL else f"{tail.spelling} call"
    if fast_math is not NO_FAST_MATH:
        words += FAST_MATH[fast_math]
    arguments = _arguments(call, types, names, texts)
    if tail is _MUST_TAIL and call.function is not None and call.function.is_vararg:
        arguments += ", ..." if arguments else "..."
    return f"{words} {_called(call, arguments, types, names, texts)}"


def _invoke(invoke: Any, types: Mapping[Type, str], names: ObjectTexts, texts: Texts) -> str:
    normal, unwind = map(texts.typed, invoke.successors)
    called = _called(invoke, _arguments(invoke, types, names, texts), types, names, texts)
    return f"invoke {called}\n          to {normal} unwind {unwind}"


def _call_branch(branch: Any, types: Mapping[Type, str], names: ObjectTexts, texts: Texts) -> str:
    default, *others = branch.successors
    called = _called(branch, _arguments(branch, types, names, texts), types, names, texts)
    return f"callbr {called}\n          to {texts.typed(default)} [{texts.listed(others)}]"


def _called(call: Any, arguments: str, types: Mapping[Type, str], names: ObjectTexts, texts: Texts) -> str:
    convention = call.calling_convention
    words = calling_convention(convention) if convention else ""
    attributes = _call_words(call.attributes, texts)
    if attributes.for_function is None:
        attributes.for_return = attribute_words(call.attributes.for_return, texts)
        attributes.for_function = group(call.attributes.for_function, texts)
    words += attributes.for_return
    callee = call._operands[-1]
    if not isinstance(call, ir.CallBranch):
        words += program_address_space(callee.type, texts)
    function_type = call.function_type
    shown = types[function_type if function_type.is_vararg else function_type.return_type]
    text = f"{words}{shown} {names[callee]}({arguments}){attributes.for_function}"
    return text + bundle_words(call, texts) if call._bundles else text


def _call_words(attributes: AttributeList, texts: Texts) -> CallWords:
    known = texts.call_words.get(id(attributes))
    if known is None:
        known = texts.call_words[id(attributes)] = CallWords(attributes)
    return known


def _arguments(call: Any, types: Mapping[Type, str], names: ObjectTexts, texts: Texts) -> str:
    operands, count = call._operands, call._argument_count
    callee = operands[-1]
    has_remarks = callee._name.startswith(FAMILIES)
    parameters = call.attributes._parameters
    if not parameters and not has_remarks:
        return _listed(operands[:count], types, names, texts)
    remarks = argument_remarks(call) if has_remarks else {}
    known = _call_words(call.attributes, texts).parameters
    shown: list[str] = []
    size = 0
    for index, argument in enumerate(operands[:count]):
        words = ""
        if index in parameters:
            words = known.get(index) or known.setdefault(index, attribute_words(parameters[index], texts))
        shown.append(f"{remarks.get(index, '')}{types[argument.type]} {words}{names[argument]}")
        size += len(shown[-1]) + 2
        if index >= FEW:
            if texts.limit.enough is not None and size > texts.limit.enough:
                break
            texts.limit.check(size)
    return ", ".join(shown)


def _listed(values: Sequence[Value], types: Mapping[Type, str], names: ObjectTexts, texts: Texts) -> str:
    """Return values behind their types, with commas between."""
    if len(values) > FEW:
        return texts.listed(values)
    return ", ".join([f"{types[value.type]} {names[value]}" for value in values])


FREQUENT_TEXTS: dict[type, Maker] = {
    ir.Alloca: _alloca,
    ir.Load: _load,
    ir.Store: _store,
    ir.GetElementPtr: _get_element_ptr,
    ir.BinaryOperator: _binary,
    ir.Cast: _cast,
    ir.ICmp: _icmp,
    ir.FCmp: _fcmp,
    ir.Select: _select,
    ir.Phi: _phi,
    ir.Return: _return,
    ir.Branch: _branch,
    ir.Switch: _switch,
    ir.Call: _call,
    ir.Invoke: _invoke,
    ir.CallBranch: _call_branch,
}
"""By class of a frequent instruction: what makes its text, behind its name and in front of its metadata."""
