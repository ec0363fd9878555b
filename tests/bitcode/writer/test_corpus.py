"""Every module of the corpus, rewritten, and read by LLVM 22."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import bitcodec
from answers import ask, recall
from asm.test_goldens import BENCH, FILES, goldens_of
from asm.text import digest, disassembled_together
from corpus import FOLDER, needs_corpus

HASH = re.compile(rb", hash: \([\d, ]*\)")
"""A hash is one of the bytes, which may be others."""
ORDERS = "--preserve-ll-uselistorder"
OLD_SUMMARY = "the summary names intrinsics that LLVM 22 no longer has: they keep their GUIDs alone"
DIFFERENT = {
    "modules/cfi-cfi-14.bc": OLD_SUMMARY,
    "modules/cfi-cfi-16.bc": OLD_SUMMARY,
    "modules/cfi-cfi-19.bc": OLD_SUMMARY,
    "modules/lto-thing-14.bc": OLD_SUMMARY,
    "modules/lto-thing-16.bc": OLD_SUMMARY,
    "legacy/thinlto-x86-autoupgrade.bc": OLD_SUMMARY,
    "legacy/thinlto-x86-drop-debug-info.bc": OLD_SUMMARY,
}
"""Files whose text is another when they have been written anew, with reasons; a test fails when one is the same."""
OTHER_ORDERS = {
    "legacy/upgrade-arc-runtime-calls.bc": "LLVM brings calls up to date callee by callee, we do in the order of calls"
}
MODULES = [path for path in FILES if path.parent.name in ("modules", "legacy") and len(goldens_of(path)) == 1]
GROUPS = 24


class Seen(NamedTuple):
    """Findings of LLVM 22 about a module that bitcodec wrote.

    Attributes:
        text: digest of its text, without hashes.
        is_stream: whether LLVM knows the parts of the file.
        is_verified: whether LLVM's verifier accepts it, or refuses the original.
        has_same_orders: whether its text with orders of uses equals that of the original; None if it is not compared.
    """

    text: str
    is_stream: bool
    is_verified: bool
    has_same_orders: bool | None


def seen_by_llvm(paths: list[Path], folder: Path, ordered: list[Path]) -> list[Seen]:
    """Return the findings of LLVM in the files of these names in a folder.

    Args:
        paths: the originals.
        folder: contains the files that bitcodec wrote.
        ordered: originals with orders of uses.
    """
    contents = [part for path in paths for part in (path.name, path.read_bytes(), (folder / path.name).read_bytes())]
    question = ["llvm-dis-22", "opt-22", "llvm-bcanalyzer-22", *contents, *(path.name for path in ordered)]
    return [Seen(*each) for each in recall(question, lambda: _look(paths, folder, ordered))]


def _look(paths: list[Path], folder: Path, ordered: list[Path]) -> list[Seen]:
    ours = [folder / path.name for path in paths]
    different = names_of_different(
        ordered,
        disassembled_together([folder / path.name for path in ordered], ORDERS),
        disassembled_together(ordered, ORDERS),
    )
    return [
        Seen(
            text_digest(text),
            is_stream(written),
            is_verified(written) or not is_verified(path),
            name_of(path) not in different if path in ordered else None,
        )
        for path, written, text in zip(paths, ours, disassembled_together(ours), strict=True)
    ]


def is_verified(path: Path) -> bool:
    """Return whether LLVM's verifier accepts a module."""
    return ask(["opt-22", "-passes=verify", path, "-disable-output"]).returncode == 0


def is_stream(path: Path) -> bool:
    """Return whether LLVM knows the parts of a file."""
    done = ask(["llvm-bcanalyzer-22", path])
    return (done.returncode, done.stderr) == (0, b"") and b"Stream type: LLVM IR" in done.stdout


def text_digest(text: bytes) -> str:
    return digest(HASH.sub(b"", text))[:16]


def write(path: Path, folder: Path) -> bitcodec.Module:
    """Write a module into a folder, under its own name; return it as it was read."""
    (module,) = bitcodec.loads_all(path.read_bytes(), path.name)
    (folder / path.name).write_bytes(bitcodec.dumps(module, copies_unchanged=False))
    return module


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@needs_corpus
def test_the_lists_name_files() -> None:
    assert len(MODULES) == 473
    assert all((FOLDER / name).is_file() for name in (*DIFFERENT, *OTHER_ORDERS))


@needs_corpus
@pytest.mark.parametrize("group", range(GROUPS))
def test_llvm_finds_the_same_modules(group: int, tmp_path: Path) -> None:
    paths = MODULES[group::GROUPS]
    modules = [write(path, tmp_path) for path in paths]
    ordered = [path for path, module in zip(paths, modules, strict=True) if module.preserves_use_list_order]
    seen = dict(zip(map(name_of, paths), seen_by_llvm(paths, tmp_path, ordered), strict=True))
    goldens = {name_of(path): text_digest(gzip.decompress(goldens_of(path)[0].read_bytes())) for path in paths}
    assert {name for name in seen if seen[name].text != goldens[name]} == DIFFERENT.keys() & seen.keys()
    assert [name for name in seen if not seen[name].is_stream] == []
    assert [name for name in seen if not seen[name].is_verified] == []
    others = {name for name in seen if seen[name].has_same_orders is False}
    assert others - DIFFERENT.keys() == OTHER_ORDERS.keys() & set(map(name_of, ordered))


@pytest.mark.parametrize("path", BENCH, ids=name_of)
def test_large_modules_too(path: Path, tmp_path: Path) -> None:
    assert write(path, tmp_path).preserves_use_list_order
    assert [each.has_same_orders for each in seen_by_llvm([path], tmp_path, [path])] == [True]


def names_of_different(paths: list[Path], ours: list[bytes], theirs: list[bytes]) -> set[str]:
    texts = zip(paths, ours, theirs, strict=True)
    return {name_of(path) for path, one, other in texts if HASH.sub(b"", one) != HASH.sub(b"", other)}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_what_is_read_back_is_the_same(path: Path) -> None:
    module = bitcodec.loads(path.read_bytes(), path.name)
    data = bitcodec.dumps(module, copies_unchanged=False)
    again = bitcodec.loads(data, path.name)
    assert bitcodec.dumps(again, copies_unchanged=False) == data
    orders = module.preserves_use_list_order
    texts = [bitcodec.print_assembly(each, preserve_use_list_order=orders).encode() for each in (module, again)]
    is_other = names_of_different([path], *([text] for text in texts)) != set()
    assert is_other is (name_of(path) in DIFFERENT)
