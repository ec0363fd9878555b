"""Rules of constants that are made of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import ConstantCast, ConstantPtrAuth
from bitcodec.ir.constants import ConstantInt, ConstantWithOperands
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.type_properties import is_integer, is_pointer
from bitcodec.verifier.casts import CAST_RULES
from bitcodec.verifier.rules import Problem, first_broken, without_values

if TYPE_CHECKING:
    from bitcodec.ir.values import Value
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_constant"]

_CASTS: dict[str, Rules] = {opcode: CAST_RULES[opcode] for opcode in ("bitcast", "ptrtoaddr")}
"""Of the constant casts, the rules that LLVM's verifier applies."""
_SIGNED_POINTER: Rules = (
    (
        "signed ptrauth constant base pointer must have pointer type",
        lambda signed, _: is_pointer(signed.pointer.type),
        without_values,
    ),
    (
        "signed ptrauth constant must have same type as its base pointer",
        lambda signed, _: signed.type is signed.pointer.type,
        without_values,
    ),
    (
        "signed ptrauth constant key must be i32 constant integer",
        lambda signed, _: isinstance(signed.key, ConstantInt) and is_integer(signed.key.type, 32),
        without_values,
    ),
    (
        "signed ptrauth constant address discriminator must be a pointer",
        lambda signed, _: is_pointer(signed.address_discriminator.type),
        without_values,
    ),
    (
        "signed ptrauth constant discriminator must be i64 constant integer",
        lambda signed, _: isinstance(signed.discriminator, ConstantInt) and is_integer(signed.discriminator.type, 64),
        without_values,
    ),
    (
        "signed ptrauth constant deactivation symbol must be a pointer",
        lambda signed, _: is_pointer(signed.deactivation_symbol.type),
        without_values,
    ),
    (
        "signed ptrauth constant deactivation symbol must be a global value or null",
        lambda signed, _: isinstance(signed.deactivation_symbol, GlobalValue) or signed.deactivation_symbol.is_null,
        without_values,
    ),
)


def _rules_of(constant: ConstantWithOperands) -> Rules:
    if isinstance(constant, ConstantCast):
        return _CASTS.get(constant.opcode, ())
    return _SIGNED_POINTER if isinstance(constant, ConstantPtrAuth) else ()


def check_constant(constant: Value, subject: object, verifier: Verifier) -> None:
    """Check a constant and its operands, each once in a module; report problems of `subject`."""
    pending, seen = [constant], verifier.constants
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        if isinstance(current, GlobalValue):
            if current.parent is not verifier.module:
                values = constant, verifier.module, current, current.parent
                verifier.report(Problem("Referencing global in another module!", *values), subject)
            continue
        if isinstance(current, ConstantWithOperands):
            seen.add(current)
            problem = first_broken(_rules_of(current), current, verifier)
            if problem is not None:
                verifier.report(problem, current)
            pending += current.operands
