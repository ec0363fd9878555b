"""The rules for PC sections: one row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.lint.findings import RuleInfo, Severity
from bitcodec.lint.pcsections import entries, requests, sections
from bitcodec.lint.pcsections.findings import MOST_ENTRIES, PCFinding
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.lint.pcsections.entries import ProblemEntries
    from bitcodec.lint.pcsections.inspected import Inspected
    from bitcodec.lint.pcsections.sections import Problem

__all__ = ["PC_RULES", "ROWS", "PCRule"]

_ERROR, _WARNING, _NOTE = Severity


class PCRule(NamedTuple):
    """A row.

    Attributes:
        info: its description.
        check: finds it in a file.
    """

    info: RuleInfo
    check: Callable[[Inspected], Iterable[Problem | ProblemEntries]]

    def findings(self, inspected: Inspected) -> Iterator[PCFinding]:
        """Yield the findings of the rule in a file."""
        for found in self.check(inspected):
            name = inspected.name
            if isinstance(found, entries.ProblemEntries):
                shown = tuple(found.section[row] for row in found.rows[:MOST_ENTRIES])
                subject, message, size = found.section.name, found.message, len(found.rows)
                yield PCFinding(self.info.identifier, self.info.severity, name, subject, message, shown, size)
            else:
                yield PCFinding(self.info.identifier, self.info.severity, name, *found)


ROWS: tuple[PCRule, ...] = (
    PCRule(
        RuleInfo(
            "mixed-versions",
            _ERROR,
            "Sections of the sanitizers have different versions or PC sizes",
            "Each version has sections, constructors and a layout of its own. A runtime that knows one of them reads "
            "only a part of the program, or misreads it.",
            "Compile all sources with one version of clang and one -mcmodel.",
        ),
        sections.mixed_versions,
    ),
    PCRule(
        RuleInfo(
            "unreadable-section",
            _ERROR,
            "A section cannot be read",
            "Its bytes are not entries as its schema specifies them: entries of several layouts are mixed, the code "
            "was changed after they were written (sizes have to be those of the symbols), or it is damaged.",
            "Compile all sources with one version of clang and one -mcmodel; for sections of your own, pass every "
            "module with --module.",
        ),
        sections.unreadable,
    ),
    PCRule(
        RuleInfo(
            "pc-outside-function",
            _ERROR,
            "A PC is in no function",
            "The entry does not lead to its instruction: its code was dropped or moved after it was written.",
            "Check the linker script, and tools that change the program after linking.",
        ),
        entries.outside_functions,
    ),
    PCRule(
        RuleInfo(
            "pc-within-instruction",
            _ERROR,
            "A PC is not the start of an instruction",
            "Breakpoints, profiles and samples never match such a PC: code was changed after the entry was written.",
            "Check tools that change the program after linking, such as optimizers of binaries.",
        ),
        entries.misplaced_pcs,
    ),
    PCRule(
        RuleInfo(
            "unresolved-relocation",
            _ERROR,
            "A PC is left to the loader",
            "An entry is relative to its own place, and nothing relocates it when the section is read from the file. "
            "Its code is in another file, or may be replaced by that of another.",
            "Hide the functions that entries are about (-fvisibility=hidden), or link without -z notext.",
        ),
        sections.unresolved,
    ),
    PCRule(
        RuleInfo(
            "function-without-entry",
            _ERROR,
            "A function lists atomic operations, but has no entry of its own",
            "Readers look up the entry of the function first, and take a function without one as not instrumented.",
            "Compile with -fexperimental-sanitize-metadata=covered as well, and link without discarding sections.",
        ),
        entries.uncovered_functions,
    ),
    PCRule(
        RuleInfo(
            "duplicate-entry",
            _WARNING,
            "An entry is repeated",
            "Readers that count entries count it twice.",
            "Link each object once.",
        ),
        entries.duplicates,
    ),
    PCRule(
        RuleInfo(
            "section-not-kept",
            _WARNING,
            "A section is not kept and dropped together with its code",
            "With --gc-sections entries are lost, or entries of dropped code stay.",
            "Link the objects themselves rather than the result of `ld -r`; in assembly, use flag `o` of .section.",
        ),
        sections.not_kept,
    ),
    PCRule(
        RuleInfo(
            "request-lost",
            _WARNING,
            "The file has nothing of what a module requests",
            "LLVM's code generator drops nodes of calls, returns and branches, and passes drop others.",
            "`bitcodec pcsections audit` lists each node; request it on an instruction that becomes machine code.",
        ),
        requests.lost_requests,
    ),
    PCRule(
        RuleInfo(
            "atomic-without-request",
            _WARNING,
            "An atomic operation requests no entry, though others of its function do",
            "Readers take the list of a function as complete. A pass that ran after the sanitizer added the "
            "operation, or dropped its metadata.",
            "Run the sanitizer's pass last.",
        ),
        requests.unrequested_atomics,
    ),
    PCRule(
        RuleInfo(
            "section-not-referenced",
            _NOTE,
            "Nothing in the program refers to a section",
            "Tools can read it from the file, but the program itself cannot find it.",
            "For use at run time, refer to __start_NAME and __stop_NAME.",
        ),
        sections.unreferenced,
    ),
)
"""Rules, in the order in which findings are listed."""

PC_RULES: tuple[RuleInfo, ...] = tuple(row.info for row in ROWS)
"""Purpose of each rule."""
