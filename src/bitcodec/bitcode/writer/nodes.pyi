from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bitcodec.bitcode.writer.constants import Collected
from bitcodec.bitcode.writer.metadata_ids import Key, MetadataIds
from bitcodec.bitcode.writer.rows import Rows
from bitcodec.ir.functions import Function
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.types import Type
from bitcodec.ir.values import Value

COMPILED: bool

class MetadataCollector:
    ids: MetadataIds
    def __init__(
        self, ids: MetadataIds, constants: Collected, is_in_file: Callable[[Key], bool] | None = None
    ) -> None: ...
    def collect_function(self, function: Function, tag: int) -> None: ...
    def add(self, metadata: object, tag: int) -> None: ...
    def in_order(self) -> dict[int, list[Key]]: ...
    def take(self) -> dict[int, list[Key]]: ...

class NodeWriter:
    def __init__(self, rows: Rows, ids: Mapping[Any, int]) -> None: ...
    def write_all(
        self, keys: Iterable[Key], types: Mapping[Type, int], values: Mapping[Value, int], abbreviations: dict[int, int]
    ) -> None: ...
    def write(self, node: MDNode, abbreviations: dict[int, int]) -> None: ...
