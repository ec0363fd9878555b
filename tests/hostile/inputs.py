"""Hostile input: real files, small ones more often, changed at random."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests import mutations
from tests.pcsections.elf_mutations import files as elf_files
from tests.pcsections.elf_mutations import with_fields_changed

from bitcodec import BitcodecError
from bitcodec.bitcode.offsets import relocated
from bitcodec.bitstream import Bitstream, Block, Draft
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.bitstream.items import DraftBlock

from .mutators import CHANGES, mutated, rename_function

LARGEST = mutations.LARGEST_CHANGED
"""Bytes; larger files are not used, so that a run has time for many cases."""
_SMALL = 1500
"""Bytes; smaller files are chosen as often as each other."""
MIR_FILES = [mutations.DATA / "mir", mutations.ROOT / "examples"]


class Input(NamedTuple):
    """A changed file.

    Attributes:
        name: the file it was made from, and how it was changed.
        data: its bytes.
    """

    name: str
    data: bytes


# Bitcode and everything that contains some


@cache
def streams() -> tuple[list[Path], list[int]]:
    """Return the files that hold bitstreams, and a cumulative weight for each."""
    return _weighted(mutations.files())


@cache
def modules() -> tuple[list[Path], list[int]]:
    """Return the files of bitcode, and a cumulative weight for each."""
    return _weighted(mutations.modules())


def _weighted(paths: list[Path]) -> tuple[list[Path], list[int]]:
    chosen = [path for path in paths if path.stat().st_size <= LARGEST]
    total = 0
    weights = []
    for path in chosen:
        total += 10**9 // (path.stat().st_size + _SMALL)
        weights.append(total)
    return chosen, weights


def choose(files: tuple[list[Path], list[int]], source: random.Random) -> Path:
    return source.choices(files[0], cum_weights=files[1])[0]


def hostile_file(source: random.Random) -> Input:
    """Return a file with a bitstream in it, changed."""
    kind = source.random()
    if kind < 0.75:
        return hostile_module(source)
    path = choose(streams(), source)
    return Input(f"{path.name}, bytes", mutated(_content(path), source))


def hostile_module(source: random.Random) -> Input:
    """Return a file of bitcode whose records or blocks were changed, or its bytes."""
    path = choose(modules(), source)
    kind = source.random()
    if kind < 0.15:
        return Input(f"{path.name}, bytes", mutated(_content(path), source))
    other = choose(modules(), source) if kind > 0.93 else None
    try:
        data = with_blocks_changed(path, source) if other is None else with_blocks_of(path, other, source)
    except BitcodecError:  # a malformed file of the corpus, or a blob where none can be
        return Input(f"{path.name}, bytes", mutated(_content(path), source))
    return Input(f"{path.name}, {'records' if other is None else f'blocks of {other.name}'}", data)


def sound_module(source: random.Random) -> Input:
    path = choose(modules(), source)
    return Input(path.name, _content(path))


class BlockPath(NamedTuple):
    """Where a block is: the place of the block at each level among the blocks of the one around it."""

    places: tuple[int, ...]
    items: int


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


@cache
def _stream(path: Path) -> Bitstream:
    return Bitstream(_content(path))


@cache
def _block_paths(path: Path) -> tuple[list[BlockPath], list[int]]:
    """Return the blocks of a file but BLOCKINFO, and a cumulative weight for each: its items."""
    pending: list[tuple[tuple[int, ...], Block]] = [
        ((place,), block) for place, block in enumerate(_stream(path).blocks)
    ]
    found = []
    weights = []
    total = 0
    while pending:
        places, block = pending.pop()
        pending += [((*places, place), inner) for place, inner in enumerate(block.blocks)]
        if block.id != BLOCKINFO_BLOCK_ID:
            items = len(block.records) + len(block.blocks)
            total += items + 1
            found.append(BlockPath(places, items))
            weights.append(total)
    return found, weights


def with_blocks_changed(path: Path, source: random.Random) -> bytes:
    """Return a stream with a few records or blocks changed, doubled, moved or removed.

    Only the blocks on the way to a change are opened, all else is copied: that is what makes a case cheap.

    Raises:
        BitcodecError: it is no sound stream.
    """
    draft = _stream(path).edit()
    paths, weights = _block_paths(path)
    for _ in range(source.choice((1, 1, 1, 2, 3, 8))):
        if not paths:
            break
        chosen = source.choice(paths) if source.random() < 0.4 else source.choices(paths, cum_weights=weights)[0]
        block = _block_at(draft.blocks, chosen.places)
        if block is not None and block.items:
            source.choice(CHANGES)(block, source.randrange(len(block.items)), source)
    kind = source.random()
    if kind < 0.05:
        rename_function([*draft.blocks], source)
    elif kind < 0.15:
        change_block_list(draft.blocks, source)
    return _dumped(draft, source)


def change_block_list(blocks: list[DraftBlock], source: random.Random) -> None:
    """Move, double or drop a block at the top level."""
    if not blocks:
        return
    place = source.randrange(len(blocks))
    kind = source.randrange(3)
    if kind == 0:
        del blocks[place]
    elif kind == 1:
        blocks.insert(source.randrange(len(blocks)), blocks.pop(place))
    elif (original := blocks[place].source) is not None:
        blocks.insert(source.randrange(len(blocks) + 1), DraftBlock.of(original))


def with_blocks_of(path: Path, other: Path, source: random.Random) -> bytes:
    """Return a stream in which a few blocks are those of another file.

    Raises:
        BitcodecError: one of them is no sound stream.
    """
    draft = _stream(path).edit()
    paths, _ = _block_paths(path)
    foreign, _ = _block_paths(other)
    for _ in range(source.choice((1, 1, 2, 5))):
        if not paths or not foreign:
            break
        # A draft of its own each time: a block must not come to be inside itself.
        taken = _block_at(_stream(other).edit().blocks, source.choice(foreign).places)
        replaced = source.choice(paths).places
        around = _block_at(draft.blocks, replaced[:-1]) if len(replaced) > 1 else None
        if taken is None or (len(replaced) > 1 and around is None):
            continue
        _open(taken)
        blocks = draft.blocks if around is None else around.blocks
        alike = [block for block in blocks if block.id == taken.id]
        if alike and source.random() < 0.8:
            taken_place = source.choice(alike)
            items = draft.blocks if around is None else around.items
            items[_index(items, taken_place)] = taken
        elif around is None:
            draft.blocks.insert(source.randrange(len(draft.blocks) + 1), taken)
        else:
            around.items.insert(source.randrange(len(around.items) + 1), taken)
    return _dumped(draft, source)


def _dumped(draft: Draft, source: random.Random) -> bytes:
    """Return a changed stream, mostly with correct offsets: readers of LLVM IR refuse others before all else.

    Raises:
        BitcodecError: it is no sound stream.
    """
    data = draft.dumps()
    if source.random() < 0.2:
        return data
    try:
        return relocated(data)
    except BitcodecError:
        return data  # a wrapper, or a stream in which no offset can be correct


def _index(items: Sequence[object], item: object) -> int:
    return next(index for index, each in enumerate(items) if each is item)


def _open(block: DraftBlock) -> None:
    """Open a block of another file wholly, unabbreviated: the abbreviations there are not in force here."""
    pending = [block]
    while pending:
        opened = pending.pop()
        opened.items[:] = [item for item in opened.items if not _is_definition(item)]
        for record in opened.records:
            if record.blob is None:
                record.abbreviation_id = 3
        pending += opened.blocks


def _is_definition(item: object) -> bool:
    return type(item).__name__ == "Definition"


def _block_at(blocks: list[DraftBlock], places: tuple[int, ...]) -> DraftBlock | None:
    """Return a block by the places on the way to it; None if changes have left none there."""
    found = None
    for place in places:
        inner = blocks if found is None else found.blocks
        if place >= len(inner):
            return None
        found = inner[place]
    return found


# Objects, machine IR, short texts


def hostile_elf(source: random.Random) -> Input:
    data = source.choice(elf_files())
    if source.random() < 0.3:
        return Input("ELF, bytes", mutated(data, source))
    return Input("ELF, fields", with_fields_changed(data, source))


@cache
def mir_texts() -> list[str]:
    """Return the functions of machine IR of the tests, each as a file, and the whole files that are short."""
    texts = []
    for path in sorted(path for folder in MIR_FILES for path in folder.iterdir()):
        if path.name.endswith((".mir", ".mir.gz")):
            data = path.read_bytes()
            text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
            documents = text.split("\n---\n")
            texts += ["---\n" + document.removesuffix("\n...\n") + "\n...\n" for document in documents[1:]]
            texts += [text] if len(text) < 10_000 else []
    return sorted(texts, key=len)


def hostile_mir(source: random.Random) -> str:
    """Return a text of machine IR, changed; short ones more often."""
    texts = mir_texts()
    text = texts[int(len(texts) * source.random() ** 2)]
    return changed_text(text, source) if source.random() < 0.95 else text


@cache
def assembly_texts() -> list[str]:
    """Return the short texts of LLVM assembly among the tests' goldens."""
    # Bitcode of LLVM 22 cannot contain fields of a newer LLVM; an index of summaries has no name of its source.
    paths = [path for path in mutations.DATA.rglob("*.bc.ll.gz") if path.parent.name not in {"newer", "summaries"}]
    found = [gzip.decompress(path.read_bytes()) for path in sorted(paths) if path.stat().st_size < 5_000]
    return sorted((data.decode("utf-8", "surrogateescape") for data in found), key=len)


def hostile_assembly(source: random.Random) -> str:
    """Return a text of LLVM assembly, changed; short ones more often."""
    texts = assembly_texts()
    text = texts[int(len(texts) * source.random() ** 2)]
    return changed_text(text, source) if source.random() < 0.95 else text


_WORDS = r"""
0 1 -1 01 0x 1e9 99999999999999999999 i1 i32 i65536 i0 ptr null true ! !{} !0 !"a" " ' \\ \\ff ( ) [ ] { } < > , : ; = |
% %0 %bb.0 %stack.0 $ $eax @ @f # -- --- ... & * ? ~ + - / @FILE "unbalanced .0 .5 nan inf float double half volatile
killed implicit-def dead tied-def debug-location !DILocation() intpred(eq) blockaddress(@f,1) liveins: successors: bb.0:
hot=instruction:i32 |function !C addrspace(9999999999) align
"""
_TOKENS = [*_WORDS.split(), "\t", "\r\n", "\n", "\x00", "\x7f", "\u00e9", "\U0001f600", "\ud800", " ", "\x1b[31m"]
"""What is put into texts: numbers and words of their languages, and characters that none of them has."""


def changed_text(text: str, source: random.Random) -> str:
    """Return a text with characters, words or lines changed, moved, doubled or removed."""
    for _ in range(source.choice((1, 1, 1, 2, 3, 8))):
        kind = source.randrange(7)
        start = source.randrange(len(text) + 1)
        end = min(len(text), start + source.choice((1, 1, 2, 5, 40)))
        if kind == 0:
            text = text[:start] + text[end:]
        elif kind == 1:
            text = text[:start] + source.choice(_TOKENS) + text[end:]
        elif kind == 2:
            text = text[:start] + source.choice(_TOKENS) + text[start:]
        elif kind == 3:
            text = text[:start] + text[start:end] * source.choice((2, 3, 50)) + text[end:]
        elif kind == 4:
            other = source.randrange(len(text) + 1)
            text = text[:start] + text[other : other + end - start] + text[end:]
        elif kind == 5:
            lines = text.split("\n")
            line = lines.pop(source.randrange(len(lines)))
            if source.random() < 0.6:
                lines.insert(source.randrange(len(lines) + 1), line)
            text = "\n".join(lines)
        elif start < len(text):
            text = text[:start] + chr(ord(text[start]) ^ 1 << source.randrange(7)) + text[start + 1 :]
    return text
