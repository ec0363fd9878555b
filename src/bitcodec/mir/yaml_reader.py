"""The YAML documents of a `.mir` file as nodes.

PyYAML yields event after event; nodes are made of events without recursion.  What LLVM's own reader does not
take is refused: anchors and aliases, tags, a key that stands twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import MIRError
from bitcodec.mir.yaml_nodes import YamlMapping, YamlScalar, YamlSequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

    from bitcodec.mir.source import Edits, Source
    from bitcodec.mir.yaml_nodes import YamlNode

__all__ = ["documents"]

_DEEPEST = 32
"""Levels of nesting; LLVM has 5."""

_BYTE_ORDER_MARK = "\ufeff"
"""May stand before all else; PyYAML's parsers do not agree on whether it has a place."""


def documents(source: Source, edits: Edits) -> Iterator[YamlNode]:
    """Yield what each document of a text holds.

    Raises:
        MIRError: it is no YAML, or has what no `.mir` file has.
    """
    import yaml  # noqa: PLC0415 - who reads no machine IR need not have it

    first = len(_BYTE_ORDER_MARK) if source.text.startswith(_BYTE_ORDER_MARK) else 0
    composer = _Composer(source, edits, first)
    try:
        for event in yaml.parse(source.text[first:], Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.NodeEvent):
                composer.open(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                composer.close(event)
            elif isinstance(event, yaml.DocumentEndEvent):
                yield composer.taken()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        offset = first + mark.index if mark else first
        raise source.error(f"no YAML: {error.problem or error.context}", offset) from None
    except yaml.reader.ReaderError as error:
        raise source.error(f"no YAML: {error.reason}", first + error.position) from None


class _Composer:
    """Makes nodes of events.

    Args:
        source: the text, for errors.
        edits: where changes of scalars are noted.
        first: what places of events are counted from.
    """

    def __init__(self, source: Source, edits: Edits, first: int) -> None:
        self._source = source
        self._edits = edits
        self._first = first
        self._open: list[YamlSequence | YamlMapping] = []
        self._keys: list[YamlScalar | None] = []
        self._root: YamlNode | None = None

    def open(self, event: yaml.NodeEvent) -> None:
        """Take a scalar, or the start of a collection."""
        import yaml  # noqa: PLC0415 - known to be there

        start, end = self._span(event)
        if event.anchor is not None:
            raise self._source.error("anchors and aliases have no meaning in machine IR", start)
        if isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)) and event.tag is not None:
            raise self._source.error(f"the tag {event.tag} has no meaning in machine IR", start)
        if isinstance(event, yaml.ScalarEvent):
            style = (event.style or "").strip()
            self._place(YamlScalar(event.value, style, start, end, self._edits))
            return
        if len(self._open) == _DEEPEST:
            raise self._source.error(f"nested more than {_DEEPEST} deep", start)
        node = YamlSequence(start) if isinstance(event, yaml.SequenceStartEvent) else YamlMapping(start)
        self._place(node)
        self._open.append(node)
        self._keys.append(None)

    def close(self, event: yaml.Event) -> None:
        """Take the end of a collection."""
        self._open.pop().end = self._span(event)[1]
        self._keys.pop()

    def taken(self) -> YamlNode:
        """Return what the document holds, and be ready for the next one."""
        root = self._root
        if root is None:
            raise MIRError("a document of the file is empty")
        self._root = None
        return root

    def _place(self, node: YamlNode) -> None:
        if not self._open:
            self._root = node
            return
        holder = self._open[-1]
        if isinstance(holder, YamlSequence):
            holder.items.append(node)
            return
        key = self._keys[-1]
        if key is not None:
            holder.add(key, node)
            self._keys[-1] = None
        elif not isinstance(node, YamlScalar):
            raise self._source.error("a key is text", node.start)
        elif node.text in holder:
            raise self._source.error(f"the key {node.text!r} stands twice", node.start)
        else:
            self._keys[-1] = node

    def _span(self, event: yaml.Event) -> tuple[int, int]:
        """Return where an event of a text begins and ends."""
        start, end = event.start_mark, event.end_mark
        if start is None or end is None:
            return self._first, self._first
        return self._first + start.index, self._first + end.index
