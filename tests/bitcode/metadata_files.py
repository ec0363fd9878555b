"""The metadata of corpus files, read without the rest of the reader: values are stand-ins, but for integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.integers import rotated
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.modules import modules_of
from bitcodec.bitcode.reader.blocks import BlockPlace, Records
from bitcodec.bitcode.reader.metadata import FunctionMetadata, ModuleMetadata
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, ModuleCode, TypeCode
from bitcodec.containers import open_streams
from bitcodec.ir.context import Context
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.metadata import MDNode, Metadata
from bitcodec.ir.values import Value
from bitcodec.sentences import Sentence
from bitcodec.upgrade.module_flags import DEBUG_INFO_VERSION, debug_info_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.types import Type

_GLOBALS = {ModuleCode.GLOBALVAR, ModuleCode.FUNCTION, ModuleCode.ALIAS_OLD, ModuleCode.ALIAS, ModuleCode.IFUNC}
_TYPES_WITHOUT_ID = {TypeCode.NUMENTRY, TypeCode.STRUCT_NAME}


def reached(module: ModuleMetadata, functions: list[FunctionMetadata]) -> list[Metadata]:
    """Return all metadata of a module and its functions, each object once."""
    pending = [module.node(metadata_id) for metadata_id in range(module.count)]
    attached = [pair for pairs in module.global_attachments.values() for pair in pairs]
    if debug_info_version(module.named) != DEBUG_INFO_VERSION:
        attached = [(kind, metadata_id) for kind, metadata_id in attached if kind != "dbg"]  # LLVM drops these
    pending += [module.node(metadata_id) for _, metadata_id in attached]
    for function in functions:
        pending += [function.node(metadata_id) for metadata_id in range(module.count, function.count)]
    found: dict[int, Metadata] = {}
    while pending:
        metadata = pending.pop()
        if id(metadata) not in found:
            found[id(metadata)] = metadata
            if isinstance(metadata, MDNode):
                pending += [operand for operand in metadata.operands if isinstance(operand, Metadata)]
    return list(found.values())


class ModuleValues:
    """The types and values of a module, as far as metadata needs them."""

    def __init__(self, context: Context, module: Records) -> None:
        self.context = context
        self.types: list[Type] = []
        self.values: list[Value] = []
        for block in module.blocks():
            if block.id == BlockId.TYPE_BLOCK:
                self._read_types(block)
        for _, code, _ in module:
            if code in _GLOBALS:
                self.values.append(self._stand_in(is_variable=code == ModuleCode.GLOBALVAR))
        for block in module.blocks():
            if block.id == BlockId.CONSTANTS_BLOCK:
                self._read_constants(block)

    def type_of(self, type_id: int) -> Type:
        if type_id >= len(self.types):
            raise Malformed(Sentence(f"type id {type_id}"))
        return self.types[type_id]

    def value_of(self, _type_id: int, value_id: int) -> Value | None:
        while len(self.values) <= value_id:
            self.values.append(self._stand_in(is_variable=False))
        return self.values[value_id]

    def _stand_in(self, *, is_variable: bool) -> Value:
        value = GlobalVariable.__new__(GlobalVariable) if is_variable else Value(self.context.types.ptr)
        Value.__init__(value, self.context.types.ptr)
        return value

    def _read_types(self, block: Records) -> None:
        types = self.context.types
        for _, code, operands in block:
            if code == TypeCode.INTEGER:
                self.types.append(types.integer(operands[0]))
            elif code not in _TYPES_WITHOUT_ID:
                plain: dict[int, Type] = {TypeCode.METADATA: types.metadata, TypeCode.VOID: types.void}
                self.types.append(plain.get(code, types.ptr))

    def _read_constants(self, block: Records) -> None:
        current: Type = self.context.types.ptr
        for _, code, operands in block:
            if code == ConstantsCode.SETTYPE:
                current = self.types[operands[0]]
                continue
            value = self._stand_in(is_variable=False)
            if hasattr(current, "bit_width") and code in (ConstantsCode.INTEGER, ConstantsCode.NULL):
                number = rotated(operands[0]) if code == ConstantsCode.INTEGER else 0
                value = self.context.constants.integer(current, number)
            self.values.append(value)


def read_metadata(data: bytes) -> Iterator[tuple[ModuleMetadata, list[FunctionMetadata]]]:
    """Yield the metadata of each module of a file, and of its functions."""
    for found in open_streams(memoryview(data)):
        stream = found.stream
        for blocks in modules_of(stream):
            block = blocks.module
            size = block.size_in_words * 4
            place = BlockPlace(stream.payload, block.id, block.start, 2, size, block.block_info, ())
            yield _read_module(place.decode())


def _read_module(module: Records) -> tuple[ModuleMetadata, list[FunctionMetadata]]:
    context = Context()
    values = ModuleValues(context, module)
    inner = module.blocks()
    metadata = ModuleMetadata(
        context,
        [block for block in inner if block.id == BlockId.METADATA_BLOCK],
        [block for block in inner if block.id == BlockId.METADATA_KIND_BLOCK],
        values.type_of,
        values.value_of,
    )
    functions = []
    for body in inner:
        if body.id == BlockId.FUNCTION_BLOCK:
            own = [block for block in body.blocks() if block.id == BlockId.METADATA_BLOCK]
            if own:
                functions.append(metadata.function(own, values.value_of))
    return metadata, functions
