"""Encoded sections, and the linker's result.

Rules: the processor supplements of the ELF specification; docs/reference/pc-sections.md, 2.4 and 3.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError, quote_name
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.encoding.addresses import Address
from bitcodec.tables.elf_machines import RelocationKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.pcsections.encoding.targets import Target
    from bitcodec.tables.elf_machines import DataRelocation

__all__ = ["EncodedSection", "Relocation"]


class Relocation(NamedTuple):
    """A relocation of an object file, for the linker.

    Attributes:
        offset: of the field, in bytes.
        operation: the operation on it.
        place: the target: a symbol, or a label at a distance from it.
        addend: bytes to be added; where relocations have no addends, the field holds it.
    """

    offset: int
    operation: DataRelocation
    place: Address
    addend: int


class EncodedSection(NamedTuple):
    """A PC section as the object file has it.

    Attributes:
        name: of the section; it is a symbol too, that relocations may name.
        target: the target.
        data: its bytes.
        relocations: in the order of their offsets.
    """

    name: str
    target: Target
    data: bytes
    relocations: tuple[Relocation, ...]

    def at(self, address: int, addresses: Mapping[str, int]) -> bytes:
        """Return the bytes as a linker leaves them.

        Args:
            address: address of the section.
            addresses: where the symbols do that relocations name.

        Raises:
            PCSectionsError: the address of a symbol is not given, or a value does not fit its field.
        """
        known = {**addresses, self.name: address, "": 0}
        data = bytearray(self.data)
        fields: dict[int, _RelocatedField] = {}
        for relocation in self.relocations:
            symbol, distance = relocation.place
            if symbol not in known:
                raise PCSectionsError(f"section {quote_name(self.name)}: the address of {quote_name(symbol)} is needed")
            place = address + relocation.offset
            value = known[symbol] + distance + relocation.addend
            before = fields[relocation.offset].value if relocation.offset in fields else 0
            operation = relocation.operation
            fields[relocation.offset] = _RelocatedField(operation, _done(operation, before, value, place))
        for offset, (operation, value) in fields.items():
            self._fill(data, offset, operation, value)
        return bytes(data)

    def _fill(self, data: bytearray, offset: int, operation: DataRelocation, value: int) -> None:
        size = operation.size or _uleb128_size(data, offset)
        if not operation.size:
            field = None if value >> 7 * size else _padded_uleb128(value, size)
        else:
            bits, is_signed = size * 8, value < 0 or operation.kind is not RelocationKind.ABSOLUTE
            limit = bits - is_signed
            fits = -(1 << limit) <= value < 1 << limit
            field = (value & ((1 << bits) - 1)).to_bytes(size, self.target.byte_order) if fits else None
        if field is None:
            raise PCSectionsError(
                f"section {quote_name(self.name)}, offset {offset}: {value} does not fit into the field of "
                f"{size} bytes; put code and section closer together, or encode for a larger code model"
            )
        data[offset : offset + size] = field


class _RelocatedField(NamedTuple):
    """Value of a field, and the last operation on it."""

    operation: DataRelocation
    value: int


def _done(operation: DataRelocation, field: int, value: int, place: int) -> int:
    """Return the result of an operation on a field, without the limits of the field."""
    match operation.kind:
        case RelocationKind.PC_RELATIVE:
            return field + value - place
        case RelocationKind.SUBTRACT | RelocationKind.SUBTRACT_ULEB128:
            return field - value
        case _:
            return field + value


def _uleb128_size(data: bytearray, offset: int) -> int:
    """Return how many bytes a ULEB128 takes."""
    end = offset
    while data[end] & 0x80:
        end += 1
    return end + 1 - offset


def _padded_uleb128(value: int, size: int) -> bytes:
    return bytes(value >> 7 * place & 0x7F | (place < size - 1) << 7 for place in range(size))
