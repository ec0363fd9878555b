"""What the rewriter leaves of metadata is what passes of LLVM 22 left when the goldens were made."""

from __future__ import annotations

import base64
import functools
import gzip
import json

import pytest

from .metadata.make_goldens import GOLDENS
from .metadata.outcomes import DIFFERENCES, Outcomes, differing, differing_kinds, ours, ours_of_locations

CASES = json.loads(gzip.decompress(GOLDENS.read_bytes()))
CHANGES = {"pairs": ours, "alone": ours, "locations": ours_of_locations}


@functools.cache
def left(name: str) -> Outcomes:
    """Return what the rewriter leaves of the cases of a name."""
    return CHANGES[name](base64.b64decode(CASES[name]["bitcode"]))


@pytest.mark.parametrize("name", CHANGES)
def test_it_leaves_what_llvm_left(name: str) -> None:
    assert differing(left(name), CASES[name]["outcomes"]) == []


def test_each_reason_for_a_difference_is_needed() -> None:
    found = [differing_kinds(left(name), CASES[name]["outcomes"]) for name in CHANGES]
    assert set().union(*found) == DIFFERENCES.keys()


def test_goldens_are_of_all_kinds() -> None:
    outcomes = [each for case in CASES.values() for each in case["outcomes"].values()]
    kinds = {kind for each in outcomes for kind in each}
    assert kinds >= {"tbaa", "range", "nonnull", "prof", "mmra", "captures", "fpmath", "align", "noalias", "dbg"}
    assert sum(not each for each in outcomes) > len(outcomes) // 10
    places = {each["dbg"] for each in outcomes if "dbg" in each}
    assert any(" new" in place for place in places)
    assert any(place.startswith("0:0") for place in places)
    assert len(places) > 30
