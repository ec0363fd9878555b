"""Variables, aliases, ifuncs and comdats: of a file that is read when it is asked for, and made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir import (
    Comdat,
    ConstantDataArray,
    GlobalAlias,
    GlobalIFunc,
    GlobalValue,
    GlobalVariable,
    Instruction,
    Linkage,
    Module,
    SelectionKind,
    ThreadLocalMode,
    UndefValue,
    Visibility,
)

from .graph import check, picture
from .samples import counting, new_variable

FILE = Path(__file__).with_name("globals.bc")
WEAK_AND_HIDDEN = ("weak", "hidden", "", True)


@pytest.fixture
def module() -> Module:
    return bitcodec.loads(FILE.read_bytes())


def test_variables(module: Module) -> None:
    match list(module.global_variables):
        case [
            GlobalVariable(
                "group", is_constant=True, alignment=1, comdat=Comdat("group", SelectionKind.LARGEST)
            ) as group,
            GlobalVariable("address", linkage=Linkage.INTERNAL, is_constant=False),
            GlobalVariable("outside", is_declaration=True, initializer=None, is_thread_local=True) as outside,
            GlobalVariable("mixed", initializer=UndefValue()),
        ]:
            assert group.linkage is Linkage.LINKONCE_ODR
            assert outside.thread_local_mode is ThreadLocalMode.GENERAL_DYNAMIC
        case other:
            pytest.fail(repr(other))


def test_initializer(module: Module) -> None:
    match module.global_variables["group"].initializer:
        case ConstantDataArray(b"ab\0") as text:
            assert len(text) == 3
        case other:
            pytest.fail(repr(other))


def test_alias_and_ifunc(module: Module) -> None:
    (alias,), (indirect,) = module.aliases, module.ifuncs
    assert isinstance(alias, GlobalAlias)
    assert isinstance(indirect, GlobalIFunc)
    assert alias.aliasee is module.global_variables["group"]
    assert indirect.resolver is module.functions["resolver"]
    assert str(indirect.value_type) == "void ()"


@pytest.mark.parametrize("name", ["group", "reader", "indirect"])
def test_metadata_of_all_that_can_have_it(module: Module, name: str) -> None:
    (node,) = module.named_metadata["named"].operands
    assert module.get(name).metadata == {"kind": node}  # type: ignore[union-attr]


def test_users_are_found_in_what_was_not_read_yet(module: Module) -> None:
    group, reader = module.global_variables["group"], module.functions["reader"]
    assert not reader.is_materialized
    users = group.users
    assert reader.is_materialized
    assert {user.name or type(user).__name__ for user in users} == {"ConstantGetElementPtr", "alias", "loaded"}
    assert {user.opcode for user in reader.users if isinstance(user, Instruction)} == {"ret", "store"}
    assert module.functions["personality"].users == (reader,)
    check(module)


def test_users_of_a_constant_are_found_too() -> None:
    data = (Path(__file__).parent / "instructions" / "every.bc").read_bytes()
    module = bitcodec.loads(data)
    caller = module.functions["landing"]
    landing = caller.blocks[1].instructions[0]
    (_, aggregate) = landing.operands
    assert landing in aggregate.users
    assert all(function.is_materialized for function in module.functions)


def test_replacing_reads_all_first(module: Module) -> None:
    other = new_variable(module, "other")
    module.global_variables["group"].replace_all_uses_with(other)
    assert module.aliases["alias"].aliasee is other
    assert module.functions["reader"].blocks[0].instructions[0].operands == (other,)
    assert module.global_variables["address"].initializer.operands[0] is other  # type: ignore[union-attr]
    check(module)


def test_removing_reads_all_first(module: Module) -> None:
    group = module.global_variables["group"]
    users = set(group.users)
    fresh = bitcodec.loads(FILE.read_bytes())
    fresh.global_variables["group"].remove_from_parent()
    assert all(function.is_materialized for function in fresh.functions)
    assert len(users) == 3
    assert fresh.get("group") is None


def test_erase(module: Module) -> None:
    group = module.global_variables["group"]
    before = picture(module)
    with pytest.raises(ValueError, match="@group is still used by"):
        group.erase_from_parent()
    assert picture(module) == before


def test_erase_what_only_dead_constants_use() -> None:
    module = counting()
    variable = new_variable(module, "variable", module.context.types.ptr)
    variable.initializer = variable
    module.context.constants.cast("ptrtoint", variable, module.context.types.integer(64))
    wrapper = module.context.metadata.value(variable)
    assert len(variable.users) == 2
    variable.erase_from_parent()
    assert (variable.parent, variable.operands, variable.users) == (None, (), ())
    assert wrapper.value is None
    check(module)


def test_setting_what_a_global_holds() -> None:
    module = counting()
    types, constants = module.context.types, module.context.constants
    table, alias = module.global_variables["table"], module.aliases["alias"]
    with pytest.raises(TypeError, match=r"@table holds a \[4 x i32\], not a i32"):
        table.initializer = constants.integer(types.integer(32), 1)
    with pytest.raises(TypeError, match=r"@table holds a \[4 x i32\], not a ptr"):
        table.set_operand(0, table)
    with pytest.raises(TypeError, match="expected a constant"):
        alias.set_operand(0, module.functions["count"].arguments[1])
    alias.aliasee = table
    assert alias in table.users
    table.initializer = None
    assert table.is_declaration
    check(module)


@pytest.mark.parametrize(
    ("assignments", "expected"),
    [
        ({"linkage": "internal"}, ("internal", "default", "", True)),
        ({"linkage": Linkage.PRIVATE}, ("private", "default", "", True)),
        ({"visibility": "hidden"}, ("external", "hidden", "", True)),
        ({"visibility": "protected", "linkage": "internal"}, ("internal", "default", "", True)),
        ({"dll_storage_class": "dllexport", "linkage": "internal"}, ("internal", "default", "", True)),
        ({"linkage": "extern_weak", "visibility": "hidden"}, ("extern_weak", "hidden", "", False)),
        ({"linkage": "extern_weak", "visibility": "hidden", "linkage ": "weak"}, WEAK_AND_HIDDEN),
        ({"linkage": "weak", "visibility": "default"}, ("weak", "default", "", False)),
    ],
)
def test_linkage_and_visibility_imply_dso_local(
    module: Module, assignments: dict[str, object], expected: tuple[object, ...]
) -> None:
    variable = new_variable(module, "v")
    for name, value in assignments.items():
        setattr(variable, name.strip(), value)
    found = (variable.linkage, variable.visibility, variable.dll_storage_class)
    assert (*(each.spelling for each in found), variable.is_dso_local) == expected


def test_constructors_imply_dso_local(module: Module) -> None:
    types = module.context.types
    assert GlobalVariable(types.ptr, types.ptr, Linkage.INTERNAL).is_dso_local
    assert not GlobalVariable(types.ptr, types.ptr, Linkage.WEAK).is_dso_local


def test_local_linkage_permits_no_visibility(module: Module) -> None:
    variable = new_variable(module, "v")
    variable.linkage = Linkage.INTERNAL
    with pytest.raises(ValueError, match=r"visibility of @v must be default: its linkage is internal"):
        variable.visibility = "hidden"
    assert variable.visibility is Visibility.DEFAULT


def test_names_are_one_to_a_module(module: Module) -> None:
    variable = new_variable(module, "reader")
    assert variable.name == "reader.1"
    assert module.get("reader.1") is variable
    variable.name = "alias"
    assert variable.name == "alias.2"
    module.functions["reader"].name = ""
    assert "reader" not in module.functions
    check(module)


def test_what_globals_show(module: Module) -> None:
    assert list(map(repr, module.globals)) == [
        "<GlobalVariable @group>",
        "<GlobalVariable @address>",
        "<GlobalVariable @outside>",
        "<GlobalVariable @mixed>",
        "<Function @resolver>",
        "<Function @reader>",
        "<Function @personality>",
        "<GlobalAlias @alias>",
        "<GlobalIFunc @indirect>",
    ]
    assert repr(module.comdats["group"]) == "<Comdat group largest>"
    assert all(isinstance(value, GlobalValue) and str(value.type) == "ptr" for value in module.globals)
    assert module.global_variables["group"].address_space == 0
