"""Numbers that instructions and functions request with their PCs, and the PCs in a compiled object for each."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING

from bitcodec.containers.elf_file import ElfFile
from bitcodec.errors import PCSectionsError, quote_name
from bitcodec.ir import Linkage
from bitcodec.ir.pcsections import PCSECTIONS, PCSection, PCSections
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.metadata.attaching import attach_to
from bitcodec.pcsections.metadata.selecting import has_code
from bitcodec.pcsections.objects.pieces import pieces
from bitcodec.pcsections.objects.symbols import FunctionSymbol, FunctionSymbols

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.pcsections.objects.pieces import PCFields, Piece

__all__ = ["MachinePC", "Tags"]

_INSTRUCTIONS, _FUNCTIONS = "bitcodec_map", "bitcodec_map_functions"
_NUMBER_BYTES = _SIZE_BYTES = 4


class MachinePC(NamedTuple):
    """A program counter in the object.

    Attributes:
        symbol: name of the function that it is in; "" if neither a symbol nor the module specifies it.
        offset: in bytes from the start of the function, or of the section if the function is unknown.
        section: name of the section of code.
    """

    symbol: str
    offset: int
    section: str = ""

    def __str__(self) -> str:
        return f"{self.symbol or self.section or '?'}+{self.offset:#x}"


class Tags:
    """Has instructions of a module request their PCs, each with its number.

    Symbol tables do not have private functions, so these request their PCs too.

    Args:
        module: the module, which is changed.
        chosen: the instructions, of which the first has number 0.
    """

    def __init__(self, module: Module, chosen: Sequence[Instruction]) -> None:
        context = module.context
        type_ = context.types.integer(8 * _NUMBER_BYTES)
        self._count = len(chosen)
        self._instructions = _unused(module, _INSTRUCTIONS)
        self._functions = _unused(module, _FUNCTIONS)
        for number, instruction in enumerate(chosen):
            before = instruction.pcsections or ()
            own = PCSection.of(self._instructions, (context.constants.integer(type_, number),))
            instruction.metadata[PCSECTIONS] = PCSections((*before, own)).node(context)
        private = [each for each in module.functions if each.linkage is Linkage.PRIVATE and has_code(each)]
        self._names = [function.name for function in private]
        for number, function in enumerate(private):
            attach_to(module, function, [PCSection.of(self._functions, (context.constants.integer(type_, number),))])

    def pcs(self, data: bytes) -> list[tuple[MachinePC, ...]]:
        """Return the PCs of each instruction in an object that the module was compiled to.

        Raises:
            PCSectionsError: the object has other numbers.
            ContainerError: it is malformed.
        """
        file = ElfFile(data)
        functions = _Functions(file, self._private_functions(file))
        found: list[list[MachinePC]] = [[] for _ in range(self._count)]
        for piece in pieces(file, {self._instructions}):
            for number, section, target in _instruction_entries(piece):
                _check(number, self._count, piece, "instruction")
                found[number].append(functions.name(section, target))
        return [tuple(sorted(pcs)) for pcs in found]

    def _private_functions(self, file: ElfFile) -> Iterator[tuple[int, FunctionSymbol]]:
        """Yield section and extent of the private functions."""
        for piece in pieces(file, {self._functions}):
            for number, section, start, size in _function_entries(piece):
                _check(number, len(self._names), piece, "function")
                yield section, FunctionSymbol(self._names[number], start, size)


class _Functions:
    """Finds functions by symbols, and those without a symbol by their own entries."""

    def __init__(self, file: ElfFile, private: Iterable[tuple[int, FunctionSymbol]]) -> None:
        self._file = file
        self._symbols = FunctionSymbols(file)
        self._private: dict[int, list[FunctionSymbol]] = {}
        for section, function in private:
            self._private.setdefault(section, []).append(function)
        for functions in self._private.values():
            functions.sort(key=attrgetter("start"))

    def name(self, section: int, target: int) -> MachinePC:
        """Return a PC by the innermost function that has it."""
        # Some processors keep symbols of private functions, with a prefix: the name in the module comes first.
        candidates = (self._private_function(section, target), self._symbols.find(section, target))
        known = [each for each in candidates if each is not None]
        code = self._file.section(section, "a PC").name
        if not known:
            return MachinePC("", target, code)
        function = max(known, key=attrgetter("start"))
        return MachinePC(function.name, target - function.start, code)

    def _private_function(self, section: int, target: int) -> FunctionSymbol | None:
        functions = self._private.get(section, [])
        row = bisect_right(functions, target, key=attrgetter("start")) - 1
        return functions[row] if row >= 0 and target < functions[row].start + functions[row].size else None


def _unused(module: Module, section: str) -> str:
    """Return the name of a section that is not the name of a symbol too."""
    while section in module.symbols:
        section += "_"
    return section


def _check(number: int, count: int, piece: Piece, kind: str) -> None:
    if number >= count:
        raise PCSectionsError(f"section {quote_name(piece.name)} describes {kind} {number} of {count}")


def _instruction_entries(piece: Piece) -> Iterator[tuple[int, int, int]]:
    """Yield the number of an instruction, section and offset of a PC; the number follows the last PC of it."""
    pcs, first = _fields(piece), 0
    for row, (offset, size) in enumerate(zip(pcs.offsets, pcs.sizes, strict=True)):
        end = offset + size
        if row + 1 < len(pcs.offsets) and pcs.offsets[row + 1] == end:
            continue
        number = _number(piece, end)
        for each in range(first, row + 1):
            yield number, pcs.sections[each], pcs.targets[each]
        first = row + 1


def _function_entries(piece: Piece) -> Iterator[tuple[int, int, int, int]]:
    """Yield the number of a function, its section, and its start and size there; the size precedes the number."""
    pcs = _fields(piece)
    for offset, width, section, start in zip(*pcs, strict=True):
        end = offset + width
        size = piece.lengths.get(end)
        yield _number(piece, end + _SIZE_BYTES), section, start, _number(piece, end) if size is None else size


def _fields(piece: Piece) -> PCFields:
    if piece.pcs is None:
        raise PCSectionsError(f"section {quote_name(piece.name)} is not of a relocatable object")
    return piece.pcs


def _number(piece: Piece, offset: int) -> int:
    return int.from_bytes(piece.data[offset : offset + _NUMBER_BYTES], piece.byte_order)
