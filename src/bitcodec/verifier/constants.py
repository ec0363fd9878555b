"""Rules of constants that are made of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import ConstantCast, ConstantPtrAuth
from bitcodec.ir.constants import ConstantInt, ConstantWithOperands
from bitcodec.ir.globals import GlobalValue
from bitcodec.verifier.casts import is_bitcast
from bitcodec.verifier.kinds import is_integer, is_pointer
from bitcodec.verifier.rules import first_broken

if TYPE_CHECKING:
    from bitcodec.ir.values import Value
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_constant"]

_CAST: Rules = (("Invalid bitcast", lambda cast: cast.opcode != "bitcast" or is_bitcast(cast.operand.type, cast.type)),)
_SIGNED_POINTER: Rules = (
    ("signed ptrauth constant base pointer must have pointer type", lambda signed: is_pointer(signed.pointer.type)),
    (
        "signed ptrauth constant must have same type as its base pointer",
        lambda signed: signed.type is signed.pointer.type,
    ),
    (
        "signed ptrauth constant key must be i32 constant integer",
        lambda signed: isinstance(signed.key, ConstantInt) and is_integer(signed.key.type, 32),
    ),
    (
        "signed ptrauth constant address discriminator must be a pointer",
        lambda signed: is_pointer(signed.address_discriminator.type),
    ),
    (
        "signed ptrauth constant discriminator must be i64 constant integer",
        lambda signed: isinstance(signed.discriminator, ConstantInt) and is_integer(signed.discriminator.type, 64),
    ),
    (
        "signed ptrauth constant deactivation symbol must be a pointer",
        lambda signed: is_pointer(signed.deactivation_symbol.type),
    ),
)
_RULES: dict[type, Rules] = {ConstantCast: _CAST, ConstantPtrAuth: _SIGNED_POINTER}


def check_constant(constant: Value, subject: object, verifier: Verifier) -> None:
    """Check a constant and its operands, each once in a module; report problems of `subject`."""
    pending, seen = [constant], verifier.constants
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        if isinstance(current, GlobalValue):
            if current.parent is not verifier.module:
                verifier.report("Referencing global in another module!", subject)
            continue
        if isinstance(current, ConstantWithOperands):
            seen.add(current)
            problem = first_broken(_RULES.get(type(current), ()), current)
            if problem is not None:
                verifier.report(problem, current)
            pending += current.operands
