"""Threads that read one module at the same time find what one thread finds.

`BITCODEC_READINGS` says for how many files of the corpus, or `all`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from threading import Barrier, Thread

import pytest

import bitcodec
from amounts import some
from bitcode.readings import READINGS, TEXT, Reading, data_files, digest, expected, files
from bitcodec.ir.module import Module

THREADS = 8
MIXES = {
    "text": [TEXT] * THREADS,
    "each-another": list(READINGS[:THREADS]),
    "parts-first": list(reversed(READINGS))[:THREADS],
    "written": [READINGS[number] for number in (2, 8, 2, 9, 0, 4, 3, 1)],
}
"""What threads do at the same time."""

WITH_CODE = [path for path in data_files() if "index" not in path.name]


@pytest.fixture(autouse=True)
def _often_switched() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def together(module: Module, readings: list[Reading]) -> list[object]:
    """Do readings at the same time, each in a thread of its own; return their results, or what they raised."""
    results: list[object] = [None] * len(readings)
    barrier = Barrier(len(readings))

    def do(number: int) -> None:
        barrier.wait()
        try:
            results[number] = readings[number].do(module)
        except BaseException as error:  # noqa: BLE001 - told by the test
            results[number] = error

    threads = [Thread(target=do, args=(number,)) for number in range(len(readings))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.parametrize(
    ("path", "mix"), some([*product(files(), MIXES)], 17), ids=lambda each: getattr(each, "name", None)
)
def test_threads_find_what_one_thread_finds(path: Path, mix: str) -> None:
    module = bitcodec.open(path)
    for reading, result in zip(MIXES[mix], together(module, MIXES[mix]), strict=True):
        assert not isinstance(result, BaseException), f"{reading.name}: {result!r}"
        assert expected(path, reading) in (None, digest(result)), reading.name
    assert digest(str(module)) == expected(path, TEXT)


@pytest.mark.parametrize("path", WITH_CODE, ids=lambda path: path.name)
def test_all_threads_get_the_same_objects(path: Path) -> None:
    """What is made at the first touch is made once, whoever is first."""

    def objects(module: Module) -> list[object]:
        found: list[object] = []
        for function in [function for function in module.functions if not function.is_declaration]:
            found += [function, *function.arguments, *function.blocks, *function.metadata.values()]
            for instruction in function.instructions:
                found += [instruction, *instruction.operands, *instruction.debug_records, instruction.debug_location]
                found += instruction.metadata.values()
        return found

    module = bitcodec.open(path)
    first, *others = together(module, [Reading("objects", objects)] * THREADS)
    assert isinstance(first, list)
    assert first
    for found in others:
        assert isinstance(found, list)
        assert [*map(id, found)] == [*map(id, first)]


def test_nodes_that_are_read_late_are_complete_for_all_threads() -> None:
    """A distinct node gets its content at the first touch: no thread finds some of it only."""
    path = next(path for path in data_files() if path.name.startswith("ir_metadata"))

    def contents(module: Module) -> list[object]:
        found = []
        for function in module.functions:
            node = function.subprogram
            found.append(None if node is None else (node.name, node.line, node.is_distinct, len(node.operands)))
        return found

    wanted = contents(bitcodec.open(path))
    assert any(wanted)
    for _ in range(20):
        results = together(bitcodec.open(path), [Reading("contents", contents)] * THREADS)
        assert results == [wanted] * THREADS
