"""What the rewriter leaves of metadata is what passes of LLVM 22 left when the goldens were made."""

from __future__ import annotations

import base64
import gzip
import json

import pytest

from .metadata.make_goldens import GOLDENS
from .metadata.outcomes import DIFFERENCES, differing, differing_kinds, ours, ours_of_locations

CASES = json.loads(gzip.decompress(GOLDENS.read_bytes()))
CHANGES = {"pairs": ours, "alone": ours, "locations": ours_of_locations}


@pytest.mark.parametrize("name", CHANGES)
def test_it_leaves_what_llvm_left(name: str) -> None:
    theirs = CASES[name]["outcomes"]
    assert differing(CHANGES[name](base64.b64decode(CASES[name]["bitcode"])), theirs) == []


def test_each_reason_for_a_difference_is_needed() -> None:
    found = set()
    for name, change in CHANGES.items():
        found |= differing_kinds(change(base64.b64decode(CASES[name]["bitcode"])), CASES[name]["outcomes"])
    assert found == DIFFERENCES.keys()


def test_goldens_are_of_all_kinds() -> None:
    outcomes = [each for case in CASES.values() for each in case["outcomes"].values()]
    kinds = {kind for each in outcomes for kind in each}
    assert kinds >= {"tbaa", "range", "nonnull", "prof", "mmra", "captures", "fpmath", "align", "noalias", "dbg"}
    assert sum(not each for each in outcomes) > len(outcomes) // 10
    places = {each["dbg"] for each in outcomes if "dbg" in each}
    assert any(" new" in place for place in places)
    assert any(place.startswith("0:0") for place in places)
    assert len(places) > 30
