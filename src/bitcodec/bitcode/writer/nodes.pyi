from collections.abc import Iterable, Mapping

from bitcodec.bitcode.writer.debug_info import NodeWritePrograms
from bitcodec.bitcode.writer.metadata_ids import Key, MetadataIds
from bitcodec.bitcode.writer.rows import Rows
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.types import Type
from bitcodec.object_numbers import ObjectNumbers

class NodeWriter:
    def __init__(self, rows: Rows, ids: MetadataIds, programs: NodeWritePrograms = ...) -> None: ...
    def write_all(
        self, keys: Iterable[Key], types: Mapping[Type, int], values: ObjectNumbers, abbreviations: dict[int, int]
    ) -> None: ...
    def write(self, node: MDNode, abbreviations: dict[int, int]) -> None: ...
