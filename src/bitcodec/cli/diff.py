"""`bitcodec diff`: the differences between modules."""

from __future__ import annotations

from collections import deque
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.cli.colors import color_option, wants_colors
from bitcodec.cli.declaring import IntRange, argument, command, option
from bitcodec.cli.demangling import demangle_option, require_demangler
from bitcodec.cli.diff_text import colored, difference_text, overview
from bitcodec.cli.functions import functions_named, no_function
from bitcodec.cli.inputs import contents, label, llvm_ir, reported_in
from bitcodec.cli.json_documents import json_option, named, place, print_document
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text
from bitcodec.cli.problems import Failure, answering, reported
from bitcodec.cli.progress import shown_progress, shown_while
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    import click

    from bitcodec.containers import FoundStream
    from bitcodec.diff import Difference
    from bitcodec.ir.module import Module

__all__ = ["diff"]

_DIFFERENT = 1
"""Exit code, as of `diff`."""


class _FoundModule(NamedTuple):
    """A module in a file.

    Attributes:
        file: the file, as the user gave it.
        stream: place of the module in it.
        place: distinguishes it from the other modules of the file.
    """

    file: str
    stream: FoundStream
    place: tuple[str, int]
    module: Module

    @property
    def label(self) -> str:
        """Name of the module in messages."""
        return label(self.file, self.stream.path)


class _Chosen(NamedTuple):
    """The parts to compare, and the form of the output."""

    functions: frozenset[str]
    debug_info: bool
    is_brief: bool
    context: int
    demangles: bool


_Pair: TypeAlias = tuple[_FoundModule | None, _FoundModule | None]


@command(passes_context=True, short_help="Compare two modules.")
@argument("before", metavar="A")
@argument("after", metavar="B")
@option(
    "--function",
    "functions",
    multiple=True,
    metavar="NAME",
    help="Compare only functions of this name, demangled name or glob pattern; repeatable.",
)
@option("-g", "--ignore-debug-info", is_flag=True, help="Ignore debug information.")
@option("--brief", is_flag=True, help="Print only names: + added, - removed, ~ changed.")
@option("-U", "--unified", "context", type=IntRange(0), default=3, show_default=True, metavar="N")
@demangle_option
@json_option
@color_option
def diff(
    ctx: click.Context,
    before: str,
    after: str,
    functions: tuple[str, ...],
    color: str,
    context: int,
    *,
    ignore_debug_info: bool,
    brief: bool,
    demangle: bool,
    as_json: bool,
) -> None:
    """Compare the modules in A with those in B, symbol by symbol, and print a unified diff of the changes.

    Value and metadata numbers are ignored; their referents are compared.  Attributes and metadata are printed where
    they are used, named debug information is compared separately, and other unnamed parts are printed below the line
    that refers to them: <1>.  Values of B have the numbers of A; those without a counterpart in A have a +: %+7.  The
    order of symbols is ignored.

    Modules in archives and objects are compared with those in the same place.  The exit code is 0 if the modules
    are the same, 1 if they differ, 2 if a file could not be read.

    \b
    Examples:
      bitcodec diff old.bc new.bc
      bitcodec diff --brief -g old.bc new.bc
      bitcodec diff --function main old.bc new.bc
      bitcodec diff -C --function 'queue::push(int)' old.bc new.bc
      bitcodec diff --json old.a new.a | jq -r '.comparisons[].differences[].name'
    """
    with answering():
        require_demangler(is_wanted=demangle)
        pairs = _pairs(_modules(before), _modules(after))
        chosen = _Chosen(_functions(functions, before, after, pairs), not ignore_debug_info, brief, context, demangle)
        is_different = _print_json(pairs, chosen) if as_json else _print_text(pairs, chosen, color)
    ctx.exit(_DIFFERENT if is_different else 0)


def _modules(file: str) -> list[_FoundModule]:
    """Open the modules in a file.

    Raises:
        Failure: it contains none, or one is malformed.
    """
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - `--help` need not wait for the model

    found: list[_FoundModule] = []
    for one in llvm_ir(file, contents(file)):
        with reported_in(file, one):
            for number, module in enumerate(modules_in(one.stream, label(file, one.path))):
                _ = module.symbols
                found.append(_FoundModule(file, one, (one.path, number), module))
    return found


def _pairs(before: list[_FoundModule], after: list[_FoundModule]) -> deque[_Pair]:
    """Return the pairs to compare: two modules that are alone in their files, others by their places."""
    if len(before) == len(after) == 1:
        return deque([(before[0], after[0])])
    old, new = ({found.place: found for found in side} for side in (before, after))
    return deque((old.get(place), new.get(place)) for place in dict.fromkeys((*old, *new)))


def _functions(names: Iterable[str], before: str, after: str, pairs: Iterable[_Pair]) -> frozenset[str]:
    """Return the names of the functions that the user means.

    Raises:
        Failure: no module has such a function.
    """
    modules = [found.module for pair in pairs for found in pair if found is not None]
    chosen: set[str] = set()
    for name in names:
        found = {function.name for module in modules for function in functions_named(module, name)}
        if not found:
            raise Failure(f"{before}, {after}: {no_function(name, modules)}")
        chosen |= found
    return frozenset(chosen)


def _differences(old: _FoundModule, new: _FoundModule, chosen: _Chosen) -> Iterator[Difference]:
    """Yield the differences of two modules.

    Raises:
        Failure: one of them is malformed.
    """
    from bitcodec.diff import differences  # noqa: PLC0415
    from bitcodec.host.collection import without_collection  # noqa: PLC0415

    if old.place[1] == new.place[1] and old.stream.stream.payload == new.stream.stream.payload:
        return  # the same bytes
    with without_collection():
        for found in (old, new):
            _read(found, chosen.functions)
        with reported(f"{old.label}, {new.label}"):
            names = chosen.functions or None
            changes = differences(old.module, new.module, functions=names, debug_info=chosen.debug_info)
            yield from _with_progress(changes)


def _with_progress(found: Iterator[Difference]) -> Iterator[Difference]:
    while True:
        with shown_while("comparing"):
            difference = next(found, None)
        if difference is None:
            return
        yield difference


def _read(found: _FoundModule, names: Collection[str]) -> None:
    """Read the parts to compare, so that malformed ones are reported with their file."""
    module = found.module
    with reported_in(found.file, found.stream):
        if names:
            for name in names:
                function = module.functions.get(name)
                if function is not None:
                    function.materialize()
        else:
            with shown_progress(module.identifier, len(module.functions)) as progress:
                module.materialize(progress)


def _print_text(pairs: deque[_Pair], chosen: _Chosen, color: str) -> bool:
    """Print differences one after the other; return whether there is any."""
    pieces = _text(pairs, chosen)
    first = next(pieces, None)
    if first is None:
        return False
    pieces = chain([first], pieces)
    write_text(STANDARD_OUTPUT, colored(pieces) if wants_colors(color) else pieces)
    return True


def _text(pairs: deque[_Pair], chosen: _Chosen) -> Iterator[str]:
    has_several = len(pairs) > 1
    while pairs:
        old, new = pairs.popleft()
        if old is None or new is None:
            yield _only(old, new)
            continue
        title = one_line(f"diff {old.label} {new.label}") + "\n" if has_several else ""
        for difference in _differences(old, new, chosen):
            yield title + _difference_text(difference, chosen)
            title = ""


def _difference_text(difference: Difference, chosen: _Chosen) -> str:
    if chosen.is_brief:
        return overview(difference, demangle=chosen.demangles)
    return difference_text(difference, chosen.context, demangle=chosen.demangles)


def _only(old: _FoundModule | None, new: _FoundModule | None) -> str:
    found = old or new
    assert found is not None, "a pair has at least one of two"  # noqa: S101
    return one_line(f"Only in {found.file}: {found.stream.path or 'a module'}") + "\n"


def _print_json(pairs: deque[_Pair], chosen: _Chosen) -> bool:
    """Print the pairs of modules that are different; return whether there is any."""
    documents = []
    while pairs:
        old, new = pairs.popleft()
        found = [] if old is None or new is None else list(_differences(old, new, chosen))
        if found or old is None or new is None:
            sides = [None if one is None else place(one.file, one.stream.path, one.place[1] + 1) for one in (old, new)]
            shown = [_as_json(each, chosen) for each in found]
            documents.append({"before": sides[0], "after": sides[1], "differences": shown})
    print_document("diff", {"comparisons": documents})
    return bool(documents)


def _as_json(difference: Difference, chosen: _Chosen) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "change": str(difference.change),
        "category": str(difference.category),
        "label": difference.label,
        **({"name": None} if not difference.name else named(difference.name, demangle=chosen.demangles)),
    }
    if not chosen.is_brief:
        shown |= {"before": difference.before, "after": difference.after}
    return shown
