"""Registers as operands.  Rules: LLVM's MIR language reference, "Register Operands"."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from bitcodec.mir.operand import MachineOperand

__all__ = ["MAX_REGISTER", "NO_REGISTER", "REGISTER_FLAGS", "Register", "RegisterFlag", "flags_of"]


MAX_REGISTER = 0xFFFF_FFFF
"""The greatest number of a virtual register."""


class RegisterFlag(enum.IntFlag):
    """Properties of a register as an operand."""

    NONE = 0
    DEFINE = 1
    IMPLICIT = 2
    INTERNAL_READ = 4
    DEAD = 8
    KILLED = 16
    UNDEF = 32
    EARLY_CLOBBER = 64
    RENAMABLE = 128
    DEBUG = 256


REGISTER_FLAGS = {
    "implicit-def": RegisterFlag.IMPLICIT | RegisterFlag.DEFINE,
    "implicit": RegisterFlag.IMPLICIT,
    "def": RegisterFlag.DEFINE,
    "internal": RegisterFlag.INTERNAL_READ,
    "dead": RegisterFlag.DEAD,
    "killed": RegisterFlag.KILLED,
    "undef": RegisterFlag.UNDEF,
    "early-clobber": RegisterFlag.EARLY_CLOBBER,
    "renamable": RegisterFlag.RENAMABLE,
    "debug-use": RegisterFlag.DEBUG,
}
"""Flags by their spelling, in the order in which LLVM prints them."""


@lru_cache(1024)
def flags_of(*words: str) -> RegisterFlag:
    """Return the flags that words spell."""
    flags = RegisterFlag.NONE
    for word in words:
        flags |= REGISTER_FLAGS[word]
    return flags


@lru_cache(1024)
def _spelling(flags: RegisterFlag) -> str:
    """Return the text of flags in front of a register."""
    words = []
    for word, flag in REGISTER_FLAGS.items():
        if flags & flag == flag:
            words.append(f"{word} ")
            flags &= ~flag
    return "".join(words)


@dataclass(frozen=True, slots=True)
class Register(MachineOperand):
    """A register that is read or written.

    Attributes:
        name: with its mark: `$eax`, `%5`, `%name`; `$noreg` is none.
        flags: properties of the register as an operand.
        sub_register: index of the part of it that is meant, such as `sub_32`.
        register_class: class or bank, where a virtual register is defined; `_` is neither.
        tied_def: number of the operand that must be the same register, where LLVM gives it.
        type: low-level type of a generic register, such as `s32` or `<4 x s32>`.
    """

    __match_args__: ClassVar = ("name", "flags")

    name: str
    flags: RegisterFlag = RegisterFlag.NONE
    sub_register: str = ""
    register_class: str = ""
    tied_def: int | None = None
    type: str = ""

    @property
    def is_virtual(self) -> bool:
        """Whether no register of the machine has been given to it yet."""
        return self.name.startswith("%")

    @property
    def is_def(self) -> bool:
        """Whether it is written."""
        return bool(self.flags & RegisterFlag.DEFINE)

    @property
    def is_implicit(self) -> bool:
        """Whether its use is implied by the opcode."""
        return bool(self.flags & RegisterFlag.IMPLICIT)

    def with_flags(self, added: RegisterFlag, removed: RegisterFlag = RegisterFlag.NONE) -> Register:
        """Return this register with other flags."""
        return replace(self, flags=self.flags & ~removed | added)

    def defined(self) -> str:
        """Return its text in front of `=`, where every register is written."""
        return self._with_marks(_spelling(self.flags & ~RegisterFlag.DEFINE) + self._place())

    def _text(self) -> str:
        return _spelling(self.flags) + self._place()

    def _place(self) -> str:
        text = self.name
        if self.sub_register:
            text = f"{text}.{self.sub_register}"
        if self.register_class:
            text = f"{text}:{self.register_class}"
        if self.tied_def is not None:
            text = f"{text}(tied-def {self.tied_def})"
        return f"{text}({self.type})" if self.type else text


NO_REGISTER = Register("$noreg")
