"""Names and strings as text has them.  Rules: docs/reference/text.md, 1."""

from __future__ import annotations

import re

from bitcodec.ir.spelling import escaped, printable
from bitcodec.ir.types import quoted_name

__all__ = [
    "comdat_name",
    "escaped",
    "global_name",
    "local_name",
    "metadata_name",
    "printable",
    "quoted",
]

_PLAIN_KIND = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*\Z")


def quoted(text: str) -> str:
    """Return text in quotes, with unprintable characters escaped."""
    return f'"{escaped(text)}"'


def global_name(name: str) -> str:
    """Return the name of a global."""
    return f"@{quoted_name(name)}"


def local_name(name: str) -> str:
    """Return the name of an argument, a block or an instruction."""
    return f"%{quoted_name(name)}"


def comdat_name(name: str) -> str:
    """Return the name of a comdat."""
    return f"${quoted_name(name)}"


def metadata_name(name: str) -> str:
    r"""Return the name of named metadata or of a kind of attachment: never in quotes, odd bytes as `\XX`."""
    if _PLAIN_KIND.match(name):
        return f"!{name}"
    data = name.encode("utf-8", "surrogateescape").decode("latin-1")
    return "!" + "".join(
        character if _is_plain(character, is_first=index == 0) else f"\\{ord(character):02X}"
        for index, character in enumerate(data)
    )


def _is_plain(character: str, *, is_first: bool) -> bool:
    return character in "-$._" or (character.isascii() and (character.isalpha() if is_first else character.isalnum()))
