"""Real files cut off and changed: an answer or one of the package's own errors, nothing else."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from amounts import amount, some
from bits import Bits, Field

from .forms import Form
from .mutating import mutated
from .outcomes import outcome

DATA = Path(__file__).parents[1] / "data"
FILES = ["bad-22.dia", "wrapper-darwin-22.bc", "structs-i386-14.bc", "shapes-22.pcm", "ctx.profile"]
MODULE: tuple[Field, ...] = (2, "array", "char6")


def small() -> bytes:
    """Return a stream with something of everything, a few words long."""
    bits = Bits().enter_block(0).unabbreviated(1, [8]).define(*MODULE).unabbreviated(2, b"Eight").end_block()
    bits.enter_block(8, width=4).abbreviated(4, MODULE, [2, *b"triple"]).define(3, ("vbr", 6), "blob")
    bits.abbreviated(5, (3, ("vbr", 6), "blob"), [3, 300], b"bytes").enter_block(15).unabbreviated(39, [1])
    return bits.end_block().unabbreviated(1, [2]).end_block().stream()


def refused(found: dict[str, object]) -> bool:
    return "opening" in found or isinstance(found["checked"], tuple)


@pytest.mark.parametrize("name", ["made up", "bad-22.dia"])
def test_cut_off_at_every_byte(form: Form, name: str) -> None:
    """Sound are but the ends of top-level blocks; LLVM leaves up to eight bytes after one alone."""
    data = small() if name == "made up" else (DATA / name).read_bytes()
    ends = {4, *top_level_ends(data)} - {len(data)}
    near = ends | {end + more for end in some(sorted(ends), 6) for more in range(-8, 17)}
    sizes = sorted(near.intersection(range(len(data))).union(some(range(len(data)), 40)))
    taken = {size for size in sizes if not refused(outcome(form, data[:size]))}
    assert ends <= taken
    assert taken <= {end + more for end in ends for more in range(9)}


def top_level_ends(data: bytes) -> list[int]:
    """Return where the top-level blocks end, in bytes, going by the lengths in their headers of two words."""
    ends = [4]
    while ends[-1] < len(data):
        words = int.from_bytes(data[ends[-1] + 4 : ends[-1] + 8], "little")
        ends.append(ends[-1] + 8 + 4 * words)
    return ends


def test_every_bit_of_a_small_stream_changed(form: Form) -> None:
    data = small()
    found = set()
    for bit in some(range(len(data) * 8), 90):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        found.add(refused(outcome(form, bytes(changed))))
    assert found == {True, False}, "some changes are refused, some make another sound stream"


@pytest.mark.parametrize("name", FILES)
def test_real_files_changed_at_random(form: Form, name: str) -> None:
    data = (DATA / name).read_bytes()
    for seed in range(amount(4, 40)):
        found = outcome(form, mutated(data, Random(f"{name} {seed}")))
        assert "opening" in found or found.keys() >= {"dump", "statistics", "encoded", "draft"}, f"seed {seed}"
