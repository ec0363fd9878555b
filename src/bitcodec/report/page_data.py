"""The data of a page: a report as JSON that is as short as possible, with limits on what a page can show."""

from __future__ import annotations

import posixpath
from collections import Counter
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.report.grouping import name_path, source_path
from bitcodec.report.shares import inside_stream, merged_shares
from bitcodec.symbols.demangling import demangle, has_demangler
from bitcodec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitcodec.report.comparing import Comparison, Growth
    from bitcodec.report.contents import FileReport, FunctionReport, ModuleReport, Report, Share

__all__ = ["common_folder", "page_data"]

_MAX_FUNCTIONS = 10_000
_MAX_TEXT = 2_500_000
"""Characters of the names of functions; the smallest functions of larger builds are counted together."""
_MAX_NAME = 300
_MAX_ROWS = 2_000
"""Rows of each list of a comparison, files, flags of a module."""
_MAX_CALLS = 200
"""Functions that one function calls."""
_FUNCTIONS = BlockId.FUNCTION_BLOCK.dump_name
_MODULE = BlockId.MODULE_BLOCK.dump_name


def page_data(report: Report, comparison: Comparison | None = None, *, title: str) -> dict[str, Any]:
    """Return the data of a page.  Texts are stored once, in `texts`; other parts refer to them by number.

    Args:
        report: the report.
        comparison: the growth, for a page that compares.
        title: the title.
    """
    return _PageData(report).content(comparison, title)


class _PageData:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._texts: dict[str, int] = {}
        self._can_demangle = has_demangler()
        self._demangled: dict[str, str | None] = {}
        self._folder = common_folder(report)

    def content(self, comparison: Comparison | None, title: str) -> dict[str, Any]:
        shown = self._shown_functions()
        streams: list[dict[str, Any]] = []
        homes: list[int] = []
        for number, file in enumerate(self._report.files):
            homes += [len(streams) + module.stream for module in file.modules]
            streams += self._streams(file, number)
        return {
            "title": _short(title),
            "version": __version__,
            "demangled": self._can_demangle,
            "bits": self._report.size * 8,
            "files": [self._file(file) for file in self._report.files],
            "streams": streams,
            "modules": [self._module(module, home) for module, home in zip(self._report.modules, homes, strict=True)],
            "smaller": [_sums_of_others(module.functions, shown) for module in self._report.modules],
            "functions": self._functions(shown),
            "opcodes": [list(item) for item in self._report.opcodes.items()],
            "blocks": self._tree(merged_shares(self._report).parts),
            "comparison": None if comparison is None else self._comparison(comparison),
            "texts": list(self._texts),  # last, when all have numbers
        }

    def _shown_functions(self) -> dict[int, tuple[int, FunctionReport]]:
        """Return the functions that the page lists, the largest, by their identity: with the number of the module."""
        modules = {id(function): n for n, module in enumerate(self._report.modules) for function in module.functions}
        shown: dict[int, tuple[int, FunctionReport]] = {}
        left = _MAX_TEXT
        for function in self._report.functions[:_MAX_FUNCTIONS]:
            left -= 2 * min(len(function.name), _MAX_NAME) + 40
            if left < 0:
                break
            shown[id(function)] = modules[id(function)], function
        return shown

    def _text(self, text: str) -> int:
        return self._texts.setdefault(_short(text), len(self._texts))

    def _place(self, name: str) -> str:
        """Return the name of a file without the folder that all files are in."""
        return name.removeprefix(self._folder) or name

    def _file(self, file: FileReport) -> dict[str, Any]:
        inside = sum(share.bits for share in _streams(file))
        errors = [_short(error) for error in file.errors[:_MAX_ROWS]]
        return {
            "name": self._text(self._place(file.name)),
            "bytes": file.size,
            "outside": file.share.bits - inside,
            "errors": errors,
        }

    def _streams(self, file: FileReport, number: int) -> Iterator[dict[str, Any]]:
        """Yield the streams of a file, with the sizes of everything outside of functions."""
        in_functions: Counter[int] = Counter()
        for module in file.modules:
            in_functions[module.stream] += sum(function.bits for function in module.functions)
        for stream, share in enumerate(_streams(file)):
            sizes: Counter[str] = Counter({_FUNCTIONS: -in_functions[stream]})
            for part in share.parts:
                for inner in part.parts if part.name == _MODULE else (part,):
                    sizes["module records" if part.name == _MODULE and not inner.parts else inner.name] += inner.bits
            parts = [[self._text(name), bits] for name, bits in sizes.most_common() if bits]
            yield {"name": self._text(self._place(share.name)), "file": number, "bits": share.bits, "parts": parts}

    def _module(self, module: ModuleReport, home: int) -> dict[str, Any]:
        return {
            "stream": home,
            "name": _short(self._place(module.label)),
            "producer": self._text(module.producer),
            "triple": self._text(module.triple),
            "source": _short(module.source_filename),
            "bits": module.bits,
            "flags": [[self._text(key), self._text(value)] for key, value in [*module.flags.items()][:_MAX_ROWS]],
            "functions": len(module.functions),
            "declarations": module.declarations,
            "variables": module.variables,
        }

    def _functions(self, shown: dict[int, tuple[int, FunctionReport]]) -> dict[str, list[Any]]:
        rows = list(shown.values())
        numbers = _Targets(rows)
        groups = Counter(function.fingerprint for _, function in rows)
        group_numbers = {group: n for n, group in enumerate([group for group, size in groups.items() if size > 1], 1)}
        readable = [self._readable(function.name) for _, function in rows]
        return {
            "name": [_short(function.name) for _, function in rows],
            "demangled": [None if name is None else _short(name) for name in readable],
            "path": [
                [self._text(part) for part in (function.name,) if name is None]
                or [self._text(part) for part in name_path(str(name))]
                for name, (_, function) in zip(readable, rows, strict=True)
            ],
            "module": [module for module, _ in rows],
            "linkage": [self._text(function.linkage) for _, function in rows],
            "bits": [function.bits for _, function in rows],
            "parts": [
                [number for name, bits in function.parts.items() for number in (self._text(name), bits)]
                for _, function in rows
            ],
            "blocks": [function.blocks for _, function in rows],
            "instructions": [function.instructions for _, function in rows],
            "opcodes": [
                [number for name, count in function.opcodes.items() for number in (self._text(name), count)]
                for _, function in rows
            ],
            "source": [[self._text(part) for part in source_path(function.source_file)] for _, function in rows],
            "line": [function.line for _, function in rows],
            "calls": [self._calls(function, module, numbers) for module, function in rows],
            "indirect": [function.indirect_calls for _, function in rows],
            "pcsections": [
                [number for name, count in function.pcsections.items() for number in (self._text(name), count)]
                for _, function in rows
            ],
            "group": [group_numbers.get(function.fingerprint, 0) for _, function in rows],
        }

    def _calls(self, function: FunctionReport, module: int, numbers: _Targets) -> list[int]:
        """Return pairs of a function and how often it is called; one that is not listed is -1 minus its text."""
        found = []
        for name, count in [*function.calls.items()][:_MAX_CALLS]:
            number = numbers.find(name, module)
            found += [-1 - self._text(self._readable(name) or name) if number is None else number, count]
        return found

    def _readable(self, name: str) -> str | None:
        if not self._can_demangle:
            return None
        if name not in self._demangled:
            self._demangled[name] = demangle(name)
        return self._demangled[name]

    def _tree(self, shares: Iterable[Share]) -> list[Any]:
        """Return shares as lists of name, size, count and parts; shares are not nested deeply."""
        return [[self._text(each.name), each.bits, each.instances, self._tree(each.parts)] for each in shares]

    def _comparison(self, comparison: Comparison) -> dict[str, Any]:
        lists = {"functions": comparison.functions, "blocks": comparison.blocks, "sources": comparison.sources}
        return {
            "total": [comparison.total.old_bits, comparison.total.new_bits],
            **{key: [self._growth(row) for row in rows[:_MAX_ROWS]] for key, rows in lists.items()},
        }

    def _growth(self, row: Growth) -> list[Any]:
        return [_short(self._readable(row.name) or row.name), row.old_bits, row.new_bits]


class _Targets:
    """Finds the functions that calls lead to: functions of the same module, or exports of another module."""

    def __init__(self, rows: list[tuple[int, FunctionReport]]) -> None:
        self._own = {(module, function.name): n for n, (module, function) in enumerate(rows)}
        self._exported: dict[str, int] = {}
        for number, (_, function) in enumerate(rows):
            if function.linkage not in {"private", "internal"}:
                self._exported.setdefault(function.name, number)

    def find(self, name: str, module: int) -> int | None:
        """Return the number of the function that a name means in a module, None if it is not listed."""
        return self._own.get((module, name), self._exported.get(name))


def common_folder(report: Report) -> str:
    """Return the folder that contains all files, with a slash at its end; "" without one, or for one file alone."""
    folders = {file.name.rpartition("/")[0] for file in report.files}
    if len(report.files) < 2 or not all(folders):
        return ""
    try:
        return posixpath.commonpath(folders).rstrip("/") + "/"
    except ValueError:  # some of the names are absolute
        return ""


def _sums_of_others(functions: Sequence[FunctionReport], shown: dict[int, tuple[int, FunctionReport]]) -> list[int]:
    """Return the number of functions that are not listed, their size in bits, and their instructions."""
    left = [function for function in functions if id(function) not in shown]
    return [len(left), sum(each.bits for each in left), sum(each.instructions for each in left)]


def _streams(file: FileReport) -> list[Share]:
    """Return the shares of the streams of a file."""
    return [file.share] if inside_stream(file.share) else [each for each in file.share.parts if each.parts]


def _short(text: str) -> str:
    """Return text without half characters, and not too long for a page."""
    text = text if len(text) <= _MAX_NAME else f"{text[: _MAX_NAME - 1]}…"
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
