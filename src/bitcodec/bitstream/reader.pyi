from collections.abc import Callable, Container, Mapping, Sequence

from typing_extensions import Buffer

from bitcodec.bitstream.abbreviations import Abbreviation
from bitcodec.bitstream.blockinfo import InForce
from bitcodec.bitstream.columns import Columns
from bitcodec.bitstream.cursor import RecordCursor
from bitcodec.errors import BitstreamError

COMPILED: bool

class Reader(RecordCursor):
    def __init__(
        self,
        data: Buffer,
        expected_bytes: int,
        max_depth: int,
        skipped: Container[int],
        read_block_info: Callable[[int], None] | None,
        like: Reader | None = None,
    ) -> None: ...
    @property
    def record_total(self) -> int: ...
    @property
    def path(self) -> tuple[int, ...]: ...
    def columns(self, block_infos: Sequence[InForce], end: int, error: BitstreamError | None) -> Columns: ...
    def break_off(self) -> None: ...
    def run(self, record_limit: int) -> bool: ...
    def enter(self, start: int) -> None: ...
    def adopt(self, abbreviations: Mapping[int, list[Abbreviation]]) -> int: ...
    def template(self) -> Reader: ...
