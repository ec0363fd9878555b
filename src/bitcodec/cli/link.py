"""`bitcodec link`: modules linked into one, as `llvm-link` does it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.inputs import EMPTY, STANDARD_INPUT, read
from bitcodec.cli.outputs import print_line, write, write_text
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure, UsageError, reported
from bitcodec.cli.progress import counted
from bitcodec.errors import BitcodecError
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.module import Module
    from bitcodec.linker import Linker, LinkProblem

__all__ = ["link"]


@command(short_help="Link modules into one, like llvm-link.")
@argument("files", metavar="FILE...", nargs=-1)
@option("-o", "--output", metavar="FILE", help="Output file; - is standard output.")
@option("-S", "as_text", is_flag=True, help="Write LLVM assembly.")
@option("--override", "overrides", multiple=True, metavar="FILE", help="File whose symbols replace others; repeatable.")
@option("--only-needed", is_flag=True, help="Link only definitions that earlier files declare.")
@option("--internalize", is_flag=True, help="Make the symbols of all files but the first internal.")
@option("--whole-archive", is_flag=True, help="Link all members of archives. Default: those that are needed.")
@option("--ignore-non-bitcode", is_flag=True, help="Skip members of archives without bitcode. Default: an error.")
@option("--suppress-warnings", is_flag=True, help="Print no warnings.")
@option("--dry-run", is_flag=True, help="Link nothing; list all conflicts between the files.")
@option("--explain", "symbols", multiple=True, metavar="SYMBOL", help="Print what became of a symbol; repeatable.")
@option("--map", "map_file", metavar="FILE", help="Write the file that defined each symbol, as JSON.")
def link(
    files: tuple[str, ...],
    output: str | None,
    overrides: tuple[str, ...],
    symbols: tuple[str, ...],
    map_file: str | None,
    *,
    as_text: bool,
    only_needed: bool,
    internalize: bool,
    whole_archive: bool,
    ignore_non_bitcode: bool,
    suppress_warnings: bool,
    dry_run: bool,
) -> None:
    """Link the modules in the FILEs into one module, as llvm-link of LLVM 22 does.

    A FILE may be bitcode of any LLVM version, LLVM assembly, an object with bitcode, or an archive.  Like linkers of
    objects, and unlike llvm-link, this command links the members of an archive that define what earlier files declare;
    --whole-archive links all.

    Errors and warnings have the words of llvm-link; lines below each name both files and say what to do.  All conflicts
    are listed, not only the first one.  The exit code is 1 if there are errors; then nothing is written.

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
    report = Reporter(hides_warnings=suppress_warnings)
    if dry_run:
        _survey((*files, *overrides), report, whole_archive=whole_archive, ignore_non_bitcode=ignore_non_bitcode)
        return
    if output is None and not (symbols or map_file):
        raise UsageError("no output file: give -o FILE, --dry-run, --explain or --map")
    from bitcodec.linker import Linker, LinkError  # noqa: PLC0415 - errors of usage need not wait for it

    linker = Linker(
        only_needed=only_needed,
        internalize=internalize,
        whole_archive=whole_archive,
        ignore_non_bitcode=ignore_non_bitcode,
        on_problem=report,
    )
    try:
        for file in counted("linking", files):
            _add(linker, file, overrides=False)
        for file in overrides:
            _add(linker, file, overrides=True)
        module = linker.finish()
    except LinkError:
        # Not only what stopped the link.
        _survey((*files, *overrides), report, whole_archive=whole_archive, ignore_non_bitcode=True)
        raise SystemExit(Failure.exit_code) from None
    if output is not None:
        _write(output, module, as_text=as_text)
    _explain(linker, symbols)
    if map_file is not None:
        write_text(map_file, [json.dumps({"symbols": linker.origins()}, indent=2), "\n"])


def _write(output: str, module: Module, *, as_text: bool) -> None:
    if as_text:
        from bitcodec.asm import module_text  # noqa: PLC0415 - errors need not wait for it

        write_text(output, module_text(module))
    else:
        from bitcodec.bitcode.saving import dumps  # noqa: PLC0415

        write(output, dumps(module))


class Reporter:
    """Prints problems, each once.

    Args:
        hides_warnings: whether to print errors only.
    """

    def __init__(self, *, hides_warnings: bool) -> None:
        self._hides_warnings = hides_warnings
        self._printed: set[LinkProblem] = set()
        self.has_errors = False

    def __call__(self, problem: LinkProblem) -> None:
        """Print a problem, both sides of it, and what to do."""
        self.has_errors |= problem.is_error
        if problem in self._printed or (self._hides_warnings and not problem.is_error):
            return
        self._printed.add(problem)
        echo(one_line(f"{'error' if problem.is_error else 'warning'}: {str(problem).rstrip()}"), err=True)
        if problem.detail:
            echo(one_line(f"  {problem.detail}"), err=True)
        if problem.advice:
            echo(one_line(f"  fix: {problem.advice}"), err=True)


def _add(linker: Linker, file: str, *, overrides: bool) -> None:
    """Link a file.

    Raises:
        LinkError: it does not link.
        Failure: it cannot be read, or contains no module.
    """
    add = linker.override if overrides else linker.add
    try:
        with reported(file):
            if file == STANDARD_INPUT:
                add(bytes(read(file)), "<stdin>")
            else:
                _check_size(file)
                add(file)
    except Failure as failure:
        if isinstance(failure.__cause__, BitcodecError) and hasattr(failure.__cause__, "problems"):
            raise failure.__cause__ from None
        raise


def _check_size(file: str) -> None:
    """Refuse an empty file, which open takes for a file without modules."""
    if os.path.isfile(file) and not os.path.getsize(file):  # noqa: PTH113, PTH202 - a name may be no path of Python's
        raise Failure(f"{file}: {EMPTY}")


def _survey(files: Sequence[str], report: Reporter, *, whole_archive: bool, ignore_non_bitcode: bool) -> None:
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
