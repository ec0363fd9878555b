"""The PC sections of files checked against the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.lint.findings import Severity
from bitcodec.lint.pcsections.contents import contents_of
from bitcodec.lint.pcsections.findings import PCFinding
from bitcodec.lint.pcsections.inspected import Inspected
from bitcodec.lint.pcsections.rules import ROWS
from bitcodec.lint.pcsections.sections import described, version_of
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.decoding.decode import elf_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitcodec.ir.module import Module
    from bitcodec.lint.pcsections.contents import Content, Row
    from bitcodec.pcsections.schemas.schema import Schema

__all__ = ["PCLinter", "PCReport"]

_ORDER = list(Severity)


class PCReport(NamedTuple):
    """Report on the PC sections of some files.

    Attributes:
        files: number of files.
        findings: the findings, the worst first.
        contents: entries and bytes of each function in each section.
        notes: reasons why something could not be checked.
    """

    files: int
    findings: tuple[PCFinding, ...]
    contents: dict[Row, Content]
    notes: tuple[str, ...]


class PCLinter:
    """Checks one file after another; objects that belong to one program are compared as well.

    Args:
        schemas: layout of the data behind PCs, as in `decode_file`.
        modules: the modules that the files were compiled from, if known. One without a triple has the target of each
            file.
        disabled: identifiers of rules to leave out.
    """

    def __init__(
        self,
        schemas: Iterable[Schema | str | Module] = (),
        modules: Sequence[Module] = (),
        *,
        disabled: Iterable[str] = (),
    ) -> None:
        self._schemas, self._modules, self._disabled = list(schemas), modules, frozenset(disabled)
        self._files = 0
        self._findings: list[PCFinding] = []
        self._contents: dict[Row, Content] = {}
        self._versions: dict[int, str] = {}
        self._notes: list[str] = []

    def add(self, data: bytes | memoryview, name: str) -> None:
        """Check one more file, an ELF object or program.

        Raises:
            PCSectionsError: it has no PC sections that can be recognised, or is not an ELF file.
            ContainerError: it is malformed.
        """
        inspected = Inspected(elf_file(data), name, self._schemas, self._modules)
        self._files += 1
        for rule in ROWS:
            if rule.info.identifier not in self._disabled:
                self._findings.extend(rule.findings(inspected))
        for row, content in contents_of(section for _, section in inspected.sections).items():
            known = self._contents.get(row)
            self._contents[row] = content if known is None else known.joined(content)
        for section in inspected.names:
            version = version_of(section)
            if version is not None:
                self._versions.setdefault(version, name)
        if inspected.lines is not None and inspected.lines.warning is not None:
            self._notes.append(f"{name}: {inspected.lines.warning}")

    def report(self) -> PCReport:
        """Return the report on the files so far."""
        findings = sorted([*self._across(), *self._findings], key=lambda each: _ORDER.index(each.severity))
        return PCReport(self._files, tuple(findings), self._contents, tuple(self._notes))

    def _across(self) -> Iterator[PCFinding]:
        """Yield the findings about files that are linked together."""
        info = ROWS[0].info
        if len(set(self._versions.values())) > 1 and info.identifier not in self._disabled:
            texts = [f"{name} has {described(version)}" for version, name in sorted(self._versions.items())]
            file = next(iter(self._versions.values()))
            message = f"the files have sections of different versions: {'; '.join(texts)}"
            yield PCFinding(info.identifier, info.severity, file, "sanitizers", message)
