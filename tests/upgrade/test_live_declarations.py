"""Declarations of intrinsics, valid and invalid, come out as in LLVM 22."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.builder import Builder, add_block, add_function, attribute_list, new_module
from bitcodec.ir import Module, Type

DATA = Path(__file__).parents[1] / "data"

POINTER, WIDTHS = "ptr", {"i1": 1, "i8": 8, "i32": 32, "i64": 64}
PARAMETERS = ["", "ptr", "ptr i8", "ptr i8 i64", "ptr i8 i64 i1", "ptr i8 i64 i32", "i8 i8 i64 i1", "ptr ptr i64 i32"]
PARAMETERS += ["ptr ptr i64 i1"]
NAMES = ["memset.p0.i64", "memset.i64", "memset.p0i8.i64", "memset", "memset.inline.p0.i64", "memcpy.p0.p0.i64"]
NAMES += ["memcpy.p0i8.p0i8.i64", "memmove.i64", "memcpy.inline.p0.p0.i64"]


def type_of(module: Module, name: str) -> Type:
    types = module.context.types
    return types.ptr if name == POINTER else types.void if name == "void" else types.integer(WIDTHS[name])


def calling(name: str, returned: str, parameters: list[str], triple: str = "x86_64-unknown-linux-gnu") -> Module:
    """Return a module with a call of a declaration that has attributes of its own."""
    module = new_module("sample")
    module.target_triple = triple
    types = module.context.types
    kinds = [type_of(module, each) for each in parameters]
    callee = add_function(module, f"llvm.{name}", types.function(type_of(module, returned), kinds), attributes=["cold"])
    caller = add_function(module, "caller", types.function(types.void, kinds))
    builder = Builder(add_block(caller))
    constants = [module.context.constants.null(kind) for kind in kinds]
    call = builder.call(callee, [caller.arguments[0], *constants[1:]] if kinds else [])
    call.tail_kind = "tail"
    call.attributes = attribute_list(["nounwind"])
    builder.ret()
    return module


def assert_same(module: Module) -> None:
    data = bitcodec.dumps(module)
    done = ask(["llvm-dis-22", "-o", "-"], input=data)
    assert done.returncode == 0, done.stderr
    assert str(bitcodec.loads(data)).splitlines()[1:] == done.stdout.decode().splitlines()[1:]


@pytest.mark.parametrize(("name", "parameters"), [*product(NAMES, PARAMETERS)])
def test_transfers_of_any_type(name: str, parameters: str) -> None:
    assert_same(calling(name, "void", parameters.split()))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_sizes_of_objects(count: int) -> None:
    assert_same(calling("objectsize.i64.p0", "i64", ["ptr", *["i1"] * count]))


@pytest.mark.parametrize(
    ("name", "returned", "parameters"),
    [
        ("objectsize.i64.p0i8", "i64", "ptr i1 i1 i1"),
        ("ctpop.old", "i32", "i32"),
        ("bitreverse.old", "i32", "i32"),
        ("thread.pointer.p0i8", "ptr", ""),
        ("bswap.old", "i64", "i64"),
    ],
)
def test_calls_of_renamed_intrinsics(name: str, returned: str, parameters: str) -> None:
    assert_same(calling(name, returned, parameters.split()))


@pytest.mark.parametrize("name", ["dsb", "dmb", "isb", "hint", "clrex"])
def test_barriers(name: str) -> None:
    assert_same(calling(f"aarch64.{name}", "void", [] if name == "clrex" else ["i32"], "aarch64-unknown-linux-gnu"))


@pytest.mark.parametrize("is_undef", [False, True])
@pytest.mark.parametrize("is_scalable", [False, True])
def test_splats(is_undef: bool, is_scalable: bool) -> None:
    module = new_module("sample")
    types, constants = module.context.types, module.context.constants
    vector = types.vector(4, types.integer(1), is_scalable=is_scalable)
    rest = constants.undef(vector) if is_undef else constants.poison(vector)
    one = constants.insert_element(rest, constants.boolean(value=True), constants.integer(types.integer(32), 0))
    function = add_function(module, "f", types.function(vector, []))
    Builder(add_block(function)).ret(constants.shuffle_vector(one, rest, (0, 0, 0, 0)))
    assert_same(module)
    assert "splat (i1 true)" in str(module)


@pytest.mark.parametrize("name", ["control-O2-16.bc", "exceptions-O2-19.bc", "structs-i386-14.bc", "atomics-O2-22.bc"])
def test_a_module_just_opened_has_the_declarations_of_llvm(name: str) -> None:
    command = ["llvm-dis-22", "--materialize-metadata", str(DATA / name), "-o", "-"]
    done = ask(command, text=True, check=True)
    theirs = re.findall(r"^(?:define|declare)[^@\n]*@([\w.$-]+)\(", done.stdout, re.MULTILINE)
    ours = [function.name for function in bitcodec.open(DATA / name).functions]
    # LLVM keeps old intrinsics until all of their calls have been read.
    assert [found for found in theirs if found in ours] == ours
    assert all(re.match(r"llvm\.", found) for found in {*theirs} - {*ours})
