"""Module-level tables, and lookups for the readers of a module's parts.

Rules: docs/reference/records.md, 3, 7.1 and 9.5.
"""

from __future__ import annotations

from itertools import compress
from operator import add, sub
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.reader.attributes import AttributeReader
from bitcodec.bitcode.reader.name_limit import most_name_bytes
from bitcodec.bitcode.reader.structure import check_order
from bitcodec.bitcode.reader.tables import read_names
from bitcodec.bitcode.reader.types import NO_TYPE_ID, FileTypes
from bitcodec.bitcode.reader.use_lists import SharedUses
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitcode.schema.globals import DEFINES_GLOBAL, FIELD_BOUNDS, GLOBAL_LAYOUTS, name_places
from bitcodec.bitcode.text import characters, decoded
from bitcodec.errors import quote
from bitcodec.ir.basic_blocks import BasicBlock, new_blocks
from bitcodec.ir.construction.present import present_blocks
from bitcodec.ir.construction.setting import set_assembly
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.globals import Comdat
from bitcodec.ir.layout_specification import LayoutError
from bitcodec.ir.module import Module
from bitcodec.ir.types import unsized_types
from bitcodec.reasons import Reason
from bitcodec.tables.linkage import SelectionKind
from bitcodec.upgrade.attributes import AttributeFitter
from bitcodec.upgrade.data_layout import upgraded_data_layout
from bitcodec.upgrade.expansion import Budget

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.context import Context
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalObject, GlobalValue
    from bitcodec.ir.instructions import Switch
    from bitcodec.ir.types import FunctionType, Type

__all__ = ["HANDLED_MODULE_CODES", "ModuleTables"]

_NEWEST_VERSION = 2
_WORD = (1 << 32) - 1
"""The bits of a version that LLVM keeps."""
_VERSION_WITH_STRTAB = 2
_SYNC_SCOPES = ("singlethread", "")
_MAX_EMPTY_BLOCKS = 1 << 16
"""LLVM takes any number of blocks without instructions: they need no records."""

_TEXTS: dict[int, str] = {
    ModuleCode.TRIPLE: "target_triple",
    ModuleCode.SOURCE_FILENAME: "source_filename",
}
"""Records that contain the text of an attribute of the module."""

_ASSEMBLY = frozenset({ModuleCode.ASM, ModuleCode.ASM_PROPERTY})
"""Assembly text, in several parts if LLVM 23 has different properties for them, and the properties of the next part."""

_Code = ModuleCode
_PASSED_OVER = frozenset({_Code.DEPLIB, _Code.VSTOFFSET, _Code.METADATA_VALUES_UNUSED, _Code.HASH, _Code.GUIDLIST})
"""Records that LLVM 22 ignores too when it reads a whole module."""

_DEFINES_NO_GLOBAL = bytes(code not in GLOBAL_LAYOUTS for code in range(256))
"""Property of all codes, in the form that `bytes.translate` takes."""

HANDLED_MODULE_CODES = (
    frozenset(GLOBAL_LAYOUTS)
    | frozenset(_TEXTS)
    | _PASSED_OVER
    | _ASSEMBLY
    | {ModuleCode.VERSION, ModuleCode.DATALAYOUT, ModuleCode.SECTIONNAME, ModuleCode.GCNAME, ModuleCode.COMDAT}
)


class ModuleTables:
    """The tables of one module.

    Args:
        place: its MODULE_BLOCK.
        strtab: the string table that follows it, empty in files that have none.
        identifier: the name of the module in messages.
        context: owns its types, constants and metadata; None for a new one.

    Attributes:
        module: the module.
        version: how records refer to values and names: 0, 1 or 2.
        file_types, attribute_lists: its types by id, its attribute lists by index.
        fitter: makes attributes fit the types of their values.
        inner: rows of the blocks in it, by id.
        values: globals and constants by value id, None for those that have not been made yet; followed by those of the
            function that is just read.
        type_ids: their type ids, in modules with typed pointers.
        global_count: how many of the values are globals.
        row: the record of a global that is just read.
        comdats: its comdats, in order.
        operands: the operands of globals until these defer them: roles, value ids, and the row of the global.
        defined: functions with a body, and the ids of their types, in the order of the bodies.
        implicit_comdats: globals of files without comdats, which get one of the same name.
        has_expandables: whether any constant is an expression that LLVM no longer has.
        strtab: the string table.
        shared_uses: the orders of uses that functions share.
        budget: how many instructions such expressions may become.
        sized: types that are known to have a size.
        byte: `i8`.
        integers: integers of records that have been read, by type and operand.
        casts: casts that are known to be possible: code, from which type, to which.
        call_attributes: attributes of calls as LLVM 22 has them, by their number, the function type and the callee;
            None stands for any callee other than an intrinsic.
        function_attributes: attributes of functions other than intrinsics as in LLVM 22, by their number and the
            function type, where pointers are opaque.
        with_computed_cases: switches with a case that is `ptrtoint` of `inttoptr`, which LLVM 22 does not compute.
        empty_blocks_left: how many blocks without instructions bodies that have not been read may have.
    """

    def __init__(self, place: BlockPlace, strtab: bytes, identifier: str, context: Context | None = None) -> None:
        self.module = Module(identifier, DataLayout(""), context)
        self.context = self.module.context
        self.types = self.context.types
        self.constants = self.context.constants
        self.file_types = FileTypes(self.types)
        self.fitter = AttributeFitter()
        self.version = 0
        self._place = place
        self._records: Records | None = None
        self.inner = self.records.inner_rows()
        self.values: list[Any] = []
        self.type_ids: list[int] = []
        self.global_count = 0
        self.row = 0
        self.operands: dict[GlobalValue, list[tuple[str, int, int]]] = {}
        self.defined: dict[Function, int] = {}
        self.implicit_comdats: list[GlobalObject] = []
        self.has_expandables = False
        self.shared_uses = SharedUses()
        self.budget = Budget(place.size)
        self.strtab = strtab
        self._name_bytes_left = most_name_bytes(len(strtab))
        self._ascii = strtab.decode("ascii") if strtab.isascii() else None
        self.sized: set[Type] = set()
        self._unsized = unsized_types()
        self.byte = self.types.integer(8)
        self.integers: dict[Type, dict[int, ConstantInt]] = {}
        self.casts: set[tuple[int, Type, Type]] = set()
        self.call_attributes: dict[tuple[int, FunctionType, Function | None], AttributeList] = {}
        self.function_attributes: dict[tuple[int, FunctionType], AttributeList] = {}
        self.with_computed_cases: list[Switch] = []
        self.empty_blocks_left = _MAX_EMPTY_BLOCKS
        self._layout = ""
        self._assembly: list[tuple[int, tuple[int, ...]]] = []
        self._sections: list[str] = []
        self._collectors: list[str] = []
        self.comdats: list[Comdat] = []
        self._blocks: dict[Function, dict[int, BasicBlock]] = {}  # those that addresses were taken of
        self._declared: dict[Function, list[BasicBlock]] = {}  # those of bodies that are being read
        self._without_blocks: set[Function] = set()
        self._name_tables: dict[BlockId, tuple[str, ...]] = {}

    @property
    def records(self) -> Records:
        """The records of MODULE_BLOCK itself."""
        records = self._records
        if records is None:
            records = self._records = self._place.decode(max_depth=1)
        return records

    def drop_records(self) -> None:
        """Release the records: in a small module they take most memory. They are decoded again when needed."""
        self._records = None

    @property
    def has_strtab(self) -> bool:
        """Whether the string table contains the names."""
        return self.version >= _VERSION_WITH_STRTAB

    # Reading

    def read(self) -> None:
        """Read types and the module-level records; records of globals are only listed.

        Raises:
            BitcodecError: they are malformed.
        """
        for place in self.places(BlockId.TYPE_BLOCK):
            self.file_types.read(place.decode())
        self.attribute_lists = AttributeReader(
            self.places(BlockId.PARAMATTR_GROUP_BLOCK), self.places(BlockId.PARAMATTR_BLOCK), self.file_types.of
        )
        check_order(self.records, self.inner)
        self._read_records()

    def _read_records(self) -> None:
        records = self.records
        for rows in records.ranges():
            codes = records.code_bytes(rows)
            self.global_count += sum(map(codes.count, GLOBAL_LAYOUTS))
            for row in compress(rows, codes.translate(_DEFINES_NO_GLOBAL)):
                with records.placed(row):
                    self._read_record(codes[row - rows.start], records.operands(row))
        self._settle_data_layout()
        if self._assembly:
            text = "".join(characters(operands) for code, operands in self._assembly if code == ModuleCode.ASM)
            set_assembly(self.module, text, self._assembly)
        self.values, self.type_ids = [None] * self.global_count, [NO_TYPE_ID] * self.global_count

    def plain_names(self) -> list[str] | None:
        """Return the names of all globals if these are ASCII and in the string table, None if that takes a closer look.

        No list is made of a record for this.
        """
        text, size = self._ascii, len(self.strtab)
        if text is None or not self.has_strtab:
            return None
        found: list[str] = []
        left = most_name_bytes(size)
        for rows in self.records.ranges():
            operands, bounds = self.records.operands_and_bounds(rows)
            defines = self.records.code_bytes(rows).translate(DEFINES_GLOBAL)
            firsts = [*compress(bounds, defines)]
            if min(map(sub, compress(bounds[1:], defines), firsts), default=2) < 2:
                return None
            starts = [operands[first] for first in firsts]
            sizes = [operands[first + 1] for first in firsts]
            ends = [*map(add, starts, sizes)]
            left -= sum(sizes)
            if left < 0 or max(ends, default=0) > size:
                return None
            found += [text[start:end] for start, end in zip(starts, ends, strict=True)]
        return found

    def definitions(self) -> Iterator[tuple[int, int, list[int]]]:
        """Yield row, code and operands of the records of globals."""
        name_size = 2 if self.has_strtab else 0
        for record in self.records:
            if record[1] in GLOBAL_LAYOUTS:
                require_operands(record[2], name_size)
                yield record

    def _read_record(self, code: int, operands: list[int]) -> None:
        if code in _TEXTS:
            setattr(self.module, _TEXTS[code], characters(operands))
        elif code in _ASSEMBLY:
            self._assembly.append((code, tuple(operands)))
        elif code == ModuleCode.VERSION:
            require_operands(operands, 1)
            self.version = operands[0] & _WORD
            if self.version > _NEWEST_VERSION:
                raise Malformed(Reason.NEWER_MODULE(version=self.version))
        elif code == ModuleCode.DATALAYOUT:
            self._layout += characters(operands)  # LLVM appends a further one
        elif code == ModuleCode.SECTIONNAME:
            self._sections.append(characters(operands))
        elif code == ModuleCode.GCNAME:
            self._collectors.append(characters(operands))
        elif code == ModuleCode.COMDAT:
            self._read_comdat(operands)

    def _settle_data_layout(self) -> None:
        layout = upgraded_data_layout(self._layout, self.module.target_triple)
        try:
            self.module.data_layout = DataLayout(layout)
        except LayoutError as error:
            row = next(iter(self.records.rows_of(ModuleCode.DATALAYOUT)), 0)
            part, cause = error.specification, error.reason
            reason = Reason.DATA_LAYOUT(layout=quote(layout), problem=str(error), part=part, cause=cause)
            raise self.records.error(row, reason) from error

    def _read_comdat(self, operands: list[int]) -> None:
        has_name = self.version < _VERSION_WITH_STRTAB
        require_operands(operands, 2 if has_name else 3)
        if has_name:
            kind, size, text = operands[0], operands[1], operands[2:]
            if size > len(text):
                raise Malformed(Reason.LONG_COMDAT_NAME())
            name = characters(text[:size])
        else:
            offset, size, kind = operands[0], operands[1], operands[2]
            name = self.string(offset, size)
        selection = SelectionKind.of(kind & FIELD_BOUNDS["selection_kind"].mask) or SelectionKind.ANY
        comdat = self.module.comdats.setdefault(name, Comdat(name))
        comdat.selection_kind = selection
        self.comdats.append(comdat)

    def count_names_again(self) -> None:
        """Count the bytes of names from 0: all of them are about to be read."""
        self._name_bytes_left = most_name_bytes(len(self.strtab))

    def forget_globals(self) -> None:
        """Reset the state left by reading globals, so that they can be read again."""
        self.count_names_again()
        self.module.clear()
        self.type_ids[: self.global_count] = [NO_TYPE_ID] * self.global_count  # constants may have theirs already
        for left in (self.operands, self.defined, self.implicit_comdats):
            left.clear()

    # Looking up

    def places(self, block_id: BlockId) -> list[BlockPlace]:
        """Return the positions of the inner blocks of an id, in order."""
        return self.records.places(self.inner.get(block_id, ()))

    def string(self, offset: int, size: int) -> str:
        """Return a string of the string table.

        Raises:
            Malformed: it reaches past the end, or so many names overlap that they would fill memory.
        """
        if offset + size > len(self.strtab):
            raise Malformed(Reason.NAME_OUTSIDE(offset=offset, size=size))
        self._name_bytes_left -= size
        if self._name_bytes_left < 0:
            total = len(self.strtab)
            raise Malformed(Reason.OVERLAPPING_NAMES(maximum=most_name_bytes(total), size=total))
        if self._ascii is not None:
            return self._ascii[offset : offset + size]
        return decoded(self.strtab[offset : offset + size])

    @property
    def sections(self) -> Sequence[str]:
        """The names of sections, in order."""
        return self._sections

    @property
    def collectors(self) -> Sequence[str]:
        """The names of garbage collectors, in order."""
        return self._collectors

    def name_places(self) -> dict[str, tuple[int, int]]:
        """Return offset and size in the string table of each name of a global, a comdat or a partition.

        Raises:
            BitcodeError: one of them reaches past the end.
        """
        self.count_names_again()
        places: dict[str, tuple[int, int]] = {}
        with self.records.placed():
            for _, code, operands in self.records:
                for place in name_places(code, operands):
                    places.setdefault(self.string(*place) if place[1] else "", place)
        return places

    def section(self, number: int) -> str:
        """Return a section name, counted from 1.

        Raises:
            Malformed: the number is unknown.
        """
        if number > len(self._sections):
            raise Malformed(Reason.NO_SECTION(number=number))
        return self._sections[number - 1]

    def collector(self, number: int) -> str:
        """Return the name of a garbage collector, counted from 1; "" for 0.

        Raises:
            Malformed: the number is unknown.
        """
        if number > len(self._collectors):
            raise Malformed(Reason.NO_GARBAGE_COLLECTOR(number=number))
        return self._collectors[number - 1] if number else ""

    def comdat(self, number: int) -> Comdat:
        """Return a comdat, counted from 1.

        Raises:
            Malformed: the number is unknown.
        """
        if number > len(self.comdats):
            raise Malformed(Reason.NO_COMDAT(number=number))
        return self.comdats[number - 1]

    def sync_scope(self, number: int) -> str:
        """Return the name of a synchronization scope. An unknown id means the system scope.

        The first two are fixed, whatever names the file gives them.
        """
        if number < len(_SYNC_SCOPES):
            return _SYNC_SCOPES[number]
        scopes = self.names(BlockId.SYNC_SCOPE_NAMES_BLOCK) or _SYNC_SCOPES
        return scopes[number] if number < len(scopes) else ""

    def bundle_tag(self, number: int) -> str:
        """Return the tag of an operand bundle.

        Raises:
            Malformed: the number is unknown.
        """
        tags = self.names(BlockId.OPERAND_BUNDLE_TAGS_BLOCK)
        if number >= len(tags):
            raise Malformed(Reason.NO_BUNDLE_TAG(number=number))
        return tags[number]

    def names(self, block_id: BlockId) -> tuple[str, ...]:
        """Return the names in the blocks of an id, in order.

        Raises:
            BitcodeError: a block holds anything else.
        """
        if block_id not in self._name_tables:
            self._name_tables[block_id] = read_names(self.places(block_id))
        return self._name_tables[block_id]

    def add_operand(self, holder: GlobalValue, role: str, value_id: int) -> None:
        """Remember an operand of a global."""
        self.operands.setdefault(holder, []).append((role, value_id, self.row))

    def block_of(self, function: Function, number: int) -> BasicBlock:
        """Return a block of a function, which need not have been read yet.

        Raises:
            Malformed: the function has no such block.
        """
        if function not in self.defined:
            raise Malformed(Reason.NO_BLOCKS_ELSEWHERE(function=function.name))
        blocks: Sequence[BasicBlock] = present_blocks(function)
        if blocks:
            if number >= len(blocks):
                raise Malformed(Reason.NO_FUNCTION_BLOCK(function=function.name, number=number))
            return blocks[number]
        if function in self._without_blocks:
            raise Malformed(Reason.NO_FUNCTION_BLOCKS(function=function.name))
        declared = self._declared.get(function, ())
        if number < len(declared):
            return declared[number]
        known = self._blocks.setdefault(function, {})
        return known.setdefault(number, BasicBlock(self.types.label))

    def declared_blocks(self, function: Function, count: int) -> list[BasicBlock]:
        """Return the blocks of a function, as many as its body declares.

        Raises:
            Malformed: a block that an address was taken of is not among them.
        """
        known = self._blocks.get(function, {})
        _check_addressed(known, count)
        label = self.types.label
        if known:
            blocks = [known.get(number) or BasicBlock(label) for number in range(count)]
        else:
            blocks = new_blocks(label, count)
        self._declared[function] = blocks
        return blocks

    def note_blocks(self, function: Function, blocks: Sequence[BasicBlock]) -> None:
        """Take note of the blocks of a body that has been read.

        Raises:
            Malformed: the module has too many empty ones, or an address was taken of a block that is not there.
        """
        self.empty_blocks_left -= [len(block) for block in blocks].count(0)
        if self.empty_blocks_left < 0:
            raise Malformed(Reason.MANY_EMPTY_BLOCKS(maximum=_MAX_EMPTY_BLOCKS))
        if blocks:
            # The body itself may have taken more addresses.
            _check_addressed(self._blocks.pop(function, {}), len(blocks))
            del self._declared[function]
        else:
            self._without_blocks.add(function)
            if self._blocks.get(function):
                raise Malformed(Reason.NO_TAKEN_FUNCTION_BLOCKS(function=function.name))

    def is_sized(self, type: Type) -> bool:
        """Return whether values of a type can lie in memory; large ones are walked through once."""
        if type in self.sized:
            return True
        is_sized = not self._unsized[type]
        if is_sized:
            self.sized.add(type)
        return is_sized

    def parameter_ids(self, function: Function) -> list[int]:
        """Return the type ids of a function's parameters, in modules with typed pointers."""
        type_id = self.defined[function]
        return [self.file_types.contained(type_id, index) for index in range(1, len(function.arguments) + 1)]


def _check_addressed(blocks: Mapping[int, BasicBlock], count: int) -> None:
    """Check that the blocks with a taken address are among the blocks of the function.

    Raises:
        Malformed: a block does not exist.
    """
    if blocks and max(blocks) >= count:
        raise Malformed(Reason.NO_TAKEN_BLOCK(number=max(blocks), count=count))
