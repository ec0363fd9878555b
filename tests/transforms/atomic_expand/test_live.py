"""Expansions are those of `opt -passes=atomic-expand`: the same instructions, the same metadata on each.

`test_goldens.py` has recorded expansions.

`BITCODEC_WHOLE_GRID=1` tries all cases, about a hundred thousand; else it is some of them for each target.
"""

from __future__ import annotations

import os
from itertools import islice

import pytest

import bitcodec
from bitcodec.ir.data_layout import DataLayout
from corpus import needs_corpus
from transforms.samples import MODULES

from .building import module_of
from .cases import Case, whole_grid
from .comparing import comparable
from .differences import DIFFERENCES, Difference, is_listed
from .generated import compare
from .live import opt, ours, theirs
from .targets import OTHERS, TRIED, Tried

WHOLE = bool(os.environ.get("BITCODEC_WHOLE_GRID"))
STEP = 1 if WHOLE else 97
BATCH = 400

_OF_THE_TARGET = ("optnone", "target-cpu", "target-features", "tune-cpu")
"""Attributes for which `opt` would pass over a function, or take it for one of another target."""

pytestmark = pytest.mark.live


def cases_for(target: Tried) -> list[Case]:
    """Return the cases to try on a target, others on each."""
    start = 0 if WHOLE else TRIED.index(target)
    return [case for case in islice(whole_grid(), start, None, STEP) if not is_listed(target, case)]


@pytest.mark.parametrize("target", TRIED, ids=str)
def test_grid(target: Tried) -> None:
    cases = cases_for(target)
    different = []
    for start in range(0, len(cases), BATCH):
        batch = cases[start : start + BATCH]
        expected = theirs(target, batch)
        assert expected is not None, "a case that is not on the list of differences makes opt crash"
        found = ours(target, batch)
        different += [
            str(case) for index, case in enumerate(batch) if expected[0][f"f{index}"] != found[0][f"f{index}"]
        ]
        assert found[1] == expected[1]
    assert different == []


@pytest.mark.parametrize("target", [*TRIED, *OTHERS], ids=str)
def test_random_functions(target: Tried) -> None:
    result = compare(target, seed=20 * (*TRIED, *OTHERS).index(target), count=30)
    assert [result.shown(name) for name in result.different] == []


@needs_corpus
@pytest.mark.parametrize("name", ["atomics-O0g-22.bc", "atomics-O2-22.bc", "ctors-O2-22.bc", "ir_insts-22.bc"])
@pytest.mark.parametrize("target", [TRIED[0], TRIED[3], TRIED[9], TRIED[13], TRIED[15]], ids=str)
def test_compiled_code(target: Tried, name: str) -> None:
    """Code that a compiler made: several instructions of a function, debug information, metadata of all kinds."""
    module = bitcodec.open(MODULES / name)
    module.data_layout = DataLayout(target.data_layout)
    for function in module.functions:
        own = function.attributes.for_function.without(*_OF_THE_TARGET)
        function.attributes = function.attributes.with_function(own)
    data = bitcodec.dumps(module)
    expected = opt(data, "-passes=atomic-expand", *target.options)
    assert expected is not None
    expanded = bitcodec.loads(data)
    target.expand(expanded)
    # Reading gives intrinsics their attributes, and no others.
    assert comparable(bitcodec.loads(bitcodec.dumps(expanded))) == comparable(bitcodec.loads(expected))


@pytest.mark.parametrize("target", TRIED, ids=str)
def test_result_is_sound(target: Tried) -> None:
    """Cases on which `opt` fails are sound here."""
    cases = [case for case in whole_grid() if is_listed(target, case)][::7] + cases_for(target)[::7]
    module = module_of(cases, target.data_layout, target.triple)
    target.expand(module)
    assert opt(bitcodec.dumps(module), "-passes=verify") is not None


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: f"{row.architectures[-1]} {row.reason[:20]}")
def test_list_is_no_longer_than_it_must_be(row: Difference) -> None:
    """For each architecture of a row there is a target and a case over which `opt` fails."""
    for architecture in row.architectures:
        tried = [target for target in TRIED if target.architecture == architecture and target.level in row.levels]
        case = next(case for case in whole_grid() if case.is_aligned and row.holds(case))
        assert any(theirs(target, [case]) is None for target in tried)


@pytest.mark.skipif(not WHOLE, reason="only with BITCODEC_WHOLE_GRID=1")
@pytest.mark.parametrize("target", TRIED, ids=str)
def test_listed_cases_agree_where_opt_does_not_fail(target: Tried) -> None:
    """A row of the list is for an architecture; with some features `opt` does not fail."""
    listed = [case for case in whole_grid() if is_listed(target, case)]
    found = {case: theirs(target, [case]) for case in listed}
    assert [case for case, expected in found.items() if expected and expected[0] != ours(target, [case])[0]] == []
