# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# ruff: noqa: SLF001
"""Text of the instructions that most bodies consist of; the others are in the files of their families.

Each function adds to a text, and gets the texts of types and the names of values, which `texts` has too.
Rules: docs/reference/text.md, 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir
from bitcodec.asm.attributes import attribute_words, calling_convention, group, program_address_space
from bitcodec.asm.instructions.calls import CallWords, argument_remarks, bundle_words
from bitcodec.asm.instructions.memory import access_text
from bitcodec.asm.limits import FEW
from bitcodec.ir.construction import present
from bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, FCmp, ICmp, Select
from bitcodec.ir.instructions.calls import Call
from bitcodec.ir.instructions.control_flow import Branch, Phi, Return, Switch
from bitcodec.ir.instructions.memory import Alloca, GetElementPtr, Load, Store
from bitcodec.ir.types import PointerType
from bitcodec.tables.immediate_arguments import FAMILIES
from bitcodec.tables.instruction_flags import (
    FAST_MATH_TEXTS,
    NO_ACCESS_FLAGS,
    NO_ALLOCA_FLAGS,
    NO_CAST_FLAGS,
    NO_CMP_FLAGS,
    NO_FAST_MATH,
    NO_INTEGER_FLAGS,
    flag_texts,
)
from bitcodec.tables.opcodes import AtomicOrdering, TailCallKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.asm.text_buffer import TextBuffer
    from bitcodec.asm.texts import Texts
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectTexts

__all__ = ["add_frequent"]

_BITS_OF_ALLOCA_COUNT = 32
_OPERANDS_OF_MOST_GEPS = 2
_ALLOCA_FLAGS, _CMP_FLAGS, _GEP_FLAGS = map(flag_texts, ("alloca", "icmp", "getelementptr"))
_FAST_MATH = FAST_MATH_TEXTS
_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC
_NO_TAIL = TailCallKind.NONE
_MUST_TAIL = TailCallKind.MUSTTAIL


def add_frequent(  # noqa: C901, PLR0912 - a chain of C comparisons, the most frequent first
    text: TextBuffer, instruction: Any, kind: type, types: ObjectTexts, names: ObjectTexts, texts: Texts
) -> bool:
    """Add the text of an instruction, after its name and before its metadata.

    Returns:
        Whether it is an instruction of this file.
    """
    if kind is Load:
        _add_load(text, instruction, types, names)
    elif kind is Store:
        _add_store(text, instruction, types, names)
    elif kind is GetElementPtr:
        _add_get_element_ptr(text, instruction, types, names, texts)
    elif kind is Branch:
        _add_branch(text, instruction, types, names)
    elif kind is Call:
        _add_call(text, instruction, types, names, texts)
    elif kind is ICmp:
        _add_icmp(text, instruction, types, names)
    elif kind is Cast:
        _add_cast(text, instruction, types, names)
    elif kind is BinaryOperator:
        _add_binary(text, instruction, types, names)
    elif kind is Phi:
        _add_phi(text, instruction, types, names)
    elif kind is Alloca:
        _add_alloca(text, instruction, types, texts)
    elif kind is Select:
        _add_select(text, instruction, types, names, texts)
    elif kind is Return:
        _add_return(text, instruction, types, names)
    elif kind is Switch:
        _add_switch(text, instruction, types, names)
    elif kind is FCmp:
        _add_fcmp(text, instruction, types, names)
    elif kind is ir.Invoke:
        _add_invoke(text, instruction, types, names, texts)
    elif kind is ir.CallBranch:
        _add_call_branch(text, instruction, types, names, texts)
    else:
        return False
    return True


def _add_typed(text: TextBuffer, value: Value, types: ObjectTexts, names: ObjectTexts) -> None:
    """Add a value with its type before it."""
    text.add(types.text_of(value.type))
    text.add(" ")
    text.add(names.text_of(value))


def _add_alignment(text: TextBuffer, alignment: int) -> None:
    if alignment:
        text.add(", align ")
        text.add_number(alignment)


def _add_alloca(text: TextBuffer, alloca: Any, types: ObjectTexts, texts: Texts) -> None:
    text.add("alloca")
    if alloca.flags is not NO_ALLOCA_FLAGS:
        text.add(_ALLOCA_FLAGS[alloca.flags])
    text.add(" ")
    text.add(types.text_of(alloca.allocated_type))
    count = present.operands_of(alloca)[0]
    if not _is_one(count):
        text.add(f", {texts.typed(count)}")
    _add_alignment(text, alloca.alignment)
    type_ = alloca.type
    if isinstance(type_, PointerType) and type_.address_space:
        text.add(f", {texts.address_space(type_.address_space)}")


def _is_one(count: Any) -> bool:
    if not isinstance(count, ir.ConstantInt) or not isinstance(count.type, ir.IntegerType):
        return False
    return bool(count.value == 1 and count.type.bit_width == _BITS_OF_ALLOCA_COUNT)


def _add_load(text: TextBuffer, load: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    pointer = present.operands_of(load)[0]
    if load.ordering is _NOT_ATOMIC and load.flags is NO_ACCESS_FLAGS:
        text.add("load ")
        text.add(types.text_of(load.type))
        text.add(", ")
        text.add(types.text_of(pointer.type))
        text.add(" ")
        text.add(names.text_of(pointer))
        _add_alignment(text, load.alignment)
    else:
        operands = f"{types.text_of(load.type)}, {types.text_of(pointer.type)} {names.text_of(pointer)}"
        text.add(access_text(load, operands))


def _add_store(text: TextBuffer, store: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    value, pointer = present.operands_of(store)
    if store.ordering is _NOT_ATOMIC and store.flags is NO_ACCESS_FLAGS:
        text.add("store ")
        text.add(types.text_of(value.type))
        text.add(" ")
        text.add(names.text_of(value))
        text.add(", ")
        text.add(types.text_of(pointer.type))
        text.add(" ")
        text.add(names.text_of(pointer))
        _add_alignment(text, store.alignment)
    else:
        typed = f"{types.text_of(value.type)} {names.text_of(value)}"
        text.add(access_text(store, f"{typed}, {types.text_of(pointer.type)} {names.text_of(pointer)}"))


def _add_get_element_ptr(text: TextBuffer, gep: Any, types: ObjectTexts, names: ObjectTexts, texts: Texts) -> None:
    operands = present.operands_of(gep)
    text.add("getelementptr")
    text.add(_GEP_FLAGS[gep.flags])
    text.add(" ")
    text.add(types.text_of(gep.source_element_type))
    text.add(", ")
    if len(operands) == _OPERANDS_OF_MOST_GEPS:
        base, index = operands
        if base.type is not index.type:
            _add_typed(text, base, types, names)
            text.add(", ")
            _add_typed(text, index, types, names)
            return
    # Indices that are not integers, which LLVM no longer creates, may have the type of the pointer.
    base, last = operands[0], operands[-1]
    if last.type is base.type:
        text.add(texts.operands(operands))
    else:
        _add_listed(text, operands, types, names, texts)


def _add_binary(text: TextBuffer, binary: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    lhs, rhs = present.operands_of(binary)
    opcode, flags, fast_math = binary.opcode, binary.flags, binary.fast_math
    text.add(opcode)
    if flags is not NO_INTEGER_FLAGS and flags:
        text.add(flag_texts(opcode)[flags])
    elif fast_math is not NO_FAST_MATH:
        text.add(_FAST_MATH[fast_math])
    text.add(" ")
    _add_pair(text, lhs, rhs, types, names)


def _add_pair(text: TextBuffer, lhs: Value, rhs: Value, types: ObjectTexts, names: ObjectTexts) -> None:
    """Add two values after their common type; if upgrades left two types, each after its own."""
    _add_typed(text, lhs, types, names)
    text.add(", ")
    if rhs.type is not lhs.type:
        text.add(types.text_of(rhs.type))
        text.add(" ")
    text.add(names.text_of(rhs))


def _add_cast(text: TextBuffer, cast: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    value = present.operands_of(cast)[0]
    words, flags, fast_math = cast.opcode, cast.flags, cast.fast_math
    text.add(words)
    if fast_math is not NO_FAST_MATH:
        text.add(_FAST_MATH[fast_math])
    if flags is not NO_CAST_FLAGS and flags:
        text.add(flag_texts(words)[flags])
    text.add(" ")
    _add_typed(text, value, types, names)
    text.add(" to ")
    text.add(types.text_of(cast.type))


def _add_icmp(text: TextBuffer, compare: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    lhs, rhs = present.operands_of(compare)
    flags = compare.flags
    text.add("icmp")
    if flags is not NO_CMP_FLAGS:
        text.add(_CMP_FLAGS[flags])
    text.add(" ")
    text.add(compare.predicate.spelling)
    text.add(" ")
    _add_pair(text, lhs, rhs, types, names)


def _add_fcmp(text: TextBuffer, compare: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    lhs, rhs = present.operands_of(compare)
    text.add("fcmp")
    text.add(_FAST_MATH[compare.fast_math])
    text.add(" ")
    text.add(compare.predicate.spelling)
    text.add(" ")
    _add_pair(text, lhs, rhs, types, names)


def _add_select(text: TextBuffer, select: Any, types: ObjectTexts, names: ObjectTexts, texts: Texts) -> None:
    text.add("select")
    text.add(_FAST_MATH[select.fast_math])
    text.add(" ")
    _add_listed(text, present.operands_of(select), types, names, texts)


def _add_phi(text: TextBuffer, phi: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    text.add("phi")
    text.add(_FAST_MATH[phi.fast_math])
    text.add(" ")
    text.add(types.text_of(phi.type))
    separator = " [ "
    for value, block in zip(present.operands_of(phi), phi._incoming_blocks, strict=True):
        text.add(separator)
        text.add(names.text_of(value))
        text.add(", ")
        text.add(names.text_of(block))
        text.add(" ]")
        separator = ", [ "
    if separator == " [ ":
        text.add(" ")


def _add_return(text: TextBuffer, instruction: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    operands = present.operands_of(instruction)
    if operands:
        text.add("ret ")
        _add_typed(text, operands[0], types, names)
    else:
        text.add("ret void")


def _add_branch(text: TextBuffer, branch: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    operands = present.operands_of(branch)
    if len(operands) == 1:
        text.add("br label ")
        text.add(names.text_of(operands[0]))
    else:
        condition, if_false, if_true = operands
        text.add("br ")
        _add_typed(text, condition, types, names)
        text.add(", label ")
        text.add(names.text_of(if_true))
        text.add(", label ")
        text.add(names.text_of(if_false))


def _add_switch(text: TextBuffer, switch: Any, types: ObjectTexts, names: ObjectTexts) -> None:
    condition, default, *blocks = present.operands_of(switch)
    text.add("switch ")
    _add_typed(text, condition, types, names)
    text.add(", label ")
    text.add(names.text_of(default))
    text.add(" [")
    text.end_line()
    for number, block in zip(switch._case_values, blocks, strict=True):
        text.add("    ")
        _add_typed(text, number, types, names)
        text.add(", label ")
        text.add(names.text_of(block))
        text.end_line()
    text.add("  ]")


def _add_call(text: TextBuffer, call: Any, types: ObjectTexts, names: ObjectTexts, texts: Texts) -> None:
    tail, fast_math = call.tail_kind, call.fast_math
    if tail is not _NO_TAIL:
        text.add(tail.spelling)
        text.add(" ")
    text.add("call")
    if fast_math is not NO_FAST_MATH:
        text.add(_FAST_MATH[fast_math])
    text.add(" ")
    has_ellipsis = tail is _MUST_TAIL and call.function is not None and call.function.is_vararg
    _add_called(text, call, types, names, texts, has_ellipsis)


def _add_invoke(text: TextBuffer, invoke: Any, types: ObjectTexts, names: ObjectTexts, texts: Texts) -> None:
    normal, unwind = map(texts.typed, invoke.successors)
    text.add("invoke ")
    _add_called(text, invoke, types, names, texts, has_ellipsis=False)
    text.end_line()
    text.add(f"          to {normal} unwind {unwind}")


def _add_call_branch(text: TextBuffer, branch: Any, types: ObjectTexts, names: ObjectTexts, texts: Texts) -> None:
    default, *others = branch.successors
    text.add("callbr ")
    _add_called(text, branch, types, names, texts, has_ellipsis=False)
    text.end_line()
    text.add(f"          to {texts.typed(default)} [{texts.listed(others)}]")


def _add_called(
    text: TextBuffer,
    call: Any,
    types: ObjectTexts,
    names: ObjectTexts,
    texts: Texts,
    has_ellipsis: bool,  # noqa: FBT001
) -> None:
    convention = call.calling_convention
    if convention:
        text.add(calling_convention(convention))
    words = _call_words(call.attributes, texts)
    for_function = words.for_function
    if for_function is None:
        words.for_return = attribute_words(call.attributes.for_return, texts)
        for_function = words.for_function = group(call.attributes.for_function, texts)
    text.add(words.for_return)
    callee = present.operands_of(call)[-1]
    if type(call) is not ir.CallBranch:
        text.add(program_address_space(callee.type, texts))
    function_type = call.function_type
    text.add(types.text_of(function_type if function_type.is_vararg else function_type.return_type))
    text.add(" ")
    text.add(names.text_of(callee))
    text.add("(")
    _add_arguments(text, call, words, types, names, texts)
    if has_ellipsis:
        text.add(", ..." if present.argument_count(call) else "...")
    text.add(")")
    text.add(for_function)
    if call._bundles:
        text.add(bundle_words(call, texts))


def _call_words(attributes: AttributeList, texts: Texts) -> CallWords:
    known = texts.call_words.get(id(attributes))
    if known is None:
        known = texts.call_words[id(attributes)] = CallWords(attributes)
    return known


def _add_arguments(
    text: TextBuffer, call: Any, words: CallWords, types: ObjectTexts, names: ObjectTexts, texts: Texts
) -> None:
    operands, count = present.operands_of(call), present.argument_count(call)
    callee = operands[-1]
    has_remarks = present.name_of(callee).startswith(FAMILIES)
    parameters = call.attributes._parameters
    if not parameters and not has_remarks:
        _add_listed(text, operands[:count], types, names, texts)
        return
    remarks = argument_remarks(call) if has_remarks else None
    known = words.parameters
    size = 0
    for index, argument in enumerate(operands[:count]):
        if index:
            text.add(", ")
        if remarks is not None and index in remarks:
            text.add(remarks[index])
        type_, name = types.text_of(argument.type), names.text_of(argument)
        text.add(type_)
        text.add(" ")
        if index in parameters:
            word = known.get(index)
            if word is None:
                word = known[index] = attribute_words(parameters[index], texts)
            text.add(word)
            size += len(word)
        text.add(name)
        size += len(type_) + len(name) + 2
        if index >= FEW:
            if texts.limit.enough is not None and size > texts.limit.enough:
                break
            texts.limit.check(size)


def _add_listed(
    text: TextBuffer, values: Sequence[Value], types: ObjectTexts, names: ObjectTexts, texts: Texts
) -> None:
    """Add values with their types, separated by commas."""
    if len(values) > FEW:
        text.add(texts.listed(values))
        return
    is_first = True
    for value in values:
        if is_first:
            is_first = False
        else:
            text.add(", ")
        _add_typed(text, value, types, names)
