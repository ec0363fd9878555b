"""PC sections as LLVM's back end writes them: the requests of functions and instructions, as bytes and relocations.

>>> from bitcodec.pcsections import PCSection, PCSections
>>> from bitcodec.pcsections.encoding.encode import Address, InstructionEntry, encode
>>> from bitcodec.pcsections.encoding.targets import Target
>>> entry = InstructionEntry(PCSections([PCSection("hot")]), [Address("f", 4), Address("f", 9)])
>>> hot = encode([entry], Target.of("x86_64-linux-gnu"))["hot"]
>>> hot.at(0x2000, {"f": 0x1000}).hex(" ", 4)
'04f0ffff 05f0ffff'

Rules: PC Sections Metadata, "Binary Encoding"; docs/reference/pc-sections.md, 2.1, 2.2 and 2.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from bitcodec.errors import PCSectionsError, quote_name
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.encoding.addresses import Address, Addresses
from bitcodec.pcsections.encoding.constants import encode_constant, uleb128
from bitcodec.pcsections.encoding.relocating import EncodedSection, Relocation
from bitcodec.tables.elf_machines import RelocationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.ir.pcsections import PCSection, PCSections
    from bitcodec.pcsections.encoding.constants import EncodedConstant
    from bitcodec.pcsections.encoding.targets import Target
    from bitcodec.tables.elf_machines import DataRelocation

__all__ = [
    "LARGEST_SECTION",
    "Address",
    "EncodedSection",
    "Entry",
    "FunctionEntry",
    "InstructionEntry",
    "Layout",
    "Relocation",
    "encode",
]

Layout: TypeAlias = Literal["backend", "document"]
"""Position of constants: `backend`: once after all PCs of a run; `document`: after each PC."""

LARGEST_SECTION = 1 << 30
"""Maximum size of a section in bytes."""

_SIZE_BYTES = 4
"""Bytes of the size of a function that is not compressed."""


class FunctionEntry(NamedTuple):
    """The request of a function.

    Attributes:
        sections: the contents of its node.
        pc: start of its code: a symbol, or the section of the code, and a distance.
        size: of its code, in bytes.
        end: end of its code, if the linker may still shorten it (RISC-V and LoongArch with `+relax`).
    """

    sections: PCSections
    pc: Address
    size: int
    end: Address | None = None


class InstructionEntry(NamedTuple):
    """The request of the instructions of a function that share a node.

    Attributes:
        sections: the contents of the node.
        pcs: addresses of the instructions, in the order of the code.
    """

    sections: PCSections
    pcs: Sequence[Address]


Entry: TypeAlias = "FunctionEntry | InstructionEntry"


def encode(entries: Iterable[Entry], target: Target, *, layout: Layout = "backend") -> dict[str, EncodedSection]:
    """Return the sections that entries make, by name.

    Args:
        entries: in the order in which they are to be written; of one function its own entry comes first.
        target: their target.
        layout: `backend` for the layout that LLVM writes, `document` for the one in its documentation.

    Raises:
        PCSectionsError: a constant or size has no encoding, or no relocation fits a field.
    """
    writers: dict[str, _Writer] = {}
    constants: dict[tuple[object, ...], list[EncodedConstant]] = {}
    addresses = Addresses(target.data_layout)
    for entry in entries:
        pcs = entry.pcs if isinstance(entry, InstructionEntry) else (entry.pc,)
        runs = [[pc] for pc in pcs] if layout == "document" else [pcs]
        for section in entry.sections if pcs else ():
            known = (section.tuples, section.is_compressed)
            if known not in constants:
                constants[known] = _encoded(section, target, addresses)
            writer = writers.setdefault(section.name, _Writer(section.name, target))
            for run in runs:
                for pc in run:
                    writer.pc(pc)
                if isinstance(entry, FunctionEntry):
                    writer.size(entry, is_compressed=section.is_compressed)
                for constant in constants[known]:
                    writer.constant(constant)
    return {name: writer.section() for name, writer in writers.items()}


def _encoded(section: PCSection, target: Target, addresses: Addresses) -> list[EncodedConstant]:
    compressed = section.is_compressed
    return [
        encode_constant(constant, target, compressed=compressed, addresses=addresses) for constant in section.constants
    ]


class _Writer:
    """Writes one section."""

    __slots__ = ("_data", "_name", "_pc_operation", "_relocations", "_target")

    def __init__(self, name: str, target: Target) -> None:
        self._name = name
        self._target = target
        self._pc_operation = _pc_operation(target)
        self._data = bytearray()
        self._relocations: list[Relocation] = []

    def section(self) -> EncodedSection:
        return EncodedSection(self._name, self._target, bytes(self._data), tuple(self._relocations))

    def pc(self, pc: Address) -> None:
        """Write the distance from the field to a PC."""
        size = self._target.pc_size
        # A label is where the PC is; a section or symbol is as far off as an addend gives.
        place, addend = (pc, 0) if self._target.row.names_labels and pc.symbol else (Address(pc.symbol), pc.offset)
        here = Address(self._name, len(self._data))
        self._relocate(self._pc_operation, place, addend)
        if self._pc_operation.kind is RelocationKind.ADD:
            self._relocate(self._operation(RelocationKind.SUBTRACT, size), here, 0)
        self._field(0 if self._target.row.has_addends else addend, size)

    def size(self, entry: FunctionEntry, *, is_compressed: bool) -> None:
        """Write the size of a function."""
        if not 0 <= entry.size < 1 << 8 * _SIZE_BYTES:
            raise PCSectionsError(
                f"section {quote_name(self._name)}: a function of {entry.size} bytes: "
                f"its size has to fit into {_SIZE_BYTES} bytes"
            )
        if entry.end is None:
            data = uleb128(entry.size) if is_compressed else entry.size.to_bytes(_SIZE_BYTES, self._target.byte_order)
        else:
            data = self._relaxed_size(entry.pc, entry.end, entry.size, is_compressed=is_compressed)
        self._append(data)

    def constant(self, constant: EncodedConstant) -> None:
        """Write a constant with its references."""
        start, target = len(self._data), self._target
        self._append(constant.data)
        for reference in constant.references:
            offset, size = start + reference.offset, reference.size
            operation = self._operation(RelocationKind.ABSOLUTE, size)
            self._relocations.append(Relocation(offset, operation, Address(reference.symbol), reference.addend))
            if not target.row.has_addends:
                self._data[offset : offset + size] = self._bytes(reference.addend, size)

    def _relaxed_size(self, start: Address, end: Address, size: int, *, is_compressed: bool) -> bytes:
        """Let the linker compute a size; return the placeholder."""
        kinds = RelocationKind
        if not is_compressed:
            self._relocate(self._operation(kinds.ADD, _SIZE_BYTES), end, 0)
            self._relocate(self._operation(kinds.SUBTRACT, _SIZE_BYTES), start, 0)
            return bytes(_SIZE_BYTES)
        adding = self._target.machine.find(kinds.SET_ULEB128, 0)
        self._relocate(adding or self._operation(kinds.ADD_ULEB128, 0), end, 0)
        self._relocate(self._operation(kinds.SUBTRACT_ULEB128, 0), start, 0)
        data = uleb128(size)
        return data if adding else bytes(byte & 0x80 for byte in data)

    def _operation(self, kind: RelocationKind, size: int) -> DataRelocation:
        found = self._target.machine.find(kind, size)
        if found is None:
            raise PCSectionsError(
                f"section {quote_name(self._name)}, offset {len(self._data)}: {self._target.triple} has no "
                f"relocation that makes {kind.value} of {size or 'any number of'} bytes"
            )
        return found

    def _relocate(self, operation: DataRelocation, place: Address, addend: int) -> None:
        self._relocations.append(Relocation(len(self._data), operation, place, addend))

    def _field(self, value: int, size: int) -> None:
        self._append(self._bytes(value, size))

    def _bytes(self, value: int, size: int) -> bytes:
        try:
            return value.to_bytes(size, self._target.byte_order, signed=value < 0)
        except OverflowError:
            raise PCSectionsError(
                f"section {quote_name(self._name)}: the addend {value} does not fit into the field of "
                f"{size} bytes that holds it"
            ) from None

    def _append(self, data: bytes) -> None:
        if len(self._data) + len(data) > LARGEST_SECTION:
            raise PCSectionsError(f"section {quote_name(self._name)}: it comes to more than {LARGEST_SECTION} bytes")
        self._data += data


def _pc_operation(target: Target) -> DataRelocation:
    """Return the linker's first operation on a PC field: the relocation that compilers write, of the possible ones."""
    kinds = (RelocationKind.PC_RELATIVE, RelocationKind.ADD)
    for row in target.machine.relocations.values():
        if row.kind in kinds and row.size == target.pc_size:
            return row
    raise PCSectionsError(f"{target.triple} has no relocation of distances of {target.pc_size} bytes")
