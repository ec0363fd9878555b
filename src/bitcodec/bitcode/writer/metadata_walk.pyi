from collections.abc import Callable

from bitcodec.bitcode.writer.collected import Collected
from bitcodec.bitcode.writer.debug_info import NodeWritePrograms
from bitcodec.bitcode.writer.metadata_ids import Key, MetadataIds
from bitcodec.bitcode.writer.type_walk import TypeWalk
from bitcodec.ir.functions import Function

class MetadataCollector:
    ids: MetadataIds
    def __init__(
        self,
        ids: MetadataIds,
        constants: Collected,
        is_in_file: Callable[[Key], bool] | None = None,
        programs: NodeWritePrograms = ...,
        type_walk: TypeWalk | None = None,
    ) -> None: ...
    def collect_function(self, function: Function, tag: int) -> None: ...
    def add(self, metadata: object, tag: int) -> None: ...
    def in_order(self) -> dict[int, list[Key]]: ...
    def take(self) -> dict[int, list[Key]]: ...
