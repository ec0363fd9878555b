"""What all operands of machine instructions have in common."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["MachineOperand", "offset_text"]


@dataclass(frozen=True, slots=True)
class MachineOperand:
    """An operand.  It does not change: an instruction is given another one.  `str` is how it is written.

    Attributes:
        target_flags: what the target says of it, such as `x86-gotpcrel`.
        comment: what LLVM says of it for who reads the file.
    """

    target_flags: tuple[str, ...] = field(default=(), kw_only=True)
    comment: str = field(default="", kw_only=True, compare=False)

    def __str__(self) -> str:
        return self._with_marks(self._text())

    def _text(self) -> str:
        """Return what stands between target flags and comment."""
        raise NotImplementedError

    def _with_marks(self, text: str) -> str:
        if self.target_flags:
            text = f"target-flags({', '.join(self.target_flags)}) {text}"
        return f"{text} /* {self.comment} */" if self.comment else text


def offset_text(offset: int) -> str:
    """Return what stands behind something that an offset in bytes is added to."""
    if offset == 0:
        return ""
    return f" + {offset}" if offset > 0 else f" - {-offset}"
