"""Opens bitcode: from a file or bytes to modules.

Rules: docs/reference/records.md, 1.1 to 1.3.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, cast

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.modules import check_modules, frame_of, modules_of
from bitcodec.bitcode.reader.blocks import BlockPlace
from bitcodec.bitcode.reader.boundary import Boundary
from bitcodec.bitcode.reader.module import ModuleReader
from bitcodec.bitcode.schema.blocks import IdentificationCode, StrtabCode
from bitcodec.bitcode.text import characters
from bitcodec.bitstream.abbreviations import TOP_LEVEL_WIDTH
from bitcodec.bitstream.magic import StreamKind
from bitcodec.containers import check_module_head, is_assembly, open_streams
from bitcodec.containers.other_files import explain
from bitcodec.errors import BitcodecError, ContainerError
from bitcodec.features import feature
from bitcodec.files import read_file, read_stream
from bitcodec.host.collection import without_collection
from bitcodec.ir.sources import FileWrapper
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TypeAlias

    from typing_extensions import Buffer

    from bitcodec.bitcode.modules import ModuleBlocks
    from bitcodec.bitstream import Bitstream, Block
    from bitcodec.ir.context import Context
    from bitcodec.ir.module import Module

    File: TypeAlias = str | os.PathLike[str] | BinaryIO | Buffer

__all__ = ["loads", "loads_all", "modules_in", "modules_of_file", "open", "open_all"]

_EPOCH = 0
_EPOCH_MASK = 0xFFFF_FFFF
"""LLVM takes 32 bits of it."""
_IDENTIFICATION_CODES = frozenset(map(int, IdentificationCode))
_FROM_BYTES = "<bytes>"
_PRODUCERS = 64
_LONGEST_PRODUCER = 256
_MANY = 64
"""Number of modules in a stream from which on each keeps little: most may be small and never read."""
_MAX_SMALL_MODULES = 4096
_BYTES_OF_A_MODULE = 512
"""How many modules are opened together: so many, and one for each so many bytes.

An open module takes about 13 KB of memory, and the bitcode of an empty module, as LLVM writes it, 1.4 KB.
"""
_known_producers: dict[bytes, str] = {}
"""Producer strings, by the bytes of the IDENTIFICATION block."""


def open(file: File, *, mmap: bool = False) -> Module:  # noqa: A001 - `bitcodec.open`, like `gzip.open`
    """Open the one module in a file: bitcode, an object, archive or wrapper that holds it, or LLVM assembly.

    Of bitcode, only what the module consists of is read; bodies and metadata are read when they are first needed.
    Assembly, which is recognized by its content, or by a name that ends in `.ll`, is read whole.

    Args:
        file: the path of the file, a file that is open in binary mode and is read to its end, or the bytes themselves.
        mmap: map the file at a path into memory instead of reading it.  That saves the time and the memory of a copy,
            and is the only way to open a file larger than 4 GiB; but if the file shrinks while the module is in use,
            the system kills the process.

    Raises:
        OSError: the file cannot be read, or no file can have this name.
        TypeError: `file` is nothing of the above, or is open in text mode.
        BitcodecError: it holds no bitcode, or more than one module, or is malformed.

    >>> bitcodec.open("examples/hello.bc").functions["main"].name
    'main'
    """
    return _single(open_all(file, mmap=mmap), _name_of(file))


def open_all(file: File, *, mmap: bool = False, context: Context | None = None) -> list[Module]:
    """Open all modules in a file, in order.

    Args:
        file: the file, as for `open`.
        mmap: map the file into memory instead of reading it, as for `open`.
        context: owns the types, constants and metadata of the modules. Default: a new one for each module.

    Raises:
        OSError: the file cannot be read, or no file can have this name.
        TypeError: `file` is not a file, path or bytes.
        BitcodecError: it holds no bitcode, or is malformed.
    """
    name = _name_of(file)
    check = partial(check_module_head, name=name)
    try:
        if isinstance(file, str | os.PathLike):
            return list(modules_of_file(read_file(file, mmap=mmap, check_head=check), name, file, context))
        data = read_stream(cast("BinaryIO", file), check_head=check) if hasattr(file, "read") else _view(file)
        return list(modules_of_file(data, name, None, context))
    except BitcodecError as error:
        if name == _FROM_BYTES:
            raise
        raise error.in_file(name) from error.__cause__


def loads(data: Buffer, name: str = _FROM_BYTES) -> Module:
    """Open the one module in bytes, as `open` does that in a file.

    Raises:
        BitcodecError: they hold no bitcode, or more than one module, or are malformed.
    """
    return _single(loads_all(data, name), name)


def loads_all(data: Buffer, name: str = _FROM_BYTES) -> list[Module]:
    """Open all modules in bytes, in order.

    Raises:
        BitcodecError: they hold no bitcode, or are malformed.
    """
    return list(modules_of_file(_view(data), name, None))


def modules_in(stream: Bitstream, name: str, context: Context | None = None) -> Iterator[Module]:
    """Open the modules of one stream of LLVM IR, in a context if one is given.

    Raises:
        BitcodecError: it is malformed, or ends where LLVM requires a module.
    """
    check_modules(stream)
    modules = modules_of(stream)
    _check_count(len(modules), len(stream.payload))
    for blocks in modules:
        producer = _producer(stream, blocks.identification)
        symtab = None if blocks.symtab is None else _place(stream, blocks.symtab)
        place, frame = _place(stream, blocks.module), frame_of(stream, blocks)
        with without_collection(), Boundary(place):
            reader = ModuleReader(place, _strtab(stream, blocks), name, symtab, frame, context)
            module = reader.open()
        if len(modules) > _MANY:
            reader.tables.drop_records()
        module.producer = producer
        if stream.wrapper is not None:
            module.wrapper = FileWrapper(stream.wrapper.cpu_type, stream.wrapper.version)
        yield module


def _view(data: Buffer) -> memoryview:
    try:
        return memoryview(data).cast("B")
    except TypeError:
        kind = type(data).__name__
        raise TypeError(f"expected a path, a file that is open in binary mode, or bytes; got {kind}") from None


def _name_of(file: File) -> str:
    """Return the name of a file for messages."""
    if isinstance(file, str | os.PathLike):
        return os.fsdecode(file)
    name = getattr(file, "name", None)
    return name if isinstance(name, str) else _FROM_BYTES


def modules_of_file(
    data: memoryview, name: str, path: str | os.PathLike[str] | None, context: Context | None = None
) -> Iterator[Module]:
    """Open the modules in the bytes of a file, in order.

    Args:
        data: the bytes.
        name: of the file, for messages.
        path: its path, where thin archives look for their members; None if unknown.
        context: owns the types, constants and metadata of the modules. Default: a new one for each module.

    Raises:
        BitcodecError: they contain no bitcode, or are malformed.
    """
    if is_assembly(data, name):
        yield feature("parse_assembly")(bytes(data), name=name, context=context)
        return
    count = size = 0
    for found in open_streams(data, path=path):
        if found.stream.kind is StreamKind.LLVM_IR:
            size += len(found.stream.payload)
            for module in modules_in(found.stream, f"{name}({found.path})" if found.path else name, context):
                count += 1
                _check_count(count, size)
                yield module
        elif other := explain(found.stream.payload):
            raise ContainerError(other)


def _check_count(count: int, size: int) -> None:
    """Hold the number of modules against the bytes of bitcode that they are read from.

    Raises:
        ContainerError: there are too many.
    """
    if count > _MAX_SMALL_MODULES + size // _BYTES_OF_A_MODULE:
        raise ContainerError(f"{count} modules in {size} bytes of bitcode: too many to be opened at once")


def _single(modules: list[Module], name: str) -> Module:
    if not modules:
        raise ContainerError(f"{name} holds no LLVM IR")
    if len(modules) > 1:
        raise ContainerError(f"{name} holds {len(modules)} modules; `bitcodec.open_all` opens them all")
    return modules[0]


def _place(stream: Bitstream, block: Block) -> BlockPlace:
    # Whatever BLOCKINFO another module had must not be in force here.
    size = block.size_in_words * 4
    return BlockPlace(stream.payload, block.id, block.start, TOP_LEVEL_WIDTH, size, None, ())


def _producer(stream: Bitstream, identification: Block | None) -> str:
    """Return the producer of the modules that follow. Few producers occur, so they are cached."""
    if identification is None:
        return ""
    content = bytes(stream.payload[identification.start // 8 : identification.end // 8])
    producer = _known_producers.get(content)
    if producer is None:
        producer = _read_producer(stream, identification)
        if len(_known_producers) >= _PRODUCERS:
            _known_producers.clear()
        if len(content) <= _LONGEST_PRODUCER:
            _known_producers[content] = producer
    return producer


def _read_producer(stream: Bitstream, identification: Block) -> str:
    producer = ""
    records = _place(stream, identification).decode()
    for row, code, operands in records:
        with records.placed(row):
            if code == IdentificationCode.STRING:
                producer = characters(operands)
            elif code == IdentificationCode.EPOCH:
                require_operands(operands, 1)
                if operands[0] & _EPOCH_MASK != _EPOCH:
                    raise Malformed(Reason.OTHER_EPOCH(epoch=operands[0]))
            elif code not in _IDENTIFICATION_CODES:
                raise Malformed(Reason.NO_SUCH_RECORD())
    return producer


def _strtab(stream: Bitstream, blocks: ModuleBlocks) -> bytes:
    """Return the strings of a module: the last BLOB record holds them, as LLVM reads the block."""
    if blocks.strtab is None:
        return b""
    records = _place(stream, blocks.strtab).decode()
    rows = [row for row, code, _ in records if code == StrtabCode.BLOB]
    return bytes(records.blob(rows[-1]) or b"") if rows else b""
