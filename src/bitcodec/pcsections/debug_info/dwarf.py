"""Line tables of debug information, as pyelftools reads them.

Rules: DWARF Debugging Information Format 5, section 6.2.
"""

from __future__ import annotations

import posixpath
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bitcodec.errors import ContainerError
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.debug_info.line_headers import check_header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from elftools.dwarf.dwarfinfo import DebugSectionDescriptor

    from bitcodec.containers.elf_headers import ByteOrder

__all__ = ["DebugInformation", "LineRow", "line_rows"]

_SECTIONS = ("info", "abbrev", "line", "str", "line_str", "str_offsets", "addr", "rnglists", "loclists")
"""Sections that line tables and unit headers need, without `.debug_`."""

_OTHER_SECTIONS = (
    "debug_aranges_sec",
    "debug_frame_sec",
    "debug_loc_sec",
    "debug_ranges_sec",
    "debug_pubtypes_sec",
    "debug_pubnames_sec",
    "debug_sup_sec",
    "debug_types_sec",
    "eh_frame_sec",
    "gnu_debugaltlink_sec",
)
"""Arguments of DWARFInfo that may be None, but not missing."""

_FIRST_VERSION_WITH_DIRECTORY_0 = 5

_READS_PER_BYTE = 64
_READS_ALWAYS = 1 << 16


class LineRow(NamedTuple):
    """A range of addresses that belong to one line.

    Attributes:
        start, end: addresses; the end is the first that is not in it.
        file: path of the source file.
        line: 0 if the code belongs to no line.
    """

    start: int
    end: int
    file: str
    line: int


class DebugInformation(NamedTuple):
    """Source of debug information.

    Attributes:
        byte_order: of its numbers.
        word_size: bytes of an address.
        section: returns the bytes of the section of a name, None if it is missing.
    """

    byte_order: ByteOrder
    word_size: int
    section: Callable[[str], bytes | None]


def line_rows(source: DebugInformation, warn: Callable[[str], None]) -> Iterator[LineRow]:
    """Yield the lines of all units, in their order; `warn` is called with malformed parts, which are skipped."""
    try:
        reader = _GuardedReader(source)
        for unit in reader.units:
            yield from _unit_rows(reader, unit, warn)
    except Exception as error:  # noqa: BLE001 - malformed input raises anything there
        warn(_message(error))


def _unit_rows(reader: _GuardedReader, unit: Any, warn: Callable[[str], None]) -> Iterator[LineRow]:
    try:
        program = reader.program(unit)
        if program is not None:
            directory = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
            yield from _program_rows(program, _text(directory.value) if directory is not None else "")
    except Exception as error:  # noqa: BLE001 - malformed input raises anything there
        warn(_message(error))


def _program_rows(program: Any, directory: str) -> Iterator[LineRow]:
    paths: dict[int, str | None] = {}
    states = (entry.state for entry in program.get_entries() if entry.state is not None)
    for state, following in pairwise(states):
        if state.end_sequence or following.address <= state.address:
            continue
        if state.file not in paths:
            paths[state.file] = _path(program.header, state.file, directory)
        path = paths[state.file]
        if path is not None and following.address < 1 << 64 and state.line >= 0:
            yield LineRow(state.address, following.address, path, state.line)


def _path(header: Any, number: int, directory: str) -> str | None:
    """Return the path of a file of a line table, None if it is not listed."""
    counts_from = 0 if header["version"] >= _FIRST_VERSION_WITH_DIRECTORY_0 else 1
    index = number - counts_from
    if not 0 <= index < len(header["file_entry"]):
        return None
    entry = header["file_entry"][index]
    inner = (entry["dir_index"] or 0) - counts_from
    directories = header["include_directory"]
    folder = _text(directories[inner]) if 0 <= inner < len(directories) else ""
    return posixpath.join(directory, folder, _text(entry["name"]))


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _message(error: Exception) -> str:
    reason = " ".join(str(error).split())[:200]
    return f"debug information cannot be read: {reason or type(error).__name__}"


class _GuardedReader:
    """pyelftools' view of debug information, which is given up when it is read over and over."""

    def __init__(self, source: DebugInformation) -> None:
        # Many commands read no lines.
        from elftools.dwarf.dwarfinfo import DwarfConfig, DWARFInfo  # noqa: PLC0415 - imported where it is used alone

        contents = {name: source.section(f".debug_{name}") or b"" for name in _SECTIONS}
        self._byte_order = source.byte_order
        self._lines = contents["line"]
        self._meter = _Meter(sum(map(len, contents.values())))
        self._seen: set[int] = set()
        sections = {f"debug_{name}_sec": _descriptor(name, each, self._meter) for name, each in contents.items()}
        absent = dict.fromkeys(_OTHER_SECTIONS)
        self._info = DWARFInfo(DwarfConfig(source.byte_order == "little", "", source.word_size), **sections, **absent)

    @property
    def units(self) -> Iterator[Any]:
        """The compile units, if there are lines."""
        return iter(self._info.iter_CUs() if self._lines else ())

    def program(self, unit: Any) -> Any:
        """Return the line program of a unit, None if it is missing, or belongs to another unit."""
        attribute = unit.get_top_DIE().attributes.get("DW_AT_stmt_list")
        if attribute is None or attribute.value in self._seen:
            return None
        self._seen.add(attribute.value)
        self._meter.spend(check_header(self._lines, attribute.value, self._byte_order))
        return self._info.line_program_for_CU(unit)


def _descriptor(name: str, content: bytes, meter: _Meter) -> DebugSectionDescriptor | None:
    from elftools.dwarf.dwarfinfo import DebugSectionDescriptor  # noqa: PLC0415 - as above

    if not content:
        return None
    return DebugSectionDescriptor(_Metered(content, meter), f".debug_{name}", 0, len(content), 0)


class _Meter:
    """Counts reads, so that units which share or nest tables without end are given up in time."""

    def __init__(self, size: int) -> None:
        self._left = _READS_ALWAYS + _READS_PER_BYTE * size

    def spend(self, reads: int) -> None:
        self._left -= reads
        if self._left < 0:
            raise ContainerError("its tables are read over and over")


class _Metered(BytesIO):
    """Bytes whose reading is counted."""

    def __init__(self, content: bytes, meter: _Meter) -> None:
        super().__init__(content)
        self._meter = meter

    def read(self, size: int | None = -1, /) -> bytes:
        self._meter.spend(1)
        return super().read(size)
