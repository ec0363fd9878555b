"""Operands from tokens.  Rules: the syntax that LLVM's own reader of machine IR accepts.

A table has the function that reads an operand, by the kind of its first token or by its first word.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from bitcodec.mir.cfi import cfi_instruction
from bitcodec.mir.names import name_of, plain_name, symbol_name
from bitcodec.mir.operands import (
    BlockAddressOperand,
    BlockReference,
    CImmediate,
    ConstantPoolIndex,
    CustomRegisterMask,
    DebugInstrRef,
    ExternalSymbol,
    FPImmediate,
    FrameIndex,
    GlobalAddress,
    Immediate,
    ImmediateMnemonic,
    InlineNode,
    IntrinsicID,
    IRBlock,
    IRValue,
    JumpTableIndex,
    LaneMask,
    LiveOut,
    MCSymbol,
    NodeAddress,
    NodeReference,
    Predicate,
    RegisterMask,
    ShuffleMask,
    SubRegisterIndex,
    TargetIndex,
)
from bitcodec.mir.registers import MAX_REGISTER, REGISTER_FLAGS, Register, flags_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.mir.lexer import Tokens
    from bitcodec.mir.operand import MachineOperand

__all__ = ["external_symbol", "global_address", "low_level_type", "node", "operand", "register", "symbol"]

_INTEGER_TYPE = re.compile(r"i[0-9]+\Z")
_FLOAT_TYPES = frozenset({"half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128"})
_CFI = "CFI_INSTRUCTION"
_MAX_DIGITS = len(str(MAX_REGISTER))
_MAX_INTEGER_BITS = 1 << 23
_T = TypeVar("_T")


def operand(tokens: Tokens, opcode: str) -> MachineOperand:
    """Read one operand of an instruction, with its target flags and its comment."""
    tokens.skip_comments()
    flags = _target_flags(tokens) if tokens.text == "target-flags" else ()
    found = _bare_operand(tokens, opcode)
    comment = tokens.skip_comments()
    return replace(found, target_flags=flags, comment=comment) if flags or comment else found


def register(tokens: Tokens, *given: str) -> Register:
    """Read a register with its flags; flags that its place implies are added."""
    words = [*given]
    while tokens.text in REGISTER_FLAGS:
        words.append(tokens.advance())
    name = tokens.advance() if tokens.text == "_" else _register_name(tokens)
    sub_register = tokens.take("word", "a subregister index") if tokens.accept(".") else ""
    register_class = tokens.take("word", "a register class or bank") if tokens.accept(":") else ""
    tied_def, type = None, ""
    while tokens.accept("("):
        if tokens.accept("tied-def"):
            tied_def = tokens.integer()
        else:
            type = low_level_type(tokens)
        tokens.expect(")")
    return Register(name, flags_of(*words), sub_register, register_class, tied_def, type)


def _register_name(tokens: Tokens) -> str:
    name = tokens.text
    if tokens.kind == "register" and name.startswith("%") and name[1:].isdecimal():
        number = name[1:].lstrip("0") or "0"
        if len(number) > _MAX_DIGITS or int(number) > MAX_REGISTER:
            tokens.fail("the number of a virtual register, at most 32 bits wide, expected")
        tokens.advance()
        return f"%{number}"
    return tokens.take("register", "a register")


def low_level_type(tokens: Tokens) -> str:
    """Read a type such as `s32`, `p0` or `<vscale x 4 x s32>`."""
    if not tokens.accept("<"):
        return tokens.take("word", "a type")
    words = []
    while tokens.kind in {"word", "integer"}:
        words.append(tokens.advance())
    tokens.expect(">")
    return f"<{' '.join(words)}>"


def node(tokens: Tokens) -> MachineOperand:
    """Read a metadata node: its number, its contents, or the address that LLVM prints if it knows neither."""
    if tokens.kind == "address":
        return NodeAddress(tokens.advance()[1:-1])
    text = tokens.take("metadata", "a metadata node")[1:]
    if not text:
        return NodeReference(tokens.integer("the number of a node"))
    return NodeReference(int(text)) if text.isdecimal() else InlineNode(text, _fields(tokens))


def symbol(tokens: Tokens) -> MCSymbol:
    """Read a label of the back end."""
    return MCSymbol(symbol_name(tokens.take("symbol", "'<mcsymbol ...>'")))


def _target_flags(tokens: Tokens) -> tuple[str, ...]:
    tokens.advance()
    tokens.expect("(")
    return tuple(_listed(tokens, lambda: tokens.take("word", "a target flag")))


def _bare_operand(tokens: Tokens, opcode: str) -> MachineOperand:
    if tokens.kind == "word":
        if opcode == _CFI:
            return cfi_instruction(tokens)
        if tokens.text in REGISTER_FLAGS:
            return register(tokens)
        read = _BY_WORD.get(tokens.text, _word)
    else:
        read = _BY_KIND.get(tokens.kind, _nothing)
    return read(tokens)


def _nothing(tokens: Tokens) -> MachineOperand:
    tokens.fail("an operand expected")


def _word(tokens: Tokens) -> MachineOperand:
    """Read a typed constant, or the name of a register mask."""
    if _INTEGER_TYPE.match(tokens.text):
        return _integer_constant(tokens)
    word = tokens.advance()
    if word in _FLOAT_TYPES:
        if tokens.kind not in {"float", "hex", "integer"}:
            tokens.fail("a floating-point number expected")
        return FPImmediate(word, tokens.advance())
    if tokens.text == "(":
        tokens.fail(f"'{word}' does not take arguments; ',' expected")
    return RegisterMask(word)


def _integer_constant(tokens: Tokens) -> CImmediate:
    """Read a constant of an integer type; as in LLVM, bits that the type has no room for are dropped."""
    digits = tokens.text[1:]
    if len(digits) > _MAX_DIGITS or not 0 < int(digits) <= _MAX_INTEGER_BITS:
        tokens.fail(f"an integer type of at most {_MAX_INTEGER_BITS} bits expected")
    width = int(digits)
    tokens.advance()
    type = f"i{width}"
    if tokens.text in {"true", "false"} and width == 1:
        return CImmediate(type, int(tokens.advance() == "true"))
    if tokens.kind != "integer":
        tokens.fail("an integer expected")
    value = tokens.integer()
    if value.bit_length() >= width:
        value &= (1 << width) - 1
        value -= (value >> width - 1 << width) * (width > 1)
    return CImmediate(type, value)


def _immediate(tokens: Tokens) -> Immediate:
    """Read a number of 64 bits; as in LLVM, those beyond the greatest signed one are negative."""
    value = tokens.bounded_integer(-(1 << 63), (1 << 64) - 1, "an immediate")
    return Immediate(value - (1 << 64) if value >> 63 > 0 else value)


def _listed(tokens: Tokens, read: Callable[[], _T], *, ends_with_comma: bool = False) -> list[_T]:
    """Read items between commas, up to a closing parenthesis, which a comma may precede if `ends_with_comma`."""
    items: list[_T] = []
    if tokens.accept(")"):
        return items
    while not (ends_with_comma and tokens.text == ")"):
        items.append(read())
        if not tokens.accept(","):
            break
    tokens.expect(")")
    return items


def _fields(tokens: Tokens) -> tuple[str, ...]:
    """Read the contents of an inline node, field by field: `line: 3`, or an operation of an expression."""
    tokens.expect("(")
    fields: list[str] = []
    words: list[str] = []
    depth = 1
    while depth:
        if tokens.kind in {"end", "bad"}:
            tokens.fail("')' expected")
        text = tokens.advance()
        depth += (text == "(") - (text == ")")
        if depth == 0 or (text == "," and depth == 1):
            fields.append("".join(words))
            words.clear()
        else:
            words.append(f"{text} " if text in {":", ","} else text)
    return tuple(fields) if fields != [""] else ()


def _block(tokens: Tokens) -> MachineOperand:
    number, _, name = tokens.advance()[len("%bb.") :].partition(".")
    return BlockReference(int(number), name)


def _stack(tokens: Tokens) -> MachineOperand:
    number, _, name = tokens.advance()[len("%stack.") :].partition(".")
    return FrameIndex(int(number), name)


def _fixed_stack(tokens: Tokens) -> MachineOperand:
    return FrameIndex(_number(tokens), is_fixed=True)


def _constant(tokens: Tokens) -> MachineOperand:
    return ConstantPoolIndex(_number(tokens), tokens.offset())


def _number(tokens: Tokens) -> int:
    return int(tokens.advance().rpartition(".")[2])


def global_address(tokens: Tokens) -> GlobalAddress:
    """Read a global, and its addend."""
    return GlobalAddress(name_of(tokens.take("global", "a global")[1:]), tokens.offset())


def external_symbol(tokens: Tokens) -> ExternalSymbol:
    """Read a symbol, and its addend."""
    return ExternalSymbol(plain_name(tokens.take("external", "a symbol")[1:]), tokens.offset())


def _ir_block(tokens: Tokens) -> IRBlock:
    return IRBlock(name_of(tokens.take("ir_block", "a block of the IR part")[len("%ir-block.") :]))


def _value(tokens: Tokens) -> MachineOperand:
    text = tokens.advance()
    return IRValue(text=text[1:-1]) if text.startswith("`") else IRValue(name_of(text[len("%ir.") :]))


def _block_address(tokens: Tokens) -> MachineOperand:
    tokens.advance()
    tokens.expect("(")
    function = GlobalAddress(name_of(tokens.take("global", "a function")[1:]))
    tokens.expect(",")
    block = _ir_block(tokens)
    tokens.expect(")")
    return BlockAddressOperand(function, block, tokens.offset())


def _target_index(tokens: Tokens) -> MachineOperand:
    return TargetIndex(_argument(tokens, "word", "the name of a target index"), tokens.offset())


def _predicate(tokens: Tokens) -> MachineOperand:
    is_float = tokens.text == "floatpred"
    return Predicate(_argument(tokens, "word", "a predicate"), is_float)


def _intrinsic(tokens: Tokens) -> MachineOperand:
    return IntrinsicID(name_of(_argument(tokens, "global", "an intrinsic")[1:]))


def _argument(tokens: Tokens, kind: str, what: str) -> str:
    """Read a word with one argument; return that."""
    tokens.advance()
    tokens.expect("(")
    text = tokens.take(kind, what)
    tokens.expect(")")
    return text


def _numbers(tokens: Tokens) -> tuple[int, ...]:
    """Read a word with numbers as arguments; `undef` and `poison` are -1."""
    tokens.advance()
    tokens.expect("(")
    return tuple(_listed(tokens, lambda: -1 if tokens.accept("undef") or tokens.accept("poison") else tokens.integer()))


def _shuffle_mask(tokens: Tokens) -> MachineOperand:
    return ShuffleMask(_numbers(tokens))


def _lane_mask(tokens: Tokens) -> MachineOperand:
    return LaneMask(*_counted(tokens, 1))


def _debug_instr_ref(tokens: Tokens) -> MachineOperand:
    return DebugInstrRef(*_counted(tokens, 2))


def _counted(tokens: Tokens, count: int) -> tuple[int, ...]:
    word = tokens.text
    numbers = _numbers(tokens)
    if len(numbers) != count:
        tokens.fail(f"'{word}' takes {count} {'number' if count == 1 else 'numbers'}")
    return numbers


def _registers(tokens: Tokens, *, ends_with_comma: bool = False) -> tuple[str, ...]:
    tokens.advance()
    tokens.expect("(")
    return tuple(_listed(tokens, lambda: tokens.take("register", "a register"), ends_with_comma=ends_with_comma))


def _mark(tokens: Tokens) -> MachineOperand:
    """Read an immediate that the target has a word for, which begins with a dot."""
    start = tokens.start
    if not tokens.accept("."):
        _nothing(tokens)
    words = ["."]
    while tokens.kind in _IN_MNEMONIC and tokens.start == start + len("".join(words)):
        words.append(tokens.advance())
    if len(words) == 1:
        tokens.fail("a word behind '.' expected")
    return ImmediateMnemonic("".join(words))


_IN_MNEMONIC = frozenset({"integer", "word"})


_BY_KIND: dict[str, Callable[[Tokens], MachineOperand]] = {
    "register": register,
    "integer": _immediate,
    "block": _block,
    "stack": _stack,
    "fixed_stack": _fixed_stack,
    "constant": _constant,
    "jump_table": lambda tokens: JumpTableIndex(_number(tokens)),
    "global": global_address,
    "external": external_symbol,
    "metadata": node,
    "address": node,
    "symbol": symbol,
    "sub_register": lambda tokens: SubRegisterIndex(tokens.advance()[len("%subreg.") :]),
    "value": _value,
    "ir_block": _ir_block,
    "mark": _mark,
}

_BY_WORD: dict[str, Callable[[Tokens], MachineOperand]] = {
    "_": register,
    "intrinsic": _intrinsic,
    "intpred": _predicate,
    "floatpred": _predicate,
    "shufflemask": _shuffle_mask,
    "blockaddress": _block_address,
    "target-index": _target_index,
    "lanemask": _lane_mask,
    "dbg-instr-ref": _debug_instr_ref,
    "liveout": lambda tokens: LiveOut(_registers(tokens)),
    "CustomRegMask": lambda tokens: CustomRegisterMask(_registers(tokens, ends_with_comma=True)),
}
