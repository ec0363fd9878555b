"""Reads files and collects the contents of a report, one module after another: modules are not kept."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from bitcodec.analysis import CallGraph
from bitcodec.bitcode.assembling import as_bitcode
from bitcodec.bitcode.loading import modules_in
from bitcodec.bitcode.modules import modules_of
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitstream.magic import StreamKind
from bitcodec.containers import check_module_head, open_streams
from bitcodec.errors import BitcodecError, PCSectionsError, PlacedError, block_trail
from bitcodec.files import read_file
from bitcodec.flags.spelling import spelled
from bitcodec.host.collection import ObjectGrowth, without_collection
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.debug_info import DIFile, DISubprogram
from bitcodec.ir.metadata import MDString, ValueAsMetadata
from bitcodec.ir.pcsections import PCSECTIONS, PCSections
from bitcodec.printing import one_line
from bitcodec.report.contents import FileReport, FunctionReport, ModuleReport, Report
from bitcodec.report.fingerprints import Fingerprints
from bitcodec.report.shares import file_share, names_of, stream_share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitstream import Columns
    from bitcodec.bitstream.names import Names
    from bitcodec.containers import FoundStream
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module

__all__ = ["collect", "collect_file"]

_WRONG_LENGTHS = "lengths of blocks are wrong: functions cannot be found by them"
"""Modules are read by the lengths of blocks, sizes by their ends."""
_MAX_VALUE = 200
"""Characters of the value of a module flag."""


def collect(paths: Iterable[str | os.PathLike[str]]) -> Report:
    """Return a report on files: bitcode, or objects and archives that contain some.

    Malformed parts are in `FileReport.errors`; the report contains everything that could be read.

    Raises:
        OSError: a file cannot be read.
        BitcodecError: a file contains no bitstream, or is a malformed container.

    >>> from bitcodec.report import collect
    >>> report = collect(["examples/hello.bc"])
    >>> report.modules[0].functions[0].calls
    {'printf': 1}
    """
    report = Report()
    for path in paths:
        name = os.fsdecode(path)
        try:
            data = read_file(path, check_head=partial(check_module_head, name=name))
            report.files.append(collect_file(data, name, path=path))
        except BitcodecError as error:
            raise error.in_file(name) from error.__cause__
    return report


def collect_file(data: memoryview | bytes, name: str, *, path: str | os.PathLike[str] | None = None) -> FileReport:
    """Return a report on one file.

    Args:
        data: its bytes; sizes of LLVM assembly are the sizes of its bitcode.
        name: its name in the report.
        path: its path; members of a thin archive are searched relative to it.

    Raises:
        BitcodecError: it contains no bitstream, or is a malformed container.
    """
    view = as_bitcode(memoryview(data).cast("B"), name)
    streams = open_streams(view, path=path)
    found = FileReport(name, 0, file_share(name, 0, (), ()))
    shares = []
    for number, each in enumerate(streams):
        columns = each.stream.decode()
        shares.append(stream_share(each.path or name, each.stream, columns))
        if columns.error is not None:
            found.errors.append(_described(columns.error, each, columns))
        elif each.stream.kind is StreamKind.LLVM_IR:
            found.modules += _modules(each, number, columns, name, found.errors)
    found.share = file_share(name, len(view), streams, shares)
    found.size = found.share.bits // 8
    return found


def _modules(found: FoundStream, stream: int, columns: Columns, file: str, errors: list[str]) -> Iterator[ModuleReport]:
    """Yield the modules of a stream that has been decoded; reasons why one cannot be read are added to a list."""
    label = f"{file}({found.path})" if found.path else file
    names = names_of(found.stream, columns)
    try:
        with without_collection(ObjectGrowth()):
            places = [blocks.module.start for blocks in modules_of(found.stream)]
            for number, (module, start) in enumerate(zip(modules_in(found.stream, label), places, strict=True), 1):
                row = _row_of_module(columns, start)
                report = ModuleReport(
                    file,
                    found.path,
                    stream,
                    number,
                    module.producer,
                    module.target_triple,
                    module.source_filename,
                    columns.blocks.end[row] - start,
                )
                yield report
                _look_into(report, module, columns, row, names)
    except BitcodecError as error:
        errors.append(_described(error, found, columns))


def _row_of_module(columns: Columns, start: int) -> int:
    """Return the row of the block that begins at a bit.

    Raises:
        BitcodecError: it contains none.
    """
    starts = columns.blocks.start
    row = bisect_left(starts, start)
    if row == len(starts) or starts[row] != start:
        raise BitcodecError(_WRONG_LENGTHS)
    return row


def _described(error: BitcodecError, found: FoundStream, columns: Columns) -> str:
    """Return the text of an error, with the names of blocks and the stream that it is in."""
    text = str(error)
    if isinstance(error, PlacedError):
        path = [names_of(found.stream, columns).describe_block(block_id) for block_id in error.block_path]
        text = f"{error.reason} (bit {error.bit_offset}, {block_trail(path)})"
    return one_line(f"{found.path}: {text}" if found.path else text)


def _look_into(report: ModuleReport, module: Module, columns: Columns, row: int, names: Names) -> None:
    """Add the facts that require the module to be opened.

    Raises:
        BitcodecError: a part of it is malformed.
    """
    report.flags = {flag.key: _flag_value(flag.value) for flag in module.flags.entries.values()}
    report.variables = len(module.global_variables)
    defined = [function for function in module.functions if not function.is_declaration]
    report.declarations = len(module.functions) - len(defined)
    graph = CallGraph(module)
    fingerprints = Fingerprints()
    bodies = list(_bodies(columns, row))
    if len(bodies) != len(defined):
        raise BitcodecError(_WRONG_LENGTHS)
    report.functions = tuple(
        _function(function, graph, fingerprints, columns, body, names)
        for function, body in zip(defined, bodies, strict=True)
    )


def _bodies(columns: Columns, module: int) -> Iterator[int]:
    """Yield the rows of the bodies of a module, which are in the order of the functions that it defines."""
    blocks = columns.blocks
    for row in range(module + 1, blocks.last_block[module]):
        if blocks.parent[row] == module and blocks.id[row] == BlockId.FUNCTION_BLOCK:
            yield row


def _function(
    function: Function, graph: CallGraph, fingerprints: Fingerprints, columns: Columns, row: int, names: Names
) -> FunctionReport:
    blocks = columns.blocks
    path, line = _source(function)
    return FunctionReport(
        name=graph.node_name(function),
        linkage=str(function.linkage),
        bits=blocks.end[row] - blocks.start[row],
        parts=_inner_blocks(columns, row, names),
        blocks=len(function.blocks),
        opcodes=dict(Counter([each.opcode for each in function.instructions]).most_common()),
        source_file=path,
        line=line,
        calls={graph.node_name(callee): len(graph.calls(function, callee)) for callee in graph.callees(function)},
        indirect_calls=len(graph.indirect_calls.get(function, ())),
        pcsections=_pcsections(function),
        fingerprint=fingerprints.of(function),
    )


def _inner_blocks(columns: Columns, body: int, names: Names) -> dict[str, int]:
    blocks = columns.blocks
    sizes: Counter[int] = Counter()
    for row in range(body + 1, blocks.last_block[body]):
        if blocks.parent[row] == body:
            sizes[blocks.id[row]] += blocks.end[row] - blocks.start[row]
    return {names.describe_block(block_id): bits for block_id, bits in sizes.most_common()}


def _pcsections(function: Function) -> dict[str, int]:
    counts: Counter[str] = Counter()
    nodes = Counter(each.metadata.get(PCSECTIONS) for each in function.instructions if each.has_attachments)
    nodes[function.metadata.get(PCSECTIONS)] += 1
    for node, count in nodes.items():
        if node is not None:
            counts.update(dict.fromkeys(_section_names(node), count))
    return dict(counts)


def _section_names(node: MDNode) -> list[str]:
    try:
        return [section.name for section in PCSections.of_node(node)]
    except PCSectionsError:
        return []


def _source(function: Function) -> tuple[str, int]:
    """Return the path of the source file, "" if it is unknown, and the line; malformed modules may have any nodes."""
    match function.subprogram:
        case DISubprogram(file=DIFile(directory=directory, filename=name), line=line):
            return _path(directory or "", name or ""), line
    return "", 0


def _path(directory: str, name: str) -> str:
    """Return the path of a source file, with the separators of POSIX."""
    is_absolute = name.startswith(("/", "\\")) or name[1:3] in {":\\", ":/"}
    return (name if is_absolute or directory in {"", "."} else f"{directory}/{name}").replace("\\", "/")


def _flag_value(value: object) -> str:
    match value:
        case ValueAsMetadata(value=ConstantInt(value=number)):
            return str(number)
        case MDString(text=text):
            return text[:_MAX_VALUE]
    return spelled(value, most_characters=_MAX_VALUE)  # type: ignore[arg-type] # a flag's value is metadata or None
