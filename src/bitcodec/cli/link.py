"""`bitcodec link`: modules linked into one, as `llvm-link` does it."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.findings import InputVerifier, check_result
from bitcodec.cli.inputs import EMPTY, STANDARD_INPUT, read
from bitcodec.cli.outputs import print_line, write, write_text
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure, UsageError, reported
from bitcodec.cli.progress import counted
from bitcodec.containers import is_assembly
from bitcodec.errors import BitcodecError
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bitcodec.ir.module import Module
    from bitcodec.ir.summary import ModuleSummaryIndex
    from bitcodec.linker import Linker, LinkProblem

__all__ = ["link"]

_TAILS = ("nly-needed", "verride=")
"""Rest of `-only-needed` and `-override=FILE` behind `-o`."""
_RESULT = "the linked module"
"""The label of errors that concern no file."""


@command(short_help="Link modules into one, like llvm-link.")
@argument("files", metavar="FILE...", nargs=-1)
@option("-o", "--output", "outputs", multiple=True, metavar="FILE", help="Output file; - is standard output.")
@option("-S", "as_text", is_flag=True, help="Write LLVM assembly.")
@option("--override", "overrides", multiple=True, metavar="FILE", help="File whose symbols replace others; repeatable.")
@option("--only-needed", is_flag=True, help="Link only definitions that earlier files declare.")
@option("--internalize", is_flag=True, help="Make the symbols of all files but the first internal.")
@option("--whole-archive", is_flag=True, help="Link all members of archives. Default: those that are needed.")
@option("--ignore-non-bitcode", is_flag=True, help="Skip members of archives without bitcode. Default: an error.")
@option("--disable-debug-info-type-map", is_flag=True, help="Keep types of debug information of each file apart.")
@option("--import", "imports", multiple=True, metavar="FUNCTION:FILE", help="Function to import; repeatable.")
@option("--summary-index", metavar="FILE", help="Summaries of all modules, for --import.")
@option("--suppress-warnings", is_flag=True, help="Print no warnings.")
@option("-v", "--verbose", is_flag=True, help="Print each step.")
@option("--verify", "verifies", is_flag=True, help="Verify the result. Default: with -S only; see below.")
@option("--disable-verify", is_flag=True, help="Verify neither text nor the result.")
@option("-f", "--disable-lazy-loading", "_ignored", is_flag=True, help="No effect; for llvm-link.")
@option("--dry-run", is_flag=True, help="Link nothing; list all conflicts between the files.")
@option("--explain", "symbols", multiple=True, metavar="SYMBOL", help="Print what became of a symbol; repeatable.")
@option("--map", "map_file", metavar="FILE", help="Write the file that defined each symbol, as JSON.")
def link(
    files: tuple[str, ...],
    outputs: tuple[str, ...],
    overrides: tuple[str, ...],
    symbols: tuple[str, ...],
    map_file: str | None,
    imports: tuple[str, ...],
    summary_index: str | None,
    *,
    as_text: bool,
    suppress_warnings: bool,
    verbose: bool,
    verifies: bool,
    disable_verify: bool,
    dry_run: bool,
    **switches: bool,
) -> None:
    """Link the modules in the FILEs into one module, as llvm-link of LLVM 22 does.

    A FILE may be bitcode of any LLVM version, LLVM assembly, an object with bitcode, or an archive.  Like linkers of
    objects, and unlike llvm-link, this command links the members of an archive that earlier files need;
    --whole-archive links all.

    Errors and warnings have the words of llvm-link; lines below each name both files and give advice.  All conflicts
    are listed, not only the first one.  The exit code is 1 if there are errors; then nothing is written.

    The result is verified before it is written if an input is assembly that breaks rules, or with -S.  With
    --disable-debug-info-type-map, assembly is verified before it is linked.  Bodies of bitcode that are not read are
    not verified, because that would take about as long as the link; --verify reads and verifies them.

    \b
    Examples:
      bitcodec link main.bc module.ll -o program.bc
      bitcodec link main.bc library.a -S -o -
      bitcodec link main.bc module.ll --internalize -o program.bc
      bitcodec link --dry-run main.bc module.ll
      bitcodec link main.bc library.a --explain parse
    """
    if not files:
        raise UsageError("no files: name at least one")
    if verifies and disable_verify:
        raise UsageError("--verify and --disable-verify exclude each other")
    report = ProblemPrinter(hides_warnings=suppress_warnings, is_verbose=verbose)
    job = _Job(files, overrides, _output(outputs), symbols, map_file, switches, as_text=as_text)
    if dry_run:
        _list_conflicts(job, report)
        return
    if not (job.output or symbols or map_file):
        raise UsageError("no output file: give -o FILE, --dry-run, --explain or --map")
    requests = _requests(imports, has_index=summary_index is not None)
    verifier = InputVerifier(stops=switches["disable_debug_info_type_map"], hides_warnings=suppress_warnings)
    linker = _linker(job, summary_index, report, check=None if disable_verify else verifier.check)
    module = _link(linker, job, requests, report)
    if verifies or verifier.is_result_checked or (as_text and not disable_verify):
        with _of_file(_RESULT):
            check_result(module, hides_warnings=suppress_warnings)
    _write_results(job, linker, module, report)


class _Job(NamedTuple):
    """The inputs of a link, and its results.

    Attributes:
        files, overrides: the files, and the files whose symbols replace others.
        output: the file for the module; None: it is not written.
        symbols: the symbols that are explained.
        map_file: the file for the origins of symbols; None: it is not written.
        switches: options that the linker takes, by the name of the option.
        as_text: whether the module is written as assembly.
    """

    files: tuple[str, ...]
    overrides: tuple[str, ...]
    output: str | None
    symbols: tuple[str, ...]
    map_file: str | None
    switches: dict[str, bool]
    as_text: bool

    @property
    def inputs(self) -> tuple[str, ...]:
        """All files that are read."""
        return (*self.files, *self.overrides)


def _list_conflicts(job: _Job, report: ProblemPrinter) -> None:
    """Print the conflicts of the inputs, and link nothing; exit if there are errors.

    Raises:
        UsageError: results of a link are requested.
    """
    if job.symbols or job.map_file:
        raise UsageError("--dry-run links nothing: --explain and --map need a link")
    switches = job.switches
    whole, ignores = switches["whole_archive"], switches["ignore_non_bitcode"]
    _survey(job.inputs, report, whole_archive=whole, ignore_non_bitcode=ignores)


def _linker(
    job: _Job, summary_index: str | None, report: ProblemPrinter, *, check: Callable[[Module], None] | None
) -> Linker:
    """Return a linker; `check` is called with each module that is read from text."""
    from bitcodec.linker import Linker  # noqa: PLC0415 - errors of usage need not wait for it

    switches = job.switches
    return Linker(
        only_needed=switches["only_needed"],
        internalize=switches["internalize"],
        whole_archive=switches["whole_archive"],
        ignore_non_bitcode=switches["ignore_non_bitcode"],
        debug_info_type_map=not switches["disable_debug_info_type_map"],
        summary_index=_index(summary_index),
        reads_bodies=job.as_text,
        on_problem=report,
        check_text=check,
    )


def _write_results(job: _Job, linker: Linker, module: Module, report: ProblemPrinter) -> None:
    if job.output is not None:
        report.progress("Writing bitcode...")
        _write(job.output, module, as_text=job.as_text)
    _explain(linker, job.symbols)
    if job.map_file is not None:
        write_text(job.map_file, [json.dumps({"symbols": linker.origins()}, indent=2), "\n"])


def _link(linker: Linker, job: _Job, requests: Mapping[str, Sequence[str]], report: ProblemPrinter) -> Module:
    """Link the inputs; exit if they do not link, after all conflicts have been printed."""
    from bitcodec.linker import LinkError  # noqa: PLC0415

    try:
        for file in counted("linking", job.files):
            _add(linker, file, report, overrides=False)
        for file in job.overrides:
            _add(linker, file, report, overrides=True)
        _import(linker, requests, report)
        with _of_file(_RESULT):
            return linker.finish()
    except LinkError:
        # Not only the error that stopped the link.
        _survey(job.inputs, report, whole_archive=job.switches["whole_archive"], ignore_non_bitcode=True)
        raise SystemExit(Failure.exit_code) from None


def _output(outputs: Sequence[str]) -> str | None:
    """Return the output file; refuse several, and options as llvm-link spells them, which would name it.

    Raises:
        UsageError: there are such.
    """
    for output in outputs:
        if output.startswith(_TAILS) and not os.path.lexists(output):
            raise UsageError(f"-o{output} names an output file; write the option with two dashes: --o{output}")
    if len(outputs) > 1:
        raise UsageError(f"several output files: {', '.join(outputs)}")
    return outputs[0] if outputs else None


def _write(output: str, module: Module, *, as_text: bool) -> None:
    if as_text:
        write_text(output, _text(module))
    else:
        from bitcodec.bitcode.saving import dumps  # noqa: PLC0415

        with reported(_RESULT):
            data = dumps(module)
        write(output, data)


def _text(module: Module) -> Iterator[str]:
    from bitcodec.asm import module_text  # noqa: PLC0415 - errors need not wait for it

    with reported(_RESULT):
        yield from module_text(module)


class ProblemPrinter:
    """Prints problems, each once.

    Args:
        hides_warnings: whether to print errors only.
        is_verbose: whether to print the steps.

    Attributes:
        hides_warnings: whether to print errors only.
        has_errors: whether an error has been reported.
    """

    def __init__(self, *, hides_warnings: bool, is_verbose: bool = False) -> None:
        self._is_verbose = is_verbose
        self.hides_warnings = hides_warnings
        self._printed: set[LinkProblem] = set()
        self.has_errors = False

    def progress(self, step: str) -> None:
        """Print the next step, in the words of llvm-link."""
        if self._is_verbose:
            echo(one_line(step), err=True)

    def __call__(self, problem: LinkProblem) -> None:
        """Print a problem, both sides of it, and advice."""
        self.has_errors |= problem.is_error
        if problem in self._printed or (self.hides_warnings and not problem.is_error):
            return
        self._printed.add(problem)
        echo(one_line(f"{'error' if problem.is_error else 'warning'}: {str(problem).rstrip()}"), err=True)
        if problem.detail:
            echo(one_line(f"  {problem.detail}"), err=True)
        if problem.advice:
            echo(one_line(f"  fix: {problem.advice}"), err=True)


def _add(linker: Linker, file: str, report: ProblemPrinter, *, overrides: bool) -> None:
    """Link a file.

    Raises:
        LinkError: it does not link.
        Failure: it cannot be read, or contains no module.
    """
    report.progress(f"Linking in '{file}'")
    add = linker.override if overrides else linker.add
    with _of_file(file):
        if file == STANDARD_INPUT:
            add(bytes(read(file)), "<stdin>")
        else:
            _check_size(file)
            add(file)


def _import(linker: Linker, requests: Mapping[str, Sequence[str]], report: ProblemPrinter) -> None:
    """Request imports of functions, by file."""
    for file, names in requests.items():
        for name in names:
            report.progress(f"Importing {name} from {file}")
        with _of_file(file):
            linker.import_functions(file, names)


@contextmanager
def _of_file(file: str) -> Iterator[None]:
    """Name the file in errors, except in link errors, which name files themselves."""
    try:
        with reported(file):
            yield
    except Failure as failure:
        if isinstance(failure.__cause__, BitcodecError) and hasattr(failure.__cause__, "problems"):
            raise failure.__cause__ from None
        raise


def _requests(imports: Sequence[str], *, has_index: bool) -> dict[str, list[str]]:
    """Return the functions to import by file.

    Raises:
        UsageError: one is not of the form FUNCTION:FILE, or the index is missing.
    """
    if imports and not has_index:
        raise UsageError("--import needs --summary-index FILE")
    requests: dict[str, list[str]] = {}
    for each in imports:
        function, separator, file = each.partition(":")
        if not separator:
            raise UsageError(f"--import {each}: give FUNCTION:FILE")
        requests.setdefault(file, []).append(function)
    return requests


def _index(file: str | None) -> ModuleSummaryIndex | None:
    from bitcodec.linker.importing import open_index  # noqa: PLC0415

    if file is None:
        return None
    with reported(file):
        return open_index(file)


def _check_size(file: str) -> None:
    """Refuse an empty file, which open takes for a file without modules."""
    is_empty = os.path.isfile(file) and not os.path.getsize(file)  # noqa: PTH113, PTH202 - a name may be no path of Python's
    if is_empty and not is_assembly(b"", file):
        raise Failure(f"{file}: {EMPTY}")


def _survey(files: Sequence[str], report: ProblemPrinter, *, whole_archive: bool, ignore_non_bitcode: bool) -> None:
    """Print the conflicts of files; exit if there are errors."""
    from bitcodec.linker import Survey  # noqa: PLC0415
    from bitcodec.linker.inputs import open_input  # noqa: PLC0415

    survey = Survey()
    for file in counted("reading", files):
        with reported(file):
            is_stream = file == STANDARD_INPUT
            content, name = (bytes(read(file)), "<stdin>") if is_stream else (file, None)
            modules, is_archive = open_input(content, name, ignore_non_bitcode=ignore_non_bitcode)
            if is_archive and not whole_archive:
                problems = [*survey.add_archive(modules)]
            else:
                problems = [problem for module in modules for problem in survey.add(module)]
            for problem in problems:
                report(problem)
    for problem in survey.finish():
        report(problem)
    if report.has_errors:
        raise SystemExit(Failure.exit_code)


def _explain(linker: Linker, symbols: Sequence[str]) -> None:
    for symbol in symbols:
        found = linker.explain(symbol)
        declared = linker.declared_by(symbol)
        needed = f"; {declared} declares it" if declared else ""
        print_line(one_line(f"{symbol}:" if found else f"{symbol}: no input defines it{needed}"))
        for candidate in found:
            print_line(one_line(f"  {candidate}"))
