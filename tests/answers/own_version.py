"""Bitcode that bitcodec wrote names bitcodec's version; an answer must not be missing because of a new version.

Offsets in a module count from the identification block, so a version with more digits may ask other questions.
"""

from __future__ import annotations

import string

import bitcodec

__all__ = ["without_own_version"]

_MAGIC = b"BC\xc0\xde"
_CHAR6 = string.ascii_lowercase + string.ascii_uppercase + string.digits + "._"
_NAME = "bitcodec"
_PATTERN = sum(_CHAR6.index(letter) << 6 * place for place, letter in enumerate(_NAME))
_MASK = (1 << 6 * len(_NAME)) - 1
_MAX_WORDS = 16
"""Of the identification block that bitcodec writes."""


def without_own_version(data: bytes) -> bytes:
    """Return bytes, with the producer without its version in the place of the identification block of bitcodec."""
    words = int.from_bytes(data[8:12], "little")
    if not data.startswith(_MAGIC) or words > _MAX_WORDS:
        return data
    end = 12 + 4 * words
    bits = int.from_bytes(data[12:end], "little")
    place = next((shift for shift in range(6, 32 * words) if bits >> shift & _MASK == _PATTERN), None)
    if place is None:
        return data
    count = bits >> (place - 6) & 31
    producer = "".join(_CHAR6[bits >> (place + 6 * number) & 63] for number in range(count))
    return _MAGIC + producer.replace(bitcodec.__version__, "").encode() + data[end:]
