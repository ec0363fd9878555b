"""Contents of a report: plain data, which needs neither the files nor their modules any more."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FileReport", "FunctionReport", "ModuleReport", "Report", "Share"]


class Share(NamedTuple):
    """A part of a file, and its size.  The sizes of `parts` add up to `bits`, unless it has no parts.

    Attributes:
        name: kind of block or record, or a description of the data between blocks.
        bits: its size in bits.
        instances: how many such blocks or records there are; 1 for other parts.
        parts: its parts, in the order of the file.
    """

    name: str
    bits: int
    instances: int = 1
    parts: tuple[Share, ...] = ()

    def leaves(self) -> Iterator[tuple[tuple[str, ...], Share]]:
        """Yield the path and the share of each part that has no parts; their sizes add up to `bits`."""
        pending: list[tuple[tuple[str, ...], Share]] = [((), self)]
        while pending:
            path, share = pending.pop()
            if not share.parts:
                yield path, share
            pending += [((*path, part.name), part) for part in reversed(share.parts)]


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """A function that is defined.

    Attributes:
        name: its name; `<1>`, `<2>`, ... if it has none.
        linkage: as LLVM IR spells it.
        bits: the size of its block, inner blocks included.
        parts: the size in bits of the blocks inside it, by kind of block.
        blocks: the number of basic blocks.
        opcodes: the number of instructions of each opcode.
        source_file: the file of its debug information; "" if there is none.
        line: the line where it begins, 0 if unknown.
        calls: the number of calls of each function that it calls by name.
        indirect_calls: the number of calls through pointers.
        pcsections: the number of its requests for each PC section, by itself and by its instructions.
        fingerprint: functions with the same fingerprint are duplicates; see `bitcodec.report.fingerprint`.
    """

    name: str
    linkage: str
    bits: int
    parts: dict[str, int]
    blocks: int
    opcodes: dict[str, int]
    source_file: str
    line: int
    calls: dict[str, int]
    indirect_calls: int
    pcsections: dict[str, int]
    fingerprint: str

    @property
    def instructions(self) -> int:
        """The number of instructions."""
        return sum(self.opcodes.values())


@dataclass(slots=True)
class ModuleReport:
    """A module of a file.

    Attributes:
        file: the file, as the user named it.
        member: the path of its bitstream in the file; "" if the file is the bitstream.
        stream: the number of its bitstream in the file, from 0.
        number: its number in the bitstream, from 1.
        producer: its producer; "" if unknown.
        triple: the target.
        source_filename: the file that it was compiled from.
        bits: the size of its MODULE_BLOCK.
        flags: module flags and their values, as text.
        declarations: the number of functions that it declares and does not define.
        variables: the number of global variables.
        functions: the functions that it defines, in order.
    """

    file: str
    member: str
    stream: int
    number: int
    producer: str
    triple: str
    source_filename: str
    bits: int
    flags: dict[str, str] = field(default_factory=dict)
    declarations: int = 0
    variables: int = 0
    functions: tuple[FunctionReport, ...] = ()

    @property
    def label(self) -> str:
        """Name of the module: `FILE(MEMBER)[NUMBER]`, without the parts that are not needed."""
        name = f"{self.file}({self.member})" if self.member else self.file
        return name if self.number == 1 else f"{name}[{self.number}]"


@dataclass(slots=True)
class FileReport:
    """A file.

    Attributes:
        name: the file, as the user named it.
        size: its size in bytes; members of a thin archive, which are separate files, are included.
        share: all bits of the file, by the parts that they belong to.
        modules: its modules.
        errors: the reasons why something in it could not be read.
    """

    name: str
    size: int
    share: Share
    modules: list[ModuleReport] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """A report on files, as `collect` makes it.

    Attributes:
        files: the files.
    """

    files: list[FileReport] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The size of all files in bytes."""
        return sum(file.size for file in self.files)

    @property
    def modules(self) -> list[ModuleReport]:
        """All modules, in order."""
        return [module for file in self.files for module in file.modules]

    @property
    def functions(self) -> list[FunctionReport]:
        """All functions that are defined, the largest first."""
        found = [function for module in self.modules for function in module.functions]
        return sorted(found, key=lambda function: -function.bits)

    @property
    def opcodes(self) -> dict[str, int]:
        """The number of instructions of each opcode, the most frequent first."""
        counts: Counter[str] = Counter()
        for module in self.modules:
            for function in module.functions:
                counts.update(function.opcodes)
        return dict(counts.most_common())

    @property
    def duplicates(self) -> list[list[FunctionReport]]:
        """Groups of functions that are the same but for names and numbers, the group that wastes most bits first."""
        groups: dict[str, list[FunctionReport]] = {}
        for function in self.functions:
            groups.setdefault(function.fingerprint, []).append(function)
        found = [group for group in groups.values() if len(group) > 1]
        return sorted(found, key=lambda group: -sum(function.bits for function in group[1:]))
