"""What becomes of values that metadata of a file wraps, when that metadata has not been read yet.

As in LLVM 22 it follows a value that is replaced; of one that is gone debug records have `poison`, nodes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from bitcodec.builder import Builder
from bitcodec.errors import BitcodecError
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import ConstantAsMetadata, LocalAsMetadata
from bitcodec.ir.module import Module
from bitcodec.transforms import Rewriter, extract_functions
from bitcodec.verifier import verify

DESCRIBED = Path(__file__).with_name("described.bc")

AS_IT_WAS = [
    "ptr %room",
    "i32 %a, ptr %room",
    "i32 %x",
    "DIArgList(i32 %x, i32 %a)",
    "ptr @g",
    "ptr getelementptr (i8, ptr @g, i64 1)",
    "i32 %y",
]
"""What the debug records of the file name, in order."""

WRAPPED = re.compile(
    r"#dbg_\w+\(!?(?P<value>DIArgList\(.*?\)|ptr getelementptr \(.*?\)|[^,]*), .*?\), "
    r"(?:!\d+, (?P<address>ptr [^,]*), )?"
)


def opened() -> Module:
    return bitcodec.open(DESCRIBED)


def function_of(module: Module) -> Function:
    return module.functions["f"]


def named(module: Module, name: str) -> Instruction:
    return next(each for each in function_of(module).instructions if each.name == name)


def described(module: Module) -> list[str]:
    """Return what the debug records name, in the module and after it was written and read, where it is sound."""
    again = bitcodec.loads(bitcodec.dumps(module), module.identifier)
    assert str(again) == str(module)
    assert list(verify(again)) == []
    found = [match for line in str(module).splitlines() if (match := WRAPPED.search(line))]
    return [", ".join(filter(None, match.group("value", "address"))) for match in found]


def with_changes(**changes: str) -> list[str]:
    """Return what the records named at first, with values renamed."""
    return [re.sub(r"[%@](\w+)", lambda match: changes.get(match[1], match[0]), each) for each in AS_IT_WAS]


def replace(module: Module) -> None:
    old = named(module, "x")
    Rewriter().replace(old, old.clone())


def merge(module: Module) -> None:
    old = named(module, "x")
    new = Rewriter().duplicate(old)
    name = old.name
    Rewriter().merge(new, old, moves=False)
    assert new.name == name


def replace_with(module: Module) -> None:
    old = named(module, "x")
    old.replace_with(old.clone())


def hoist(module: Module) -> None:
    Rewriter().hoist(named(module, "x"), named(module, "room"))


def take_out_and_put_back(module: Module) -> None:
    moved = named(module, "x")
    moved.remove_from_parent()
    moved.insert_before(named(module, "y"))


def replace_twice(module: Module) -> None:
    replace(module)
    replace(module)


@pytest.mark.parametrize("change", [replace, merge, replace_with, hoist, take_out_and_put_back, replace_twice])
def test_records_follow_what_takes_the_place_of_a_value(change: Callable[[Module], None]) -> None:
    module = opened()
    change(module)
    assert sorted(described(module)) == sorted(AS_IT_WAS)


def test_records_follow_other_values() -> None:
    module = opened()
    function = function_of(module)
    old = named(module, "x")
    old.replace_all_uses_with(function.arguments[0])
    assert described(module) == with_changes(x="%a")
    Rewriter().erase(old)
    assert described(module) == with_changes(x="%a")


def test_records_of_arguments_follow_constants() -> None:
    module = opened()
    (argument, _) = function_of(module).arguments
    argument.replace_all_uses_with(module.context.constants.integer(argument.type, 7))  # type: ignore[arg-type]
    assert described(module) == with_changes(a="7")


@pytest.mark.parametrize("erase", [Rewriter().erase, Instruction.erase_from_parent], ids=["rewriter", "model"])
@pytest.mark.parametrize(("name", "following"), [("y", {"y": "poison"}), ("room", {"room": "poison"})])
def test_records_of_a_value_that_is_gone_have_poison(
    erase: Callable[[Instruction], None], name: str, following: dict[str, str]
) -> None:
    module = opened()
    erase(named(module, name))
    assert described(module) == with_changes(**following)


def test_what_wraps_a_value_is_of_the_kind_of_the_value() -> None:
    module = opened()
    old = named(module, "y")
    record = next(each for each in reversed(list(records(module))) if isinstance(each.value, LocalAsMetadata))
    old.erase_from_parent()
    assert isinstance(record.value, ConstantAsMetadata)


def records(module: Module) -> list[DbgVariableRecord]:
    found = [record for instruction in function_of(module).instructions for record in instruction.debug_records]
    return [record for record in found if isinstance(record, DbgVariableRecord)]


def test_blocks_that_go_take_their_values_along() -> None:
    module = opened()
    function = function_of(module)
    (block,) = function.blocks
    rest = block.split(named(module, "y"))
    block.terminator.replace_with(rest.terminator.clone())  # type: ignore[union-attr]
    rest.erase_from_parent()
    assert described(module) == AS_IT_WAS[:-1]


# Globals: any metadata of the module may wrap them


@pytest.mark.parametrize("is_read", [False, True])
def test_metadata_follows_what_takes_the_place_of_a_global(is_read: bool) -> None:
    module = opened()
    if is_read:
        assert module.named_metadata["named"].operands[0].operands
    module.global_variables["g"].replace_all_uses_with(module.global_variables["h"])
    assert described(module) == with_changes(g="@h")
    assert "!{ptr @h, ptr getelementptr (i8, ptr @h, i64 1)}" in str(module)


@pytest.mark.parametrize("is_read", [False, True])
def test_metadata_of_a_global_that_is_gone(is_read: bool) -> None:
    module = opened()
    if is_read:
        module.materialize()
    module.global_variables["g"].erase_from_parent()
    expected = ["ptr poison" if "@g" in each else each for each in AS_IT_WAS]
    assert described(module) == expected
    assert "!{null, null}" in str(module)


def test_functions_that_go_leave_those_that_stay_as_they_were() -> None:
    module = opened()
    extract_functions(module, ["f"])
    assert [each for each in described(module) if "@g" not in each and "poison" not in each] == [
        each for each in AS_IT_WAS if "@g" not in each
    ]


# Reading: no more than has to be


def test_records_are_read_when_a_value_goes() -> None:
    module = opened()
    function = function_of(module)
    old = named(module, "x")
    assert function._unread_records
    Rewriter().duplicate(old)
    assert function._unread_records
    old.replace_all_uses_with(function.arguments[0])
    assert not function._unread_records


def test_what_cannot_be_read_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    module = opened()
    old = named(module, "x")
    users = old.users
    error = BitcodecError("broken")

    def broken(_self: Function) -> None:
        raise error

    monkeypatch.setattr(Function, "read_debug_records", broken)
    copy = Rewriter().duplicate(old)
    for change in (replace, replace_with, lambda _: Rewriter().merge(copy, old, moves=False)):
        with pytest.raises(BitcodecError):
            change(module)
    assert old.users == users
    assert len(function_of(module).blocks[0]) == 5
    with pytest.raises(BitcodecError):
        named(module, "y").erase_from_parent()
    assert named(module, "y").parent is not None


def test_calls_keep_a_scope_when_they_are_hoisted() -> None:
    module = opened()
    function = function_of(module)
    context = module.context
    builder = Builder(function.blocks[0])
    builder.before(named(module, "y"))
    builder.debug_location = named(module, "y").debug_location
    call = builder.call(function, [builder.constant(context.types.integer(32), 1), function.arguments[1]])
    Rewriter().hoist(call, named(module, "x"))
    location = call.debug_location
    assert location is not None
    assert (location.line, location.column, location.scope) == (0, 0, function.subprogram)
    moved = named(module, "x")
    Rewriter().hoist(moved, named(module, "room"))
    assert moved.debug_location is None
