"""Names: each once, numbered as LLVM numbers them."""

from __future__ import annotations

import pytest

from bitcodec.ir import BinaryOperator, Module, Return, SymbolTable

from .graph import check
from .samples import new_block, new_function, new_module, new_variable

try:
    import llvmlite.binding as llvm
except ImportError:  # pragma: no cover - the test skips where it is not
    llvm = None

SAMPLE = """
@g = global i32 0
@g.1 = global i32 1
define void @f(i32 %x, i32 %x1) {
  %y = add i32 %x, 1
  ret void
}
"""
LOCALS = ["x", "x1", "", "x", "x1", "y", "x", "n" * 1100, "n" * 1030, "\u00e9" * 600, "\u00e9" * 513, "x"]
GLOBALS = ["g", "g", "g.1", "", "g.1", "n" * 1100]


def sample() -> Module:
    module = new_module()
    types, constants = module.context.types, module.context.constants
    i32 = types.integer(32)
    new_variable(module, "g")
    new_variable(module, "g.1")
    function = new_function(module, "f", types.void, (i32, i32))
    x, x1 = function.arguments
    x.name, x1.name = "x", "x1"
    block = new_block(function)
    y = BinaryOperator("add", x, constants.integer(i32, 1))
    block.append(y)
    y.name = "y"
    block.append(Return(types.void))
    return module


def renamed() -> list[str]:
    """Return the names that values have after being renamed again and again."""
    module = sample()
    (function,) = module.functions
    values = [*function.arguments, function.blocks[0].instructions[0]]
    found = []
    for index, name in enumerate(LOCALS):
        values[index % 3].name = name
        found.append(values[index % 3].name)
    for index, name in enumerate(GLOBALS):
        module.global_variables[index % 2].name = name
        found.append(module.global_variables[index % 2].name)
    check(module)
    module.target_triple = "nvptx64-nvidia-cuda"
    module.global_variables[0].name = module.global_variables[1].name
    return [*found, module.global_variables[0].name]


@pytest.mark.skipif(llvm is None, reason="llvmlite is not installed")
def test_names_are_those_that_llvm_gives() -> None:
    module = llvm.parse_assembly(SAMPLE, llvm.create_context())
    (function,), variables = module.functions, list(module.global_variables)
    values = [*function.arguments, next(iter(next(iter(function.blocks)).instructions))]
    found = []
    for index, name in enumerate(LOCALS):
        values[index % 3].name = name
        found.append(name_of(values[index % 3]))
    for index, name in enumerate(GLOBALS):
        variables[index % 2].name = name
        found.append(name_of(variables[index % 2]))
    module.triple = "nvptx64-nvidia-cuda"
    variables[0].name = name_of(variables[1])

    assert renamed() == [*found, name_of(variables[0])]


def name_of(value: object) -> str:
    return bytes(llvm.ffi.lib.LLVMPY_GetValueName(value) or b"").decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("separator", "names"),
    [("", ["x", "x1", "x2", "x13"]), (".", ["x", "x.1", "x.2", "x1"])],
)
def test_numbers(separator: str, names: list[str]) -> None:
    module = sample()
    values = [*module.functions["f"].arguments, *module.global_variables]
    table = SymbolTable(separator)
    for value, name in zip(values, ["x", "x", "x", "x1"], strict=True):
        value._name = name
        table.enter(value)
    assert [value._name for value in values] == names


def test_a_table_is_a_collection() -> None:
    module = sample()
    symbols = module.functions["f"].symbols
    assert len(symbols) == 3
    assert list(symbols) == ["x", "x1", "y"]
    assert "x" in symbols
    assert "z" not in symbols
    assert symbols.get("x") is module.functions["f"].arguments[0]
    assert symbols.get("z") is None
    symbols.clear()
    assert len(symbols) == 0


def test_a_name_is_free_again_when_its_value_has_another() -> None:
    (function,) = sample().functions
    x, x1 = function.arguments
    x.name = "z"
    x1.name = "x"
    assert (x.name, x1.name) == ("z", "x")
    x1.name = ""
    x.name = "x"
    assert (x.name, x1.name) == ("x", "")
    assert list(function.symbols) == ["y", "x"]
