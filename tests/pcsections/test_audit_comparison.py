"""Verdicts hold what they say, whoever carried what."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bitcodec.pcsections.auditing.carriers import Carriers, Group, Wanted
from bitcodec.pcsections.auditing.comparison import Comparer, Verdict

NAMES = st.sampled_from("fgh")
WANTED = st.builds(Wanted, st.booleans(), st.sampled_from([(Group("a"),), (Group("b"),)]))
CARRIED = st.dictionaries(
    st.tuples(NAMES, WANTED), st.dictionaries(st.sampled_from(["load", "store"]), st.integers(1, 3), min_size=1)
)


def carriers(carried: dict[tuple[str, Wanted], dict[str, int]], functions: set[str]) -> Carriers:
    made = Carriers(functions)
    for (function, wanted), opcodes in carried.items():
        for opcode, count in opcodes.items():
            made.add(function, wanted, opcode, count)
    return made


@given(CARRIED, CARRIED, st.sets(NAMES))
def test_verdicts(
    before: dict[tuple[str, Wanted], dict[str, int]], after: dict[tuple[str, Wanted], dict[str, int]], left: set[str]
) -> None:
    left |= {function for function, _ in after}
    findings = list(
        Comparer(carriers(before, set("fgh")), carriers(after, left)).findings(lambda _key, _opcodes, n: f"{n} less")
    )

    sides = ([(each, each.before) for each in findings], [(each, each.after) for each in findings])
    for carried, side in zip((before, after), sides, strict=True):
        counted: Counter[tuple[str, Wanted, str]] = Counter()
        for each, opcodes in side:
            for opcode, count in opcodes.items():
                counted[each.function, each.wanted, opcode] += count
        assert counted == {(*key, opcode): n for key, opcodes in carried.items() for opcode, n in opcodes.items()}
    wanted_before = {wanted for _, wanted in before}
    for each in findings:
        n, m = each.attached, each.found
        missing = n - m
        assert (each.verdict is Verdict.FOREIGN) == (each.wanted not in wanted_before)
        assert each.reason == (f"{missing} less" if missing > 0 else "")
        assert bool(each.elsewhere) == (each.verdict is Verdict.MOVED or (n == 0 and each.verdict is Verdict.COPIED))
        assert each.function not in each.elsewhere
        match each.verdict:
            case Verdict.KEPT:
                assert n == m
            case Verdict.COPIED:
                assert m > n
            case Verdict.MERGED:
                assert 0 < m < n
            case Verdict.LOST:
                assert m == 0 < n


@given(CARRIED)
def test_what_stays_is_kept(carried: dict[tuple[str, Wanted], dict[str, int]]) -> None:
    same = carriers(carried, set("fgh"))
    assert all(each.verdict is Verdict.KEPT for each in Comparer(same, same).findings(lambda *_: ""))
