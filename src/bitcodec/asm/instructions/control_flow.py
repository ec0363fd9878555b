"""`phi`, and the terminators that neither call nor unwind.  Rules: assembly text reference, section 9.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir
from bitcodec.asm.instructions.flags import FAST_MATH

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts

__all__ = ["TEXTS"]


def _phi(phi: ir.Phi, texts: Texts) -> str:
    names = texts.names
    edges = zip(phi._operands, phi._incoming_blocks, strict=True)
    incoming = ", ".join([f"[ {names[value]}, {names[block]} ]" for value, block in edges])
    return f"phi{FAST_MATH[phi.fast_math]} {texts.types[phi.type]} {incoming}"


def _return(instruction: ir.Return, texts: Texts) -> str:
    operands = instruction._operands
    return f"ret {texts.typed(operands[0])}" if operands else "ret void"


def _branch(branch: ir.Branch, texts: Texts) -> str:
    names, operands = texts.names, branch._operands
    if len(operands) == 1:
        return f"br label {names[operands[0]]}"
    condition, if_false, if_true = operands
    return f"br {texts.types[condition.type]} {names[condition]}, label {names[if_true]}, label {names[if_false]}"


def _switch(switch: ir.Switch, texts: Texts) -> str:
    types, names = texts.types, texts.names
    condition, default, *blocks = switch._operands
    type_ = types[condition.type]
    cases = "".join(
        [
            f"    {type_} {names[number]}, label {names[block]}\n"
            for number, block in zip(switch._case_values, blocks, strict=True)
        ]
    )
    return f"switch {type_} {names[condition]}, label {names[default]} [\n{cases}  ]"


def _indirect_branch(branch: ir.IndirectBranch, texts: Texts) -> str:
    address, *blocks = branch._operands
    return f"indirectbr {texts.typed(address)}, [{texts.listed(blocks)}]"


def _unreachable(_instruction: ir.Unreachable, _texts: Texts) -> str:
    return "unreachable"


TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    ir.Phi: _phi,
    ir.Return: _return,
    ir.Branch: _branch,
    ir.Switch: _switch,
    ir.IndirectBranch: _indirect_branch,
    ir.Unreachable: _unreachable,
}
