"""Modules that hypothesis makes up: flags of all behaviours, which agree, conflict, and require others."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from .text import Flags, Int, Node, Str, Value, flag, require

__all__ = ["modules"]

KEYS = ("a", "b", "c", "d e")
OLD_KEYS = (
    "PIC Level",
    "PIE Level",
    "sign-return-address-all",
    "Objective-C Image Info Version",
    "Objective-C Garbage Collection",
    "Objective-C Image Info Section",
    "amdgpu_code_object_version",
)
"""Keys that LLVM upgrades."""
ERROR, WARNING, REQUIRE, OVERRIDE, APPEND, APPEND_UNIQUE, MAX, MIN = range(1, 9)

numbers: SearchStrategy[Value] = st.builds(Int, st.integers(0, 3), st.sampled_from((32, 32, 32, 8, 64)))
large: SearchStrategy[Value] = st.sampled_from((Int(-1), Int(-56, 8), Int(100), Int(-1, 64), Int(1 << 40, 64)))
strings: SearchStrategy[Value] = st.builds(Str, st.sampled_from(("x", "", "y, z", 'quo"te\\', "\x01")))
leaves: SearchStrategy[Value] = st.one_of(numbers, numbers, strings, st.none())
lists: SearchStrategy[Node] = st.builds(
    lambda items, distinct: Node(*items, distinct=distinct),
    st.lists(st.one_of(leaves, st.builds(Node, leaves)), max_size=4),
    st.sampled_from((False, False, False, True)),
)
anything: SearchStrategy[Value] = st.one_of(numbers, numbers, numbers, strings, lists)

VALUES: dict[int, SearchStrategy[Value]] = {
    ERROR: anything,
    WARNING: anything,
    OVERRIDE: anything,
    APPEND: lists,
    APPEND_UNIQUE: lists,
    MAX: st.one_of(numbers, large),
    MIN: numbers,
}
MERGED_WITH = {WARNING: (MAX, MIN), MAX: (WARNING,), MIN: (WARNING,)}


@st.composite
def modules(draw: DrawFn) -> list[Flags]:
    """Return two or three modules; of most keys they agree what is to be done, of some that they may differ."""
    if draw(st.integers(0, 7)) == 0:
        return draw(st.lists(_old_flags(), min_size=2, max_size=3))
    usual = {key: draw(st.sampled_from(sorted(VALUES))) for key in KEYS}
    values = {key: draw(VALUES[usual[key]]) for key in KEYS}
    return [draw(_flags(usual, values)) for _ in range(draw(st.integers(2, 3)))]


@st.composite
def _old_flags(draw: DrawFn) -> Flags:
    """Return flags that LLVM upgrades; what becomes Min or Max has to be a number."""
    values = {key: draw(st.one_of(numbers, st.just(Int(0x05030702)))) for key in OLD_KEYS}
    values["Objective-C Image Info Section"] = Str(draw(st.sampled_from(("__DATA, x, regular", "__DATA,x,regular"))))
    behaviors = st.sampled_from((ERROR, ERROR, ERROR, WARNING, OVERRIDE))
    flags = [flag(draw(behaviors), key, value) for key, value in values.items() if draw(st.booleans())]
    if draw(st.integers(0, 3)) == 0:
        flags.append(draw(_requirement(values)))
    return flags


@st.composite
def _flags(draw: DrawFn, usual: dict[str, int], values: dict[str, Value]) -> Flags:
    if draw(st.integers(0, 15)) == 0:
        return draw(st.sampled_from((None, [])))
    keys = [key for key in draw(st.permutations(KEYS)) if draw(st.booleans())]
    flags = [draw(_flag(key, usual[key], values[key])) for key in keys]
    if draw(st.integers(0, 3)) == 0:
        flags.insert(draw(st.integers(0, len(flags))), draw(_requirement(values)))
    return flags


@st.composite
def _flag(draw: DrawFn, key: str, usual: int, value: Value) -> Node:
    behavior = usual
    if draw(st.integers(0, 7)) == 0:
        behavior = draw(st.sampled_from((*MERGED_WITH.get(usual, ()), OVERRIDE, draw(st.sampled_from(sorted(VALUES))))))
    # Where one side is a number, LLVM reads a value that is warned of as one, whatever it is.
    if usual == WARNING and not isinstance(value, Int) and behavior in MERGED_WITH[WARNING]:
        behavior = WARNING
    if behavior != usual or draw(st.integers(0, 2)) == 0:
        is_number = behavior == WARNING and (usual != WARNING or isinstance(value, Int))
        value = draw(numbers if is_number else VALUES[behavior] if behavior != WARNING else st.one_of(strings, lists))
    return flag(behavior, key, value)


@st.composite
def _requirement(draw: DrawFn, values: dict[str, Value]) -> Node:
    key = draw(st.sampled_from(list(values)))
    value = values[key] if draw(st.integers(0, 3)) else draw(numbers)
    return require(draw(st.sampled_from(("needs", "wants", key))), key, value)
