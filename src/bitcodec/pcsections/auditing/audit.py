"""The audit: compares nodes of a module with other LLVM IR, machine IR, or an ELF file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bitcodec.containers.elf_file import ElfFile
from bitcodec.ir.module import Module
from bitcodec.mir import MachineModule
from bitcodec.pcsections.auditing.comparison import Comparer, Verdict
from bitcodec.pcsections.auditing.elf import ObjectTerms, carriers_of_object, other_pc_sizes
from bitcodec.pcsections.auditing.machine_ir import carriers_of_machine_ir
from bitcodec.pcsections.auditing.reasons import CODE_GENERATION, TRANSFORMATION, Reasons
from bitcodec.pcsections.auditing.requests import NodeTerms, Requests
from bitcodec.pcsections.encoding.targets import Target

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from bitcodec.pcsections.auditing.carriers import Carriers
    from bitcodec.pcsections.auditing.comparison import Finding

__all__ = ["Audit", "audit"]


class Audit:
    """Fate of the nodes of a module: a sequence of `Finding`, in the order of the module.

    Attributes:
        after: where they were searched for: `LLVM IR`, `machine IR`, `object` or `linked file`.
        notes: remarks on that.
    """

    __slots__ = ("_findings", "after", "notes")

    def __init__(self, findings: Iterable[Finding], after: str, notes: Iterable[str] = ()) -> None:
        self._findings = list(findings)
        self.after = after
        self.notes = tuple(notes)

    def counts(self) -> Counter[Verdict]:
        """Return the number of findings with each verdict."""
        return Counter(finding.verdict for finding in self._findings)

    def by_opcode(self) -> dict[str, Counter[Verdict]]:
        """Return for each opcode of carriers of nodes the number of carriers with each verdict."""
        found: dict[str, Counter[Verdict]] = {}
        for finding in self._findings:
            for opcode, count in finding.before.items():
                found.setdefault(opcode, Counter())[finding.verdict] += count
        return found

    def of(self, verdicts: Collection[Verdict]) -> list[Finding]:
        """Return the findings of some verdicts."""
        return [finding for finding in self._findings if finding.verdict in verdicts]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    def __len__(self) -> int:
        return len(self._findings)

    def __getitem__(self, index: int) -> Finding:
        return self._findings[index]

    def __repr__(self) -> str:
        counts = self.counts()
        text = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in Verdict if counts[verdict])
        return f"<Audit of {self.after}: {text or 'nothing'}>"


def audit(before: Module, after: Module | MachineModule | bytes | memoryview, target: Target | None = None) -> Audit:
    """Compare the requests of a module with a later stage of its compilation.

    Args:
        before: the module; all of it is read.
        after: LLVM IR or machine IR derived from it, or an ELF file: an object, or a file linked from it alone.
        target: the target of an ELF file, if it is not the module's.

    Raises:
        PCSectionsError: a node of machine IR cannot be read; or the target has no PC sections, or a section does not
            fit the requests of the module.
        MIRError: machine IR is malformed.
        ContainerError: the ELF file is malformed, or not an ELF file.
        BitcodecError: a module is malformed.
    """
    if isinstance(after, Module):
        requests = Requests(before, NodeTerms(before))
        found = Requests(after, NodeTerms(after)).carriers
        reasons = Reasons(before, requests, found.functions, TRANSFORMATION, needs_code=False)
        return _compared(requests, found, reasons, "LLVM IR")
    if isinstance(after, MachineModule):
        requests = Requests(before, NodeTerms(before))
        return _generated(before, requests, carriers_of_machine_ir(after), "machine IR")
    return _of_file(before, ElfFile(after), after, target)


def _of_file(before: Module, file: ElfFile, data: bytes | memoryview, target: Target | None) -> Audit:
    target = Target.of_module(before) if target is None else target
    terms = ObjectTerms(before, target)
    requests = Requests(before, terms)
    found = carriers_of_object(file, data, terms, requests.carriers.functions)
    notes = [
        f"expected PC fields of {target.pc_size} bytes, as the module states, found {size}: "
        "another code model was chosen"
        for size in sorted(other_pc_sizes(file, target))
    ]
    return _generated(before, requests, found, "object" if file.is_relocatable else "linked file", notes)


def _generated(before: Module, requests: Requests, found: Carriers, after: str, notes: Iterable[str] = ()) -> Audit:
    reasons = Reasons(before, requests, found.functions, CODE_GENERATION, needs_code=True)
    return _compared(requests, found, reasons, after, notes)


def _compared(requests: Requests, found: Carriers, reasons: Reasons, after: str, notes: Iterable[str] = ()) -> Audit:
    return Audit(Comparer(requests.carriers, found).findings(reasons), after, notes)
