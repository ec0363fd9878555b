"""`bitcodec report`: the contents of files, as a page, and their growth."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.demangling import demangle_option, require_demangler
from bitcodec.cli.files import Files
from bitcodec.cli.inputs import STANDARD_INPUT, read
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text
from bitcodec.cli.problems import Failure, Trouble, UsageError, reported
from bitcodec.cli.progress import shown_while
from bitcodec.containers import check_module_head
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.report import Comparison, Report, Sizes

__all__ = ["report"]

_DOCUMENT = b"{"
"""How a JSON document begins; bitcode does not."""
_LIMIT = re.compile(r"(?P<percent>\d+(?:\.\d+)?)%|(?P<size>\d+)")


class _Limit(NamedTuple):
    """The growth that is allowed, in percent or in bytes."""

    percent: float | None = None
    size: int | None = None

    @classmethod
    def of(cls, text: str) -> _Limit:
        """Return the limit of a text.

        Raises:
            UsageError: it is not a limit.
        """
        found = _LIMIT.fullmatch(text)
        if found is None:
            raise UsageError(f"--fail-over: expected a percentage such as 2% or a number of bytes, got {text!r}")
        percent, size = found["percent"], found["size"]
        return cls(None if percent is None else float(percent), None if size is None else int(size))


@command(short_help="Show what files consist of: an HTML page, or growth since another build.")
@argument("files", nargs=-1, required=True, metavar="FILE...")
@option("-o", "--output", metavar="FILE", help="Write the HTML page to this file; - is standard output.")
@option("--compare", "old_files", multiple=True, metavar="FILE", help="Compare with this older build; repeatable.")
@option("--fail-over", "limit", metavar="LIMIT", help="Exit with 1 if the files have grown by more: 2%, or bytes.")
@demangle_option
@json_option
def report(
    files: tuple[str, ...],
    output: str | None,
    old_files: tuple[str, ...],
    limit: str | None,
    *,
    demangle: bool,
    as_json: bool,
) -> None:
    """Show the contents of each FILE, to the bit: blocks, functions, source files, templates, duplicates, calls.

    The page is one file that loads nothing from elsewhere.  Function names on it are demangled if pycxxfilt is
    installed.  For a damaged file, everything that can be read is shown, and the exit code is 1.

    The older build of --compare is files, or the document that --json printed for it.  Without -o and --json, the
    growth is printed.  The exit code is then 0, or 1 if the files have
    grown by more than the limit, or 2 if a file could not be read.

    \b
    Examples:
      bitcodec report module.bc -o report.html
      bitcodec report libfoo.a a.bc -o report.html
      bitcodec report --compare old.bc new.bc --fail-over 2%
      bitcodec report --compare old.a new.a -o growth.html
      bitcodec report --json old.bc > old.json && bitcodec report --compare old.json new.bc
      bitcodec report --json module.bc | jq -r '.functions[] | [.bits, .name] | @tsv'
    """
    _check_usage(output, limit, compares=bool(old_files), as_json=as_json)
    require_demangler(is_wanted=demangle)
    allowed = _Limit() if limit is None else _Limit.of(limit)
    inputs = _Inputs(is_question=bool(old_files))
    old = inputs.sizes(old_files) if old_files else None
    new = inputs.collect(files)
    comparison = None
    if old is not None and not inputs.has_failed:
        from bitcodec.report import compare  # noqa: PLC0415 - imported on use, here and below

        comparison = compare(old, new)
    if new.files and (comparison is not None or old is None):
        _show(new, comparison, output, demangle=demangle, as_json=as_json)
    inputs.finish(is_over=comparison is not None and comparison.exceeds(percent=allowed.percent, size=allowed.size))


def _check_usage(output: str | None, limit: str | None, *, compares: bool, as_json: bool) -> None:
    if as_json and output is not None:
        raise UsageError("--json prints a document, -o writes a page; use one of them")
    if limit is not None and not compares:
        raise UsageError("--fail-over needs an older build: --compare FILE")
    if not (as_json or compares or output is not None):
        raise UsageError("specify the output: -o FILE for a page, or --json")


def _show(new: Report, comparison: Comparison | None, output: str | None, *, demangle: bool, as_json: bool) -> None:
    if as_json:
        from bitcodec.cli.report_json import as_document  # noqa: PLC0415

        print_document("report", as_document(new, comparison, demangle=demangle))
    elif output is not None:
        from bitcodec.report import page  # noqa: PLC0415

        write_text(output, [page(new, comparison)])
    elif comparison is not None:
        from bitcodec.cli.report_text import growth_lines  # noqa: PLC0415

        write_text(STANDARD_OUTPUT, growth_lines(comparison, demangle=demangle))


class _Inputs:
    """The files of both builds.

    Attributes:
        has_failed: whether one of them could not be read.
    """

    def __init__(self, *, is_question: bool) -> None:
        self.has_failed = False
        self._trouble = Trouble.exit_code if is_question else Failure.exit_code

    def sizes(self, paths: tuple[str, ...]) -> Sizes:
        """Return the sizes of the older build: of files, and of documents that `--json` has printed."""
        from bitcodec.cli.report_json import sizes_of_document  # noqa: PLC0415
        from bitcodec.report import Sizes  # noqa: PLC0415
        from bitcodec.report.comparing import added_up  # noqa: PLC0415

        documents: list[Sizes] = []

        def take(file: str, data: memoryview) -> bool:
            if bytes(data[:1]) == _DOCUMENT:
                with reported(file):
                    documents.append(sizes_of_document(bytes(data)))
            return bytes(data[:1]) == _DOCUMENT

        files = self.collect(paths, take)
        return added_up([Sizes.of(files), *documents])

    def collect(self, paths: tuple[str, ...], take_document: Callable[[str, memoryview], bool] | None = None) -> Report:
        """Return a report on files; unreadable ones are reported and left out.

        Args:
            paths: the files.
            take_document: called with each file and its bytes; returns whether it accepted a file that is not bitcode.
        """
        from bitcodec.report import Report, collect_file  # noqa: PLC0415 - `--help` need not wait for the model

        report = Report()
        all_files = Files(paths)

        def check(head: bytes, name: str) -> None:
            if take_document is None or head[:1] != _DOCUMENT:
                check_module_head(head, name)

        def take(file: str) -> None:
            data = read(file, check=partial(check, name=file))
            if take_document is not None and take_document(file, data):
                return
            with reported(file), shown_while(file):
                found = collect_file(data, file, path=None if file == STANDARD_INPUT else file)
            report.files.append(found)
            for error in found.errors:
                all_files.fail(Failure(f"{file}: {error}"))

        all_files.each(take)
        self.has_failed |= all_files.has_failed
        return report

    def finish(self, *, is_over: bool) -> None:
        """Exit if a file could not be read, or if the files have grown by too much."""
        if self.has_failed or is_over:
            raise SystemExit(self._trouble if self.has_failed else 1)
