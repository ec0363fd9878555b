"""Reads MODULE_BLOCK: what a module consists of at once, what is in it when it is asked for.

Order of things: types, attribute tables and the records of globals when the module is opened; the constants that
globals hold, the bodies of functions and metadata at the first touch.

Rules: bitcode record reference, sections 1 to 3.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.reader.attributes import AttributeReader
from bitcodec.bitcode.reader.collection import without_collection
from bitcodec.bitcode.reader.constants import ConstantReader
from bitcodec.bitcode.reader.expansion import Expandable
from bitcodec.bitcode.reader.functions import FunctionReader
from bitcodec.bitcode.reader.globals import GlobalReader, implicit_comdat, supports_comdats
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.reader.metadata import ModuleMetadata
from bitcodec.bitcode.reader.symbols import global_names
from bitcodec.bitcode.reader.tables import read_names
from bitcodec.bitcode.reader.text import characters, decoded
from bitcodec.bitcode.reader.types import NO_TYPE_ID, FileTypes
from bitcodec.bitcode.reader.upgrading import ModuleUpgrade
from bitcodec.bitcode.reader.use_lists import order_uses
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitcode.schema.globals import GLOBAL_LAYOUTS
from bitcodec.bitcode.upgrade.attributes import AttributeFitter
from bitcodec.bitcode.upgrade.data_layout import upgraded_data_layout
from bitcodec.ir.constants import Constant
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.functions import BasicBlock, Function
from bitcodec.ir.globals import Comdat, GlobalObject
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.module import Module
from bitcodec.tables.linkage import SelectionKind

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.bitcode.reader.globals import Held
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.ir.values import Value

__all__ = ["HANDLED_MODULE_CODES", "ModuleReader"]

_NEWEST_VERSION = 2
_VERSION_WITH_STRTAB = 2
_SYNC_SCOPES = ("singlethread", "")

_TEXTS: dict[int, str] = {
    ModuleCode.TRIPLE: "target_triple",
    ModuleCode.ASM: "module_asm",
    ModuleCode.SOURCE_FILENAME: "source_filename",
}
"""Records that are the text of an attribute of the module."""

_PASSED_OVER = frozenset({ModuleCode.DEPLIB, ModuleCode.VSTOFFSET, ModuleCode.METADATA_VALUES_UNUSED, ModuleCode.HASH})
"""Records that LLVM 22 takes no notice of either, when it reads a whole module."""

HANDLED_MODULE_CODES = (
    frozenset(GLOBAL_LAYOUTS)
    | frozenset(_TEXTS)
    | _PASSED_OVER
    | {ModuleCode.VERSION, ModuleCode.DATALAYOUT, ModuleCode.SECTIONNAME, ModuleCode.GCNAME, ModuleCode.COMDAT}
)


class ModuleReader:
    """Reads one module, and goes on reading it when its parts are asked for.

    Args:
        place: its MODULE_BLOCK.
        strtab: the string table that follows it, empty in files that have none.
        identifier: what to call the module.

    Attributes:
        module: the module.
        version: how records refer to values and names: 0, 1 or 2.
        file_types: its types by id.
        values: its globals and constants by value id, None for those that have not been made yet; followed by those of
            the function that is just read.
        global_count: how many of them are globals.
        type_ids: their type ids.
        attribute_lists: its attribute lists by index.
        metadata: its metadata by id.
        records: the records of MODULE_BLOCK itself.
        row: the one of them that is just read.
        defined: functions with a body and the ids of their types, in the order of the bodies.
    """

    def __init__(self, place: BlockPlace, strtab: bytes, identifier: str) -> None:
        self.module = Module(identifier, DataLayout(""))
        self.context = self.module.context
        self.types = self.context.types
        self.constants = self.context.constants
        self.file_types = FileTypes(self.types)
        self.fitter = AttributeFitter()
        self.values: list[Any] = []
        self.type_ids: list[int] = []
        self.version = 0
        self.defined: list[tuple[Function, int]] = []
        self.implicit_comdats: list[GlobalObject] = []
        self.has_expandables = False
        self._strtab = strtab
        self.records = place.decode(max_depth=1)
        self._inner: dict[int, list[Records]] = {}
        for inner in self.records.blocks():
            self._inner.setdefault(inner.id, []).append(inner)
        self._sections: list[str] = []
        self._collectors: list[str] = []
        self._comdats: list[Comdat] = []
        self._held: list[tuple[GlobalValue, Held, int]] = []
        self.row = 0
        self._blocks: dict[Function, dict[int, BasicBlock]] = {}
        self._function_type_ids: dict[Function, int] = {}
        self._name_tables: dict[BlockId, tuple[str, ...]] = {}
        self._layout = ""
        self._definitions: list[tuple[int, int, list[int]]] = []
        self._own_count = self.global_count = 0

    # Opening

    def open(self) -> Module:
        """Read what the module consists of.

        Raises:
            BitcodecError: it is malformed.
        """
        for place in self._places(BlockId.TYPE_BLOCK):
            self.file_types.read(place.decode())
        self.attribute_lists = AttributeReader(
            self._places(BlockId.PARAMATTR_GROUP_BLOCK),
            self._places(BlockId.PARAMATTR_BLOCK),
            self.file_types.of,
        )
        self.metadata = ModuleMetadata(
            self.context,
            self._places(BlockId.METADATA_BLOCK),
            self._places(BlockId.METADATA_KIND_BLOCK),
            self.file_types.of,
            self.value_of,
        )
        self._read_records()
        self.module.opened_from(self)
        return self.module

    def _read_records(self) -> None:
        records = self.records
        for row, code, operands in records:
            if code in GLOBAL_LAYOUTS:
                self._definitions.append((row, code, operands))
            else:
                with records.placed(row):
                    self._read_record(code, operands)
        self._settle_data_layout()
        self._own_count = self.global_count = len(self._definitions)
        self.values = [None] * self.global_count

    def read_symbols(self) -> None:
        """Make the globals and comdats, without what they hold."""
        # What an attempt that failed has left would stand in the way.
        self.module.clear()
        for left in (self.type_ids, self.defined, self.implicit_comdats, self._held):
            left.clear()
        with without_collection():
            self._read_symbols()

    def _read_symbols(self) -> None:
        self._read_globals(GlobalReader(self))
        if self.implicit_comdats and supports_comdats(self.module.target_triple):
            for value in self.implicit_comdats:
                implicit_comdat(value, self.module.comdats)
        self._pair_bodies()
        self._upgrade.upgrade_declarations()

    def _read_globals(self, reader: GlobalReader) -> None:
        has_strtab = self.version >= _VERSION_WITH_STRTAB
        names = {} if has_strtab else self._old_names()
        for number, (row, code, operands) in enumerate(self._definitions):
            self.row = row
            try:
                if has_strtab:
                    made, type_id = reader.read(code, operands[2:], self.string(operands[0], operands[1]))
                else:
                    made, type_id = reader.read(code, operands, names.get(number, ""))
            except (Malformed, IndexError) as error:
                with self.records.placed(row):
                    raise error from None
            self.values[number] = made
            self.module.append(made)
            if self.file_types.has_typed_pointers:
                self.type_ids.append(type_id)

    def _read_record(self, code: int, operands: list[int]) -> None:
        if code in _TEXTS:
            setattr(self.module, _TEXTS[code], characters(operands))
        elif code == ModuleCode.VERSION:
            if operands[0] > _NEWEST_VERSION:
                raise Malformed(f"modules of version {operands[0]} are newer than LLVM 22")
            self.version = operands[0]
        elif code == ModuleCode.DATALAYOUT:
            self._layout = characters(operands)
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
        except ValueError as error:
            raise self.records.error(0, f"the data layout {layout!r} makes no sense: {error}") from error

    def _read_comdat(self, operands: list[int]) -> None:
        if self.version < _VERSION_WITH_STRTAB:
            kind, size, text = operands[0], operands[1], operands[2:]
            if size > len(text):
                raise Malformed("the name is longer than the record")
            name = characters(text[:size])
        else:
            offset, size, kind = operands[0], operands[1], operands[2]
            name = self.string(offset, size)
        selection = SelectionKind.of(kind) or SelectionKind.ANY
        comdat = self.module.comdats.setdefault(name, Comdat(name))
        comdat.selection_kind = selection
        self._comdats.append(comdat)

    def _old_names(self) -> dict[int, str]:
        names: dict[int, str] = {}
        for place in self._places(BlockId.VALUE_SYMTAB_BLOCK):
            names.update(global_names(place.decode()))
        return names

    def _pair_bodies(self) -> None:
        bodies = self._inner.get(BlockId.FUNCTION_BLOCK, [])
        if len(bodies) > len(self.defined):
            raise bodies[len(self.defined)].error(-1, "a body of a function that is not defined")
        if len(bodies) < len(self.defined):
            raise self.records.error(self.row, f"{len(self.defined)} functions are defined, {len(bodies)} have a body")
        for (function, type_id), body in zip(self.defined, bodies, strict=True):
            self._function_type_ids[function] = type_id
            function._read_body = _Body(self, body).read

    def _places(self, block_id: BlockId) -> list[BlockPlace]:
        return [inner.place() for inner in self._inner.get(block_id, ())]

    # What readers of parts look things up with

    def string(self, offset: int, size: int) -> str:
        """Return a string of the string table.

        Raises:
            Malformed: it reaches past the end.
        """
        if offset + size > len(self._strtab):
            raise Malformed(f"a name at byte {offset} of {size} bytes reaches past the string table")
        return decoded(self._strtab[offset : offset + size])

    def section(self, number: int) -> str:
        """Return a section name, counted from 1.

        Raises:
            Malformed: there is none.
        """
        if number > len(self._sections):
            raise Malformed(f"there is no section {number}")
        return self._sections[number - 1]

    def collector(self, number: int) -> str:
        """Return the name of a garbage collector, counted from 1; "" for 0.

        Raises:
            Malformed: there is none.
        """
        if number > len(self._collectors):
            raise Malformed(f"there is no garbage collector {number}")
        return self._collectors[number - 1] if number else ""

    def comdat(self, number: int) -> Comdat:
        """Return a comdat, counted from 1.

        Raises:
            Malformed: there is none.
        """
        if number > len(self._comdats):
            raise Malformed(f"there is no comdat {number}")
        return self._comdats[number - 1]

    def sync_scope(self, number: int) -> str:
        """Return the name of a synchronization scope; one that there is not is that of the whole system."""
        scopes = self._names(BlockId.SYNC_SCOPE_NAMES_BLOCK) or _SYNC_SCOPES
        return scopes[number] if number < len(scopes) else ""

    def bundle_tag(self, number: int) -> str:
        """Return the tag of an operand bundle.

        Raises:
            Malformed: there is none.
        """
        tags = self._names(BlockId.OPERAND_BUNDLE_TAGS_BLOCK)
        if number >= len(tags):
            raise Malformed(f"there is no operand bundle tag {number}")
        return tags[number]

    def _names(self, block_id: BlockId) -> tuple[str, ...]:
        if block_id not in self._name_tables:
            self._name_tables[block_id] = read_names(self._places(block_id))
        return self._name_tables[block_id]

    def hold(self, value: GlobalValue, held: Held) -> None:
        """Remember a constant that a global holds."""
        self._held.append((value, held, self.row))

    def value_of(self, type_id: int, value_id: int) -> Value | None:
        """Return the global or constant that metadata wraps, None for one of type void.

        Raises:
            Malformed: there is none.
        """
        if self.file_types.of(type_id) is self.types.void:
            return None
        constants = self._constants
        if value_id >= self._own_count:
            raise Malformed(f"there is no value {value_id}")
        if value_id < self.global_count:
            self.module.materialize_symbols()
        else:
            constants.make(value_id)
        value = self.values[value_id]
        return self.constants.undef(value.type) if isinstance(value, Expandable) else value

    def block_of(self, function: Function, number: int) -> BasicBlock:
        """Return a block of a function, which need not have been read yet.

        Raises:
            Malformed: there is none.
        """
        if function not in self._function_type_ids:
            raise Malformed(f"@{function.name} has no blocks: it is defined elsewhere")
        if function._blocks:
            if number >= len(function._blocks):
                raise Malformed(f"@{function.name} has no block {number}")
            return function._blocks[number]
        blocks = self._blocks.setdefault(function, {})
        return blocks.setdefault(number, BasicBlock(self.types.label))

    def declared_blocks(self, function: Function, count: int) -> list[BasicBlock]:
        """Return the blocks of a function, as many as its body declares.

        Raises:
            Malformed: a block that an address was taken of is not among them.
        """
        known = self._blocks.setdefault(function, {})
        if known and max(known) >= count:
            raise Malformed(f"the address of block {max(known)} is taken, but there are {count}")
        label = self.types.label
        for number in range(count):
            known.setdefault(number, BasicBlock(label))
        return [known[number] for number in range(count)]

    def parameter_ids(self, function: Function) -> list[int]:
        """Return the type ids of a function's parameters, in modules with typed pointers."""
        count = len(function.value_type.parameter_types)
        if not self.file_types.has_typed_pointers:
            return [NO_TYPE_ID] * count
        type_id = self._function_type_ids[function]
        return [self.file_types.contained(type_id, index + 1) for index in range(count)]

    # Parts that are read when they are asked for

    def read_globals(self) -> None:
        """Read the constants, and give globals what they hold."""
        self._constants.make_all()
        self.has_expandables = any(isinstance(value, Expandable) for value in self.values)
        for value, held, row in self._held:
            with self.records.placed(row):
                self._give(value, held)
        for place in self._places(BlockId.USELIST_BLOCK):
            order_uses(place.decode(), self.values, ())

    @cached_property
    def _constants(self) -> ConstantReader:
        """The module's constants, enumerated."""
        if self.file_types.has_typed_pointers:
            self.module.materialize_symbols()
        reader = ConstantReader(self, self.values, self.type_ids)
        for place in self._places(BlockId.CONSTANTS_BLOCK):
            reader.enumerate(place.decode())
        self._own_count = len(self.values)
        return reader

    def _give(self, value: GlobalValue, held: Held) -> None:
        if held.value_id >= self._own_count:
            if isinstance(value, Function):
                return  # as LLVM does
            raise Malformed(f"the {held.role} is value {held.value_id}, which there is not")
        constant = self.values[held.value_id]
        if not isinstance(constant, Constant):
            raise Malformed(f"the {held.role} is no constant that LLVM 22 has")
        try:
            setattr(value, held.role, constant)
        except TypeError as error:
            raise Malformed(str(error)) from error

    def read_attachments(self) -> None:
        """Read the metadata attached to globals."""
        attached = {value_id: list(pairs) for value_id, pairs in self.metadata.global_attachments.items()}
        for value_id, metadata_id in self.metadata.function_subprograms:
            attached.setdefault(value_id, []).append(("dbg", metadata_id))
        for value_id, pairs in attached.items():
            value = self.values[value_id] if value_id < self.global_count else None
            if isinstance(value, GlobalObject):
                nodes = [(kind, self.metadata.node(metadata_id)) for kind, metadata_id in pairs]
                value._metadata = [(kind, node) for kind, node in nodes if isinstance(node, MDNode)]

    def named_metadata(self) -> dict[str, NamedMetadata]:
        """Return the named metadata, by name and in order."""
        return self._upgrade.upgraded_metadata()

    def read_body(self, function: Function, place: BlockPlace) -> None:
        """Read the body of a function."""
        self.module.materialize_globals()
        with without_collection():
            FunctionReader(self, function, place).read()
            self._upgrade.upgrade_body(function)

    def read_rest(self) -> None:
        """Read all metadata, and settle what had to wait until everything was read."""
        self.metadata.read_all()
        _ = self.attribute_lists.all(), self.metadata.kinds
        for block_id in (BlockId.OPERAND_BUNDLE_TAGS_BLOCK, BlockId.SYNC_SCOPE_NAMES_BLOCK):
            self._names(block_id)
        for named in self.module.named_metadata.values():
            _ = named.operands
        for function in self.module.functions:
            _ = function.attributes, function.metadata
            for instruction in function.instructions:
                instruction.materialize()
        self._upgrade.upgrade_rest()

    @cached_property
    def _upgrade(self) -> ModuleUpgrade:
        return ModuleUpgrade(self.module, self.metadata, self.attribute_lists)


class _Body:
    """Where the body of a function is read from."""

    __slots__ = ("_body", "_module")

    def __init__(self, module: ModuleReader, body: Records) -> None:
        self._module = module
        self._body = body

    def read(self, function: Function) -> None:
        """Read it."""
        self._module.read_body(function, self._body.place())
