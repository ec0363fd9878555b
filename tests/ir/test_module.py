"""Modules: their lists of globals, what is read when, what is made by hand."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import bitcodec
import bitcodec.ir as model
from bitcodec import bitstream
from bitcodec.ir import DataLayout, Function, Globals, GlobalVariable, Module
from bitcodec.ir.construction.present import raw_parts

from .graph import check
from .samples import counting, new_function, new_module, new_variable

FILE = Path(__file__).with_name("globals.bc")


@pytest.fixture
def module() -> Module:
    return bitcodec.loads(FILE.read_bytes(), "file.bc")


def test_what_a_module_says_of_itself(module: Module) -> None:
    assert module.identifier == "file.bc"
    assert module.source_filename == "globals.c"
    assert module.target_triple == "x86_64-unknown-linux-gnu"
    assert str(module.data_layout) == "e-m:e-p270:32:32-p271:32:32-p272:64:64-p:64:64-i128:128"
    assert module.module_asm == "nop\n"
    assert module.producer.startswith("LLVM22")
    assert repr(module) == "<Module 'file.bc': 3 functions, 4 variables>"


def test_globals_by_position_and_name(module: Module) -> None:
    functions = module.functions
    assert isinstance(functions, Globals)
    assert isinstance(functions, Sequence)
    assert len(functions) == 3
    assert functions[0] is functions["resolver"]
    assert functions[-1].name == "personality"
    assert [found.name for found in functions[:2]] == ["resolver", "reader"]
    assert [found.name for found in reversed(functions)] == ["personality", "reader", "resolver"]
    assert functions.index(functions["reader"]) == 1
    assert functions.get("group") is None
    assert "reader" in functions
    assert "group" not in functions
    assert functions["reader"] in functions
    assert repr(functions) == "<3 functions: @resolver, @reader, @personality>"
    with pytest.raises(KeyError, match="group"):
        functions["group"]
    with pytest.raises(IndexError):
        functions[3]


def test_globals_of_all_kinds_by_name(module: Module) -> None:
    assert isinstance(module.get("reader"), Function)
    assert isinstance(module.get("group"), GlobalVariable)
    assert module.get("nothing") is None
    assert len(list(module.globals)) == 9


def test_a_list_may_change_while_it_is_walked(module: Module) -> None:
    for variable in module.global_variables:
        if not variable.is_used:
            variable.erase_from_parent()
    assert [variable.name for variable in module.global_variables] == ["group", "address"]
    check(module)


def test_bodies_are_read_when_they_are_asked_for(module: Module) -> None:
    reader, resolver = module.functions["reader"], module.functions["resolver"]
    assert not reader.is_declaration
    assert not reader.is_materialized
    assert len(reader.blocks) == 1
    assert reader.is_materialized
    assert not resolver.is_materialized
    module.materialize()
    assert resolver.is_materialized


def test_append_and_remove() -> None:
    module, other = new_module(), new_module()
    variable = new_variable(module, "x")
    with pytest.raises(ValueError, match="@x is in a module already"):
        other.append(variable)
    assert variable.parent is module
    variable.remove_from_parent()
    assert (variable.parent, variable.name, list(module.globals)) == (None, "x", [])
    new_variable(module, "x")
    module.append(variable)
    assert variable.name == "x.1"
    check(module)


def test_get_or_insert_function() -> None:
    module = counting()
    types = module.context.types
    kind = types.function(types.void, [types.ptr], is_vararg=True)
    made = module.get_or_insert_function("printf", kind)
    assert made.is_declaration
    assert module.functions["printf"] is made
    assert module.get_or_insert_function("printf", kind) is made
    with pytest.raises(TypeError, match=r"<Function @printf> is of type void \(ptr, \.\.\.\), not void \(\)"):
        module.get_or_insert_function("printf", types.function(types.void))
    with pytest.raises(TypeError, match=r"<GlobalVariable @table> is of type \[4 x i32\]"):
        module.get_or_insert_function("table", kind)
    assert [function.name for function in module.functions] == ["count", "printf"]


def test_intrinsics_have_their_attributes() -> None:
    module = new_module()
    types = module.context.types
    trap = module.get_or_insert_function("llvm.trap", types.function(types.void))
    assert trap.is_intrinsic
    assert "noreturn" in trap.attributes.for_function
    assert not new_function(module, "trap").attributes.for_function


def test_importing_the_package_imports_no_model() -> None:
    script = "import sys, bitcodec; print(sorted(name for name in sys.modules if name.startswith('bitcodec.')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    names = set(ast.literal_eval(done.stdout)) - {"bitcodec._native"}  # where an installed package has compiled modules
    parts = {"compiled_modules", "errors", "features", "on_demand", "printing", "sentences", "version"}
    assert names == {f"bitcodec.{name}" for name in parts}


def test_the_model_has_one_door() -> None:
    assert all(hasattr(model, name) for name in model.__all__)
    assert sorted(model.__all__) == sorted(set(model.__all__))
    assert {"Module", "Function", "BasicBlock", "Load", "ICmpPredicate", "Linkage", "MDNode"} <= set(model.__all__)


def test_summaries_can_be_forgotten() -> None:
    index = bitcodec.open(Path(__file__).parents[1] / "data" / "index-22.thinlto.bc")
    assert index.summary is not None
    assert raw_parts(index)
    index.drop_summaries()
    assert (index.summary, raw_parts(index)) == (None, ())


def test_symbols_are_a_mapping(module: Module) -> None:
    names = [value.name for value in module.globals if value.name]
    assert sorted(module.symbols) == sorted(module.symbols.keys()) == sorted(names)
    assert all(module.symbols[name] is value for name, value in module.symbols.items())
    assert set(module.symbols.values()) == {module.get(name) for name in names}
    with pytest.raises(KeyError):
        _ = module.symbols["nothing"]


def test_lists_of_globals_show_names() -> None:
    module = bitcodec.open(Path(__file__).parents[2] / "examples" / "hello.bc")
    assert repr(module.functions) == "<2 functions: @main, @printf>"
    assert repr(module.global_variables) == "<2 global variables: @.str, @.str.1>"
    assert repr(module.ifuncs) == "<no ifuncs>"
    assert repr(module.symbols) == "<SymbolTable of 4 names>"


def test_a_closed_module_keeps_what_was_read() -> None:
    path = Path(__file__).parents[2] / "examples" / "queue.bc"
    with bitcodec.open(path, mmap=True) as module:
        variable = next(each for each in bitcodec.open(path).global_variables if each.initializer is not None)
        variable = module.global_variables[variable.name]
        names = [function.name for function in module.functions]
        first = next(function for function in module.functions if not function.is_declaration)
        text = str(first)
        assert text
    assert [function.name for function in module.functions] == names
    assert len(first.blocks) > 0
    others = [function for function in module.functions if not function.is_materialized]
    assert others
    for read in (
        lambda: variable.initializer,
        lambda: others[0].blocks,
        lambda: str(module),
        lambda: bitcodec.dumps(module),
        module.materialize,
    ):
        with pytest.raises(bitcodec.ClosedModuleError, match=r"^the module is closed: "):
            read()  # type: ignore[no-untyped-call]
    module.close()


def test_closing_leaves_whole_modules_alone() -> None:
    path = Path(__file__).parents[2] / "examples" / "queue.bc"
    with bitcodec.open(path) as module:
        module.materialize()
    assert str(module) == str(bitcodec.open(path))
    with Module("made", DataLayout("")) as made:
        pass
    assert bitcodec.loads(bitcodec.dumps(made)).symbol_names == []


def test_a_wrapper_is_kept() -> None:
    path = Path(__file__).parents[1] / "data" / "wrapper-darwin-22.bc"
    module = bitcodec.open(path)
    assert module.wrapper is not None
    for data in (bitcodec.dumps(module), bitcodec.dumps(module, copies_unchanged=False)):
        again = bitstream.loads(data)
        assert (again.wrapper.cpu_type, again.wrapper.offset) == (module.wrapper.cpu_type, 20)
        assert len(data) % 16 == 0
        assert str(bitcodec.loads(data, module.identifier)) == str(module)
    module.wrapper = None
    assert bitstream.loads(bitcodec.dumps(module)).wrapper is None


def test_plumbing_is_private() -> None:
    public = {name for name in dir(Module) if not name.startswith("_")}
    assert {name for name in public if name.startswith("materialize")} == {"materialize"}
    assert not public & {"opened_from", "forget_summaries", "has_unread_symbols"}
    assert not public & {"growth", "kept_numbers", "raw_parts", "source"}
