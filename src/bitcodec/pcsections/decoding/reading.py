"""Reading of a section: the interpretations that are tried, and the error if none fits.

Rules: docs/reference/pc-sections.md, 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError, quote_name
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.decoding.columns import EntryColumns
from bitcodec.pcsections.decoding.matching import Matcher
from bitcodec.pcsections.decoding.plan import DecodingPlan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.containers.elf_headers import ByteOrder
    from bitcodec.pcsections.decoding.code import Code
    from bitcodec.pcsections.objects.pieces import PCFields
    from bitcodec.pcsections.schemas.kinds import SectionSchema

__all__ = ["SectionBytes", "SectionReader", "SectionReading"]

_MODULE = "take the schema from the module that was compiled: --schema MODULE.bc"


@dataclass(frozen=True, slots=True)
class SectionBytes:
    """A section to read.

    Attributes:
        name: its name in messages.
        data: its bytes.
        address: of the first byte, None in a relocatable object.
        byte_order: of its numbers.
        pointer_size: bytes of an address.
        pc_sizes: bytes that a PC field may have, the likely ones first.
        pcs: its PC fields, if relocations specify them.
    """

    name: str
    data: memoryview
    address: int | None
    byte_order: ByteOrder
    pointer_size: int
    pc_sizes: Sequence[int]
    pcs: PCFields | None = None


class SectionReading(NamedTuple):
    """Result of reading a section.

    Attributes:
        columns: its entries.
        is_ambiguous: whether it can be read in another way too.
    """

    columns: EntryColumns
    is_ambiguous: bool


class SectionReader:
    """Reads the sections of one file, of which an object may have one for each function.

    Args:
        code: the functions of the file.
    """

    def __init__(self, code: Code) -> None:
        self._code = code
        self._plans: dict[tuple[str, int, bool], DecodingPlan] = {}

    def read(self, section: SectionBytes, schema: SectionSchema) -> SectionReading:
        """Read a section that a schema is known of, the same for all sections of a name.

        First functions have only the entries that they request; if that does not fit, as instructions move when
        functions are inlined, any function may have any.

        Raises:
            PCSectionsError: it cannot be read so.
        """
        furthest = 0
        for pc_size in section.pc_sizes:
            for by_function in (True, False) if schema.by_function is not None else (False,):
                plan = self._plan(section, schema, pc_size, by_function=by_function)
                matcher = Matcher(section.data, section.address or 0, plan, self._code)
                if section.pcs is not None:
                    matcher.set_fields(section.pcs.offsets, section.pcs.sections, section.pcs.targets)
                readings, end = matcher.match()
                if readings < 0:
                    raise PCSectionsError(f"{quote_name(section.name)}: there are too many ways to read it: {_MODULE}")
                if readings:
                    return SectionReading(_columns(section, matcher), readings > 1)
                furthest = max(furthest, end)
        size = len(section.data)
        raise PCSectionsError(
            f"{quote_name(section.name)}: the schema does not fit: it reaches byte {furthest} of"
            f" {size}, and nothing that may follow is there; {_MODULE}, of each module that has to do with the section"
        )

    def _plan(self, section: SectionBytes, schema: SectionSchema, pc_size: int, *, by_function: bool) -> DecodingPlan:
        key = (section.name, pc_size, by_function)
        if key not in self._plans:
            self._plans[key] = DecodingPlan(
                schema,
                pc_size=pc_size,
                pointer_size=section.pointer_size,
                byte_order=section.byte_order,
                code=self._code,
                by_function=by_function,
            )
        return self._plans[key]


def _columns(section: SectionBytes, matcher: Matcher) -> EntryColumns:
    places, pcs, *others = matcher.entries()
    if section.pcs is None:
        sections = memoryview(bytes(4 * len(places))).cast("I")
    else:
        # Each field is a PC of its own, in the same order.
        pcs = memoryview(section.pcs.targets).toreadonly()
        sections = memoryview(section.pcs.sections).toreadonly()
    return EntryColumns(places, pcs, sections, *others)
