"""The YAML of a `.mir` file as nodes with their positions, so that one value can change and the rest stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bitcodec.mir.yaml_scalars import block_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.mir.source import Edits, SourceText

__all__ = ["YamlBlock", "YamlMapping", "YamlNode", "YamlScalar", "YamlSequence"]

_PLAIN_NUMBER = re.compile(r"-?[0-9]+\Z")
_PLAIN_TEXT = re.compile(r"[A-Za-z_][-A-Za-z0-9_.]*\Z")
_WORDS = {"true": True, "false": False}


class YamlNode:
    """Something in a file.

    Args:
        start: where it begins.
        end: where it ends.
    """

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end

    @property
    def value(self) -> Any:
        """Its contents as Python objects: text, numbers, truth values, lists and dictionaries."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}>"


class YamlScalar(YamlNode):
    """One value.

    Args:
        text: the value without quotes.
        style: how it is written: `'` or `"`, `|` or `>` for a block, empty if plain.
        start: where it begins.
        end: where it ends.
        edits: where changes are noted.
    """

    __slots__ = ("_edits", "style", "text")

    def __init__(self, text: str, style: str, start: int, end: int, edits: Edits) -> None:
        super().__init__(start, end)
        self.text = text
        self.style = style
        self._edits = edits

    @property
    def value(self) -> str | int | bool:
        """Its contents; text without quotes may be a number or a truth value."""
        if self.style:
            return self.text
        if _PLAIN_NUMBER.match(self.text) and len(self.text) <= _LONGEST_NUMBER:
            return int(self.text)
        return _WORDS.get(self.text, self.text)

    def set(self, value: str | int | bool) -> None:  # noqa: FBT001 - a value among values
        """Replace its contents; the text around it stays."""
        if isinstance(value, bool):
            self.text, self.style = str(value).lower(), ""
        elif isinstance(value, int):
            self.text, self.style = str(value), ""
        else:
            is_plain = _PLAIN_TEXT.match(value) is not None and value not in _WORDS
            self.text, self.style = value, "" if is_plain else _quote_for(value)
        self._rewrite(_written(self.text, self.style))

    def _rewrite(self, text: str) -> None:
        self._edits.replace(self.start, self.end, text)


class YamlBlock(YamlScalar):
    """Lines that are indented, as bodies and LLVM IR are; put together when they are requested first.

    Args:
        source: the text of the file.
        start: where its `|` or `>` is.
        end: where the first line after it begins.
        indent: the indentation of its lines.
        edits: where changes are noted.
    """

    __slots__ = ("_indent", "_lines", "_source")

    def __init__(self, source: SourceText, start: int, end: int, indent: int, edits: Edits) -> None:
        self._source = source
        self._indent = indent
        super().__init__("", source.text[start], start, end, edits)
        self._lines: str | None = None

    @property
    def text(self) -> str:
        """Its lines without their indentation."""
        if self._lines is None:
            self._lines = block_value(self._source.text[self.start : self.end], self._indent)
        return self._lines

    @text.setter
    def text(self, text: str) -> None:
        self._lines = text

    def _rewrite(self, text: str) -> None:
        has_break = self._source.text.endswith("\n", self.start, self.end)
        super()._rewrite(text + self._source.newline * has_break)


_LONGEST_NUMBER = 40
"""Characters of a number; a longer one is text."""


class YamlSequence(YamlNode):
    """Values in order."""

    __slots__ = ("items",)

    def __init__(self, start: int) -> None:
        super().__init__(start, start)
        self.items: list[YamlNode] = []

    @property
    def value(self) -> list[Any]:
        """Its contents."""
        return [item.value for item in self.items]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[YamlNode]:
        return iter(self.items)

    def __getitem__(self, index: int) -> YamlNode:
        return self.items[index]


class YamlMapping(YamlNode):
    """Values by key.

    Args:
        start: where it begins.
        end: where it ends, if that is known.
        read: reads it, if that is left until a value is requested.
    """

    __slots__ = ("_known", "_read")

    def __init__(self, start: int, end: int = 0, read: Callable[[], YamlNode] | None = None) -> None:
        super().__init__(start, end or start)
        self._read = read
        self._known: dict[str, tuple[YamlScalar, YamlNode]] = {}

    @property
    def _entries(self) -> dict[str, tuple[YamlScalar, YamlNode]]:
        read, self._read = self._read, None
        found = read() if read is not None else None
        if isinstance(found, YamlMapping):
            for name in found:
                self._known[name] = found.key(name), found[name]
        return self._known

    @property
    def value(self) -> dict[str, Any]:
        """Its contents."""
        return {key: node.value for key, (_, node) in self._entries.items()}

    def key(self, name: str) -> YamlScalar:
        """Return the key itself, which has a position."""
        return self._entries[name][0]

    def get(self, name: str) -> YamlNode | None:
        """Return the value of a key, or nothing."""
        entry = self._entries.get(name)
        return None if entry is None else entry[1]

    def add(self, key: YamlScalar, node: YamlNode) -> None:
        """Take one more entry."""
        self._entries[key.text] = (key, node)

    def __getitem__(self, name: str) -> YamlNode:
        return self._entries[name][1]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def _quote_for(text: str) -> str:
    return "'" if text.isprintable() else '"'


def _written(text: str, style: str) -> str:
    """Return how a value is written that has no line breaks, or has them escaped."""
    if style == "'":
        return "'" + text.replace("'", "''") + "'"
    if style == '"':
        return '"' + text.encode("unicode_escape").decode("ascii").replace('"', '\\"') + '"'
    return text
