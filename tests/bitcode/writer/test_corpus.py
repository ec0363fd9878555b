"""Every module of the corpus, written anew and given to LLVM 22."""

from __future__ import annotations

import gzip
import re
import subprocess
from pathlib import Path

import pytest

import bitcodec
from asm.test_goldens import BENCH, FILES, goldens_of
from asm.text import disassembled_together
from cli.running import llvm
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


def verified(path: Path) -> bool:
    """Return whether LLVM's verifier accepts a module."""
    arguments = [llvm("opt"), "-passes=verify", path, "-disable-output"]
    return subprocess.run(arguments, capture_output=True, check=False).returncode == 0


def is_stream(path: Path) -> bool:
    """Return whether LLVM can tell what the parts of a file are."""
    done = subprocess.run([llvm("llvm-bcanalyzer"), path], capture_output=True, check=False)
    return (done.returncode, done.stderr) == (0, b"") and b"Stream type: LLVM IR" in done.stdout


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
    texts = disassembled_together([tmp_path / path.name for path in paths])
    goldens = [gzip.decompress(goldens_of(path)[0].read_bytes()) for path in paths]
    assert names_of_different(paths, texts, goldens) == {name for name in map(name_of, paths) if name in DIFFERENT}
    assert [path.name for path in paths if not is_stream(tmp_path / path.name)] == []
    assert [path.name for path in paths if not verified(tmp_path / path.name) and verified(path)] == []
    ordered = [path for path, module in zip(paths, modules, strict=True) if module.preserves_use_list_order]
    assert different_orders(ordered, tmp_path) - DIFFERENT.keys() == OTHER_ORDERS.keys() & set(map(name_of, ordered))


@pytest.mark.parametrize("path", BENCH, ids=name_of)
def test_large_modules_too(path: Path, tmp_path: Path) -> None:
    assert write(path, tmp_path).preserves_use_list_order
    assert different_orders([path], tmp_path) == set()


def different_orders(paths: list[Path], folder: Path) -> set[str]:
    """Return the names of files whose text, orders of uses included, is another once they are written anew."""
    ours = disassembled_together([folder / path.name for path in paths], ORDERS)
    return names_of_different(paths, ours, disassembled_together(paths, ORDERS))


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
