from collections.abc import Callable, Mapping

from typing_extensions import Buffer

from bitcodec.bitstream.columns import Columns

COMPILED: bool

class GrowingText:
    def __init__(self, columns: Columns, array_starts: Buffer) -> None: ...
    def __len__(self) -> int: ...
    def take(self) -> bytes: ...
    def write(self, text: bytes) -> None: ...
    def write_records(
        self,
        first: int,
        last: int,
        indent: bytes,
        names: Mapping[int, bytes],
        shared: Buffer,
        own: Buffer,
        remarks: Mapping[int, Callable[[int], bytes]],
        describe_blob: Callable[[int], bytes],
    ) -> None: ...
