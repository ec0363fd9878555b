"""LLVM's messages for data layouts that make no sense, by those of LLVM 20 and newer, which bitcodec has.

Rules: what the readers of LLVM 4 to 22 print of such layouts.
"""

from __future__ import annotations

import re

from bitcodec.named_tuple import NamedTuple

__all__ = ["message_about_layout"]

_FIRST_WITH_NEW_MESSAGES = 20
_LAST_FATAL = 14
"""The last version that ends the program."""
_INNER = re.compile(r"makes no sense: data layout: (?:'[^']*': )?(.*)$")
_IN_LAYOUT = " in datalayout string"


class _Older(NamedTuple):
    """A row.

    Attributes:
        pattern: of the part of the layout and the message of LLVM 20.
        message: that of older versions.
        oldest: the first version that notices.
    """

    pattern: re.Pattern[str]
    message: str
    oldest: int = 0


def _older(pattern: str, message: str, oldest: int = 0) -> _Older:
    return _Older(re.compile(pattern), message, oldest)


_NEVER = _FIRST_WITH_NEW_MESSAGES
_ROWS = (
    _older(r"must be just 'e' or 'E'", "", _NEVER),
    _older(r"'[ifv]0\b.*': size must be a non-zero", "", _NEVER),
    _older(r"'m:[^']{2,}': unknown mangling mode", "Unknown mangling specifier" + _IN_LAYOUT),
    _older(r"unknown mangling mode", "Unknown mangling" + _IN_LAYOUT),
    _older(r"'m': malformed", "Expected mangling specifier" + _IN_LAYOUT),
    _older(r"'m[^']+': malformed", "Unexpected trailing characters after mangling specifier" + _IN_LAYOUT),
    _older(r"unknown specifier '", "Unknown specifier" + _IN_LAYOUT),
    _older(r"-' makes no sense: data layout: '': empty", "Trailing separator" + _IN_LAYOUT),
    _older(r"empty specification", "Expected token before separator" + _IN_LAYOUT),
    _older(r"component cannot be empty", "Trailing separator" + _IN_LAYOUT),
    _older(r'form "[ifv]<size>', "Missing alignment specification" + _IN_LAYOUT),
    _older(r"'p\d*': malformed", "Missing size specification for pointer" + _IN_LAYOUT),
    _older(r"'p\d*:\d+': malformed", "Missing alignment specification for pointer" + _IN_LAYOUT),
    _older(r"must be a power of two times the byte width", "number of bits must be a byte width multiple"),
    _older(r"'[ifva]\d+\b.*': size must be a non-zero", "Invalid bit width, must be a 24-bit integer"),
    _older(r"address space must be a 24-bit", "Invalid address space, must be a 24-bit integer"),
    _older(r"i8 must be 8-bit aligned", "Invalid ABI alignment, i8 must be naturally aligned", 16),
    _older(r"preferred alignment cannot be", "Preferred alignment cannot be less than the ABI alignment"),
    _older(r"cannot be non-integral", "Address space 0 can never be non-integral"),
    _older(r"size must be zero", "Sized aggregate specification" + _IN_LAYOUT),
    _older(r"ABI alignment must be non-zero", "ABI alignment specification must be >0 for non-aggregate types"),
    _older(r"unknown function pointer alignment", "Unknown function pointer alignment type" + _IN_LAYOUT),
    _older(r"pointer size must be a non-zero", "Invalid pointer size of 0 bytes"),
    _older(r"index size must be a non-zero", "Invalid index size of 0 bytes", 7),
    _older(r"index size cannot be larger", "Index width cannot be larger than pointer width", 18),
    _older(r"", "not a number, or does not fit in an unsigned int"),
)


def message_about_layout(reason: str, version: int) -> str | None:
    """Return the message of a version of LLVM about a data layout, None if it takes it.

    Args:
        reason: bitcodec's own message, from the layout on.
        version: of LLVM.
    """
    if version >= _FIRST_WITH_NEW_MESSAGES:
        inner = _INNER.search(reason)
        return inner[1] if inner else reason
    found = next(row for row in _ROWS if row.pattern.search(reason))
    if version < found.oldest:
        return None
    return ("LLVM ERROR: " if version <= _LAST_FATAL else "") + found.message
