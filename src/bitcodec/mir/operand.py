"""Base class of all operands of machine instructions."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["MachineOperand", "offset_text"]


@dataclass(frozen=True, slots=True)
class MachineOperand:
    """An operand.  It does not change: an instruction is given another one.  `str` is its spelling.

    Attributes:
        target_flags: flags of the target, such as `x86-gotpcrel`.
        comment: LLVM's comment on it for readers of the file.
    """

    target_flags: tuple[str, ...] = field(default=(), kw_only=True)
    comment: str = field(default="", kw_only=True, compare=False)

    def __str__(self) -> str:
        return self._with_marks(self._text())

    def _text(self) -> str:
        """Return the text between target flags and comment."""
        raise NotImplementedError

    def _with_marks(self, text: str) -> str:
        if self.target_flags:
            text = f"target-flags({', '.join(self.target_flags)}) {text}"
        return f"{text} /* {self.comment} */" if self.comment else text


def offset_text(offset: int) -> str:
    """Return the text of an offset in bytes, behind the base that it is added to."""
    if offset == 0:
        return ""
    return f" + {offset}" if offset > 0 else f" - {-offset}"
