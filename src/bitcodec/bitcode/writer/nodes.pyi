from collections.abc import Iterable, Mapping
from typing import Any

from bitcodec.bitcode.writer.metadata_ids import Key
from bitcodec.bitcode.writer.rows import Rows
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.types import Type
from bitcodec.ir.values import Value

COMPILED: bool

class NodeWriter:
    def __init__(self, rows: Rows, ids: Mapping[Any, int]) -> None: ...
    def write_all(
        self, keys: Iterable[Key], types: Mapping[Type, int], values: Mapping[Value, int], abbreviations: dict[int, int]
    ) -> None: ...
    def write(self, node: MDNode, abbreviations: dict[int, int]) -> None: ...
