"""Names that nobody outside needs go, the others stay."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.builder import (
    Builder,
    add_alias,
    add_block,
    add_function,
    add_named_metadata,
    add_struct,
    add_variable,
    metadata_node,
)
from bitcodec.ir.type_finder import TypeFinder
from bitcodec.transforms import strip_names

from .samples import DATA, add_caller, queue, small_module, text_of


def test_local_symbols_have_none() -> None:
    module = queue()
    local = [value for value in module.globals if value.linkage.is_local]
    others = {value.name for value in module.globals} - {value.name for value in local}
    assert local
    strip_names(module)
    assert {value.name for value in module.globals} == {"", *others}
    assert [value.name for value in local] == [""] * len(local)
    text_of(module)


def test_locals_have_none() -> None:
    module = small_module()
    i32 = module.context.types.integer(32)
    function = add_function(module, "f", module.context.types.function(i32, [i32]), argument_names=["x"])
    builder = Builder(add_block(function, "entry"))
    (argument,) = function.arguments
    builder.ret(builder.add(argument, 1, name="sum"))
    strip_names(module)
    assert str(function) == "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  ret i32 %2\n}"
    assert len(function.symbols) == 0


def test_what_is_used_by_others_keeps_its_name() -> None:
    module = small_module()
    types = module.context.types
    known = add_caller(module, "known")
    seen = add_variable(module, "seen", types.integer(8), 0, linkage="internal")
    hidden = add_variable(module, "hidden", types.integer(8), 0, linkage="internal")
    other = add_alias(module, "other", hidden, linkage="internal")
    used = add_variable(module, "llvm.used", types.array(1, types.ptr), [seen], linkage="appending")
    strip_names(module)
    assert [value.name for value in (known, seen, hidden, other, used)] == ["known", "seen", "", "other", "llvm.used"]


def test_structs_have_none_wherever_they_are_mentioned() -> None:
    module = small_module()
    types = module.context.types
    names = "variable", "parameter", "attribute", "alloca", "gep", "part", "constant", "named"
    structs = {name: add_struct(module, name, [types.integer(8)]) for name in names}
    outer = add_struct(module, "outer", [types.array(2, structs["part"])])
    pointed = add_variable(module, "v", structs["variable"], [0])
    add_variable(module, "outer", outer, module.context.constants.null(outer))
    function = add_function(
        module,
        "f",
        types.function(types.void, [structs["parameter"], types.ptr]),
        parameter_attributes={1: [("byval", structs["attribute"])]},
    )
    builder = Builder(add_block(function))
    builder.alloca(structs["alloca"])
    builder.getelementptr(structs["gep"], function.arguments[1], [0, 0])
    builder.extractvalue(module.context.constants.undef(structs["constant"]), 0)
    builder.ret()
    node = metadata_node(module, module.context.constants.undef(structs["named"]), pointed)
    add_named_metadata(module, "mentions", node)
    finder = TypeFinder()
    finder.find_in(module)
    assert set(finder.structs) == {*structs.values(), outer}
    strip_names(module)
    assert {struct.name for struct in (*structs.values(), outer)} == {""}
    assert text_of(module).count(" = type ") == len(structs) + 1


@pytest.mark.parametrize("name", ["ir_types-22.bc", "structs-i386-14.bc", "exceptions-O2-19.bc", "control-O2-16.bc"])
def test_what_is_written_is_what_is_there(name: str) -> None:
    module = bitcodec.open(DATA / name)
    strip_names(module)
    assert " = type opaque" in text_of(module) or name != "ir_types-22.bc"
