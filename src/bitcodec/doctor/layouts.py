"""LLVM's messages for data layouts that make no sense, by the reasons, which have the messages of LLVM 20 and newer.

Rules: messages of the readers of LLVM 4 to 22 about such layouts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason
from bitcodec.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["message_about_layout"]

_FIRST_WITH_NEW_MESSAGES = 20
_LAST_FATAL = 14
"""The last version that ends the program."""
_IN_LAYOUT = " in datalayout string"


class _Older(NamedTuple):
    """A row.

    Attributes:
        reasons: of LLVM 20.
        message: the message of older versions.
        oldest: the first version that notices.
        part: a regular expression for the part of the layout.
        what: the subject of the reason; "" for any.
    """

    reasons: tuple[Reason, ...]
    message: str
    oldest: int = 0
    part: str = ".*"
    what: str = ""

    def fits(self, reason: Sentence, part: str) -> bool:
        """Return whether a row is about a part of a layout that is refused for a reason."""
        is_meant = not self.what or reason.parameters.get("what") == self.what
        return reason.identity in self.reasons and is_meant and re.fullmatch(self.part, part, re.DOTALL) is not None


_NEVER = _FIRST_WITH_NEW_MESSAGES
_EMPTY = (Reason.LAYOUT_EMPTY_SPACE, Reason.LAYOUT_EMPTY_SIZE, Reason.LAYOUT_EMPTY_ALIGNMENT)
_SIZE, _FORM, _MANGLING = (Reason.LAYOUT_SIZE,), (Reason.LAYOUT_FORM,), (Reason.LAYOUT_MANGLING,)
_ZERO = (Reason.LAYOUT_ZERO_ALIGNMENT,)
_ROWS = (
    _Older((Reason.LAYOUT_BYTE_ORDER,), "", _NEVER),
    _Older(_SIZE, "", _NEVER, r"[ifv]0\b.*", "size"),
    _Older(_MANGLING, "Unknown mangling specifier" + _IN_LAYOUT, part="m:.{2,}"),
    _Older(_MANGLING, "Unknown mangling" + _IN_LAYOUT),
    _Older(_FORM, "Expected mangling specifier" + _IN_LAYOUT, part="m"),
    _Older(_FORM, "Unexpected trailing characters after mangling specifier" + _IN_LAYOUT, part="m.+"),
    _Older((Reason.LAYOUT_SPECIFIER,), "Unknown specifier" + _IN_LAYOUT),
    _Older((Reason.LAYOUT_EMPTY,), "Expected token before separator" + _IN_LAYOUT),
    _Older(_EMPTY, "Trailing separator" + _IN_LAYOUT),
    _Older(_FORM, "Missing alignment specification" + _IN_LAYOUT, part="[ifv].*"),
    _Older(_FORM, "Missing size specification for pointer" + _IN_LAYOUT, part=r"p\d*"),
    _Older(_FORM, "Missing alignment specification for pointer" + _IN_LAYOUT, part=r"p\d*:\d+"),
    _Older((Reason.LAYOUT_ALIGNMENT,), "number of bits must be a byte width multiple"),
    _Older(_SIZE, "Invalid bit width, must be a 24-bit integer", part=r"[ifva]\d+\b.*", what="size"),
    _Older((Reason.LAYOUT_SPACE,), "Invalid address space, must be a 24-bit integer"),
    _Older((Reason.LAYOUT_BYTE_ALIGNMENT,), "Invalid ABI alignment, i8 must be naturally aligned", 16),
    _Older((Reason.LAYOUT_PREFERRED_ALIGNMENT,), "Preferred alignment cannot be less than the ABI alignment"),
    _Older((Reason.LAYOUT_NON_INTEGRAL_DEFAULT_SPACE,), "Address space 0 can never be non-integral"),
    _Older((Reason.LAYOUT_AGGREGATE_SIZE,), "Sized aggregate specification" + _IN_LAYOUT),
    _Older(
        (Reason.LAYOUT_ZERO_ALIGNMENT,), "ABI alignment specification must be >0 for non-aggregate types", what="ABI"
    ),
    _Older((Reason.LAYOUT_FUNCTION_POINTERS,), "Unknown function pointer alignment type" + _IN_LAYOUT),
    _Older(_SIZE, "Invalid pointer size of 0 bytes", what="pointer size"),
    _Older(_SIZE, "Invalid index size of 0 bytes", 7, what="index size"),
    _Older((Reason.LAYOUT_INDEX_SIZE,), "Index width cannot be larger than pointer width", 18),
)
_OTHERWISE = _Older((), "not a number, or does not fit in an unsigned int")
_TRAILING = _Older((Reason.LAYOUT_EMPTY,), "Trailing separator" + _IN_LAYOUT)


def message_about_layout(reason: Sentence, version: int) -> str | None:
    """Return the message of a version of LLVM about a data layout, None if it takes it.

    Args:
        reason: bitcodec's own.
        version: of LLVM.
    """
    parameters: Mapping[str, int | str] = reason.parameters
    cause, part = parameters["cause"], str(parameters["part"])
    if not isinstance(cause, Sentence) or version >= _FIRST_WITH_NEW_MESSAGES:
        return str(cause)
    ends_early = cause.identity is Reason.LAYOUT_EMPTY and str(parameters["layout"])[-2:-1] == "-"
    found = _TRAILING if ends_early else next((row for row in _ROWS if row.fits(cause, part)), _OTHERWISE)
    if version < found.oldest:
        return None
    return ("LLVM ERROR: " if version <= _LAST_FATAL else "") + found.message
