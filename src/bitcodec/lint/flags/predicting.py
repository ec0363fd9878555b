"""Predicted messages of linkers about module flags.

`llvm-link`: docs/reference/flags.md, 3 and 4.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.flags.merging import Merge

__all__ = ["Message", "Prediction", "llvm_link", "messages_of"]


class Message(NamedTuple):
    """A message of a linker.

    Attributes:
        text: the message, without `error: ` or `warning: `.
        is_error: whether it stops the link.
    """

    text: str
    is_error: bool


class Prediction(NamedTuple):
    """The predicted behavior of a linker.

    Attributes:
        linker: its name.
        messages: its messages, in order.
    """

    linker: str
    messages: tuple[Message, ...]

    @property
    def is_stopped(self) -> bool:
        """Whether it stops."""
        return any(message.is_error for message in self.messages)


def llvm_link(merge: Merge) -> Prediction:
    """Return the predicted messages of `llvm-link` 22."""
    return Prediction("llvm-link", tuple(messages_of(merge)))


def messages_of(merge: Merge) -> Iterator[Message]:
    """Yield LLVM's messages about a merge: it stops at the first error."""
    for each in merge.diagnostics:
        yield Message(str(each), each.is_error)
        if each.is_error:
            return
