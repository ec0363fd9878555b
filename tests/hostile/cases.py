"""Cases by their numbers: an input, and what is done with it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

from tests.entry_points import ENTRY_POINTS
from tests.mutations import check_message

from bitcodec import BitcodecError

from . import commands, disturbed, entries, inputs, texts

Pieces = Iterable[str | bytes]


class Case(NamedTuple):
    """A case.

    Attributes:
        name: what is done, and the input.
        files: the input, by names of files.
        run: does it and yields what came of it, the same whenever it is done.
        refuses: errors that are documented.
        is_repeatable: whether forms can be compared by the results.
    """

    name: str
    files: dict[str, bytes]
    run: Callable[[], Pieces]
    refuses: tuple[type[Exception], ...] = (BitcodecError,)
    is_repeatable: bool = True

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))


FAMILIES: dict[str, tuple[int, Callable[[random.Random], Case]]] = {}
"""Makers of cases, with how often each is chosen."""


def _family(weight: int) -> Callable[[Callable[[random.Random], Case]], Callable[[random.Random], Case]]:
    def add(make: Callable[[random.Random], Case]) -> Callable[[random.Random], Case]:
        FAMILIES[make.__name__] = weight, make
        return make

    return add


def make_case(number: int, families: tuple[str, ...] = ()) -> Case:
    """Return the case of a number, of one of these families; of all if none is named."""
    source = random.Random(number)
    names = families or tuple(FAMILIES)
    name = source.choices(names, [FAMILIES[each][0] for each in names])[0]
    return FAMILIES[name][1](source)


@_family(40)
def public(source: random.Random) -> Case:
    """One of the public functions, for which returning is enough."""
    entry = source.choice(ENTRY_POINTS)
    input_ = inputs.hostile_file(source)

    def run() -> Pieces:
        entry(input_.data)
        return ("done",)

    return Case(f"{entry.name}({input_.name})", {"in.bc": input_.data}, run, entry.refuses)


@_family(36)
def bitcode(source: random.Random) -> Case:
    """A public function with a result that can be compared."""
    pairs = entries.OF_FILES if source.random() < 0.45 else entries.OF_MODULES
    entry = source.choices([pair[1] for pair in pairs], [pair[0] for pair in pairs])[0]
    input_ = inputs.hostile_file(source) if pairs is entries.OF_FILES else inputs.hostile_module(source)
    refuses = (BitcodecError, ValueError) if entry is entries.expanded else (BitcodecError,)
    run = partial(entry, source, input_.data)
    return Case(f"{entry.__name__}({input_.name})", {"in.bc": input_.data}, run, refuses)


@_family(4)
def compared(source: random.Random) -> Case:
    changed, sound = inputs.hostile_module(source), inputs.sound_module(source)
    run = partial(entries.diff, source, changed.data, sound.data)
    return Case(f"diff({changed.name}; {sound.name})", {"in.bc": changed.data, "other.bc": sound.data}, run)


@_family(8)
def command(source: random.Random) -> Case:
    arguments = commands.make_arguments(source)
    files = commands.make_files(arguments, source)
    in_process = source.random() < 0.995
    run = partial(commands.run_command, arguments, files, in_process=in_process)
    return Case(f"bitcodec {arguments}", files, run, is_repeatable=in_process)


@_family(5)
def machine_ir(source: random.Random) -> Case:
    text = inputs.hostile_mir(source)
    entry = texts.machine_ir if source.random() < 0.8 else texts.audit_of_machine_ir
    return Case(entry.__name__, {"in.mir": text.encode(errors="surrogatepass")}, partial(entry, source, text))


@_family(5)
def assembly(source: random.Random) -> Case:
    text = inputs.hostile_assembly(source)
    content = {"in.ll": text.encode(errors="surrogatepass")}
    return Case("assembly", content, partial(texts.assembly, source, text))


@_family(6)
def text(source: random.Random) -> Case:
    entry, originals, refuses = source.choice(texts.OF_TEXTS)
    changed = texts.changed(originals, source)
    content = {"in.txt": changed.encode(errors="surrogatepass")}
    return Case(f"{entry.__name__}({changed[:80]!r})", content, partial(entry, source, changed), refuses)


@_family(5)
def elf(source: random.Random) -> Case:
    input_ = inputs.hostile_elf(source)
    entry = texts.elf if source.random() < 0.8 else texts.audit_of_elf
    return Case(f"{entry.__name__}({input_.name})", {"in.o": input_.data}, partial(entry, source, input_.data))


@_family(2)
def threads(source: random.Random) -> Case:
    input_ = inputs.hostile_module(source) if source.random() < 0.4 else inputs.sound_module(source)
    run = partial(disturbed.threads, source, input_.data)
    return Case(f"threads({input_.name})", {"in.bc": input_.data}, run, is_repeatable=False)


@_family(3)
def interrupts(source: random.Random) -> Case:
    input_ = inputs.hostile_module(source) if source.random() < 0.4 else inputs.sound_module(source)
    run = partial(disturbed.interrupts, source, input_.data)
    return Case(f"interrupts({input_.name})", {"in.bc": input_.data}, run, is_repeatable=False)


def digest_of(case: Case) -> tuple[str, bool]:
    """Run a case; return a digest of what came of it, and whether it was refused.

    Raises:
        Exception: anything but the errors that are documented.
    """
    digest = blake2b(digest_size=8)
    refused = False
    try:
        for piece in case.run():
            digest.update(piece.encode(errors="surrogatepass") if isinstance(piece, str) else piece)
    except MemoryError:
        raise
    except case.refuses as error:
        refused = True
        if isinstance(error, BitcodecError):
            check_message(error)
        digest.update(f"{type(error).__name__}: {error}".encode(errors="surrogatepass"))
    return (digest.hexdigest() if case.is_repeatable else ""), refused
