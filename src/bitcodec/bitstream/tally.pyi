from typing_extensions import Buffer

COMPILED: bool

def tally_records(
    block: Buffer,
    code: Buffer,
    abbreviation: Buffer,
    start: Buffer,
    end: Buffer,
    kind_of_block: Buffer,
    kinds: int,
) -> dict[tuple[int, int], tuple[int, int, int]]: ...
def find_operands(operands: Buffer, least: int, most: int) -> list[int]: ...
