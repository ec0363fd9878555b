from collections.abc import Callable, Mapping, Sequence

from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.debug_records import DbgVariableKind, DebugRecord
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase, Instruction

COMPILED: bool

class Watch:
    rule: Callable[..., tuple[Instruction, ...] | None]
    def __init__(
        self,
        kind: type[Instruction],
        harmless: Mapping[str, Sequence[object]],
        rule: Callable[..., tuple[Instruction, ...] | None],
        *,
        counts: bool = False,
    ) -> None: ...

class Scan:
    replacements: dict[Instruction, tuple[Instruction, ...]]
    def __init__(
        self,
        watches: Mapping[type[Instruction], Sequence[Watch]],
        survey: Callable[[AttributeList, str, CallBase], bool],
        on_location: Callable[[Instruction, str], object] | None,
        place: int,
    ) -> None: ...
    def look(self, function: Function, name: str) -> None: ...

def scan_records(
    function: Function,
    known: set[tuple[object, ...]],
    on_record: Callable[[DebugRecord, DbgVariableKind | None, str], bool],
) -> int: ...
