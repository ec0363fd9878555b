from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum

from bitcodec.ir.debug_records import DbgVariableKind, DebugRecord
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import MDNode

class Watch:
    rule: Callable[..., tuple[Instruction, ...] | bool | None]
    def __init__(
        self,
        kind: type[Instruction],
        harmless: Mapping[str, Sequence[object]],
        rule: Callable[..., tuple[Instruction, ...] | bool | None],
        *,
        counts: bool = False,
    ) -> None: ...

class Scan:
    replacements: dict[Instruction, tuple[Instruction, ...]]
    has_misplaced: bool
    def __init__(
        self,
        watches: Mapping[type[Instruction], Sequence[Watch]],
        survey: Callable[..., bool],
        on_location: Callable[[Instruction, str], object] | None,
        place: int,
        on_record: Callable[[DebugRecord, DbgVariableKind | None, str], bool],
    ) -> None: ...
    def look(self, function: Function, name: str) -> int: ...

class NodeTest(IntEnum):
    EQUALS = 0
    IS_SIZE = 1
    LACKS_BITS = 2
    IS_NO_KEY = 3
    IS_OTHER_TEXT = 4
    IS_NO_TEXT_OR_TUPLE = 5

class NodeScan:
    def __init__(self, tests_of: Callable[[type[MDNode]], tuple[tuple[NodeTest, int, object], ...] | None]) -> None: ...
    def find(self, keys: Iterable[object]) -> list[MDNode]: ...
