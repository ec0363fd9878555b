"""The YAML documents of a `.mir` file as nodes, by the rules of LLVM's parser.

Anchors and tags mean nothing, documents may follow each other without a mark between them, and empty ones
are skipped.  As in LLVM, aliases, duplicate keys, and keys that are not text are refused.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NoReturn

from bitcodec.mir.yaml_nodes import YamlBlock, YamlMapping, YamlScalar, YamlSequence
from bitcodec.mir.yaml_scalars import flow_value
from bitcodec.mir.yaml_scanner import scan, scan_collection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.mir.source import Edits, SourceText
    from bitcodec.mir.yaml_nodes import YamlNode
    from bitcodec.mir.yaml_scanner import Token

__all__ = ["documents"]

_DEEPEST = 32
"""Levels of nesting; LLVM has 5."""

_BYTE_ORDER_MARK = "\ufeff"


def documents(source: SourceText, edits: Edits) -> Iterator[YamlNode]:
    """Yield the contents of each document of a text.

    Raises:
        MIRError: it is not YAML, or has constructs that no `.mir` file has.
    """
    first = len(_BYTE_ORDER_MARK) if source.text.startswith(_BYTE_ORDER_MARK) else 0
    return _Composer(source, edits, scan(source, first)).documents()


def _flat_mapping(source: SourceText, edits: Edits, start: int) -> YamlNode:
    return _Composer(source, edits, scan_collection(source, start)).node()


class _Composer:
    """Makes nodes of tokens.

    Args:
        source: the text.
        edits: where changes of scalars are noted.
        tokens: the tokens of the text.
    """

    def __init__(self, source: SourceText, edits: Edits, tokens: list[Token]) -> None:
        self._source = source
        self._edits = edits
        self._tokens = tokens
        self._index = 0
        self._depth = 0

    def documents(self) -> Iterator[YamlNode]:
        """Yield the contents of documents that have any."""
        while self._kind != "end":
            before = self._index
            has_directives = self._kind == "directive"
            while self._kind == "directive":
                self._advance()
            if has_directives and self._kind != "---":
                self._fail("'---' expected after directives")
            if self._kind == "---":
                self._advance()
            if self._kind in _CLOSING:
                self._fail("a document expected")
            root = self.node()
            if not _is_null(root):
                yield root
            while self._kind == "...":
                self._advance()
            if self._index == before:
                self._fail("a document expected")

    # Tokens

    @property
    def _kind(self) -> str:
        return self._tokens[self._index][0]

    def _advance(self) -> None:
        self._index += 1

    def _fail(self, reason: str) -> NoReturn:
        raise self._source.error(f"no YAML: {reason}", self._tokens[self._index][1])

    # Nodes

    def node(self) -> YamlNode:
        """Read the node that begins with the next token; if none does, a scalar without text that takes no token."""
        if self._kind == "property":
            self._properties()
        kind, start, end, indent = self._tokens[self._index]
        match kind:
            case "scalar":
                self._index += 1
                return YamlScalar(*flow_value(self._source, start, end), start, end, self._edits)
            case "block":
                self._index += 1
                return YamlBlock(self._source, start, end, indent, self._edits)
            case "flat":
                self._index += 1
                return YamlMapping(start, end, partial(_flat_mapping, self._source, self._edits, start))
            case "alias":
                raise self._source.error("aliases have no meaning in machine IR", start)
            case "mapping" | "{" | "key":
                return self._mapping(kind, start)
            case "sequence" | "[" | "entry":
                return self._sequence(kind, start)
        place = self._tokens[self._index - 1][2] if self._index else start
        return YamlScalar("", "", place, place, self._edits)

    def _properties(self) -> None:
        """Skip an anchor and a tag."""
        seen = set()
        while self._kind == "property":
            mark = self._source.text[self._tokens[self._index][1]]
            if mark in seen:
                self._fail("one anchor and one tag expected at most")
            seen.add(mark)
            self._advance()

    def _enter(self, start: int) -> None:
        if self._depth == _DEEPEST:
            raise self._source.error(f"nested more than {_DEEPEST} deep", start)
        self._depth += 1

    def _leave(self, node: YamlSequence | YamlMapping) -> None:
        node.end = self._tokens[self._index - 1][2]
        self._depth -= 1

    def _sequence(self, kind: str, start: int) -> YamlSequence:
        self._enter(start)
        node = YamlSequence(start)
        if kind != "entry":
            self._advance()
        if kind == "[":
            self._flow_items(node)
        else:
            while self._kind == "entry":
                self._advance()
                node.items.append(self.node())
            if kind == "sequence":
                self._end_block("'-'")
        self._leave(node)
        return node

    def _flow_items(self, node: YamlSequence) -> None:
        is_expected = True
        while self._kind != "]":
            if self._kind == ",":
                self._advance()
                is_expected = True
                continue
            if self._kind in _BETWEEN_DOCUMENTS:
                self._fail("']' expected")
            if not is_expected:
                self._fail("',' expected")
            node.items.append(self.node())
            is_expected = False
        self._advance()

    def _mapping(self, kind: str, start: int) -> YamlMapping:
        self._enter(start)
        node = YamlMapping(start)
        if kind == "key":
            self._pair(node)
        else:
            self._advance()
            while self._kind in {"key", "scalar"} or (kind == "{" and self._kind == ","):
                if self._kind == ",":
                    self._advance()
                else:
                    self._pair(node)
            if kind == "mapping":
                self._end_block("a key")
            elif self._kind == "}":
                self._advance()
            else:
                self._fail("a key, ',' or '}' expected")
        self._leave(node)
        return node

    def _end_block(self, expected: str) -> None:
        if self._kind != "dedent":
            self._fail(f"{expected} expected")
        self._advance()

    def _pair(self, node: YamlMapping) -> None:
        if self._kind == "key":
            self._advance()
        place = self._tokens[self._index][1]
        key = self.node()
        if not isinstance(key, YamlScalar) or isinstance(key, YamlBlock) or _is_null(key):
            raise self._source.error("a key is text", place)
        if key.text in node:
            raise self._source.error(f"the key {key.text!r} occurs twice", key.start)
        if self._kind not in _AFTER_KEYS:
            self._fail("':' expected")
        if self._kind == "value":
            self._advance()
        if self._kind in _AFTER_KEYS:
            place = self._tokens[self._index - 1][2]
            node.add(key, YamlScalar("", "", place, place, self._edits))
        else:
            node.add(key, self.node())


_CLOSING = frozenset({"]", "}", ","})
_BETWEEN_DOCUMENTS = frozenset({"---", "...", "end"})
_AFTER_KEYS = frozenset({"value", "dedent", "}", "key", ","})
"""Tokens that may follow a key; all but `value` mean that it has no value."""


def _is_null(node: YamlNode) -> bool:
    return isinstance(node, YamlScalar) and not node.style and not node.text
