"""Packages whose names are imported when they are first used: all their names can be seen, and all say the same."""

from __future__ import annotations

import ast
import importlib
import io
import pydoc
import re
from pathlib import Path

import pytest

import bitcodec
from bitcodec.errors import BitcodecError

_HELLO = Path(__file__).parents[1] / "examples" / "hello.bc"
_PACKAGES = ["bitcodec", "bitcodec.bitstream", "bitcodec.containers", "bitcodec.pcsections", "bitcodec.transforms"]


def _names_for_type_checkers(path: str) -> dict[str, str]:
    """Return the names that a file imports under `TYPE_CHECKING`, and from where."""
    (block,) = (
        node
        for node in ast.parse(Path(path).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names if alias.asname is None}


@pytest.mark.parametrize("name", _PACKAGES)
def test_names_on_demand_are_those_that_type_checkers_see(name: str) -> None:
    package = importlib.import_module(name)
    names = _names_for_type_checkers(str(package.__file__))
    assert len(names) >= 6
    assert {each: getattr(package, each) for each in names} == {
        each: getattr(importlib.import_module(home), each) for each, home in names.items()
    }
    assert set(names) <= set(package.__all__)
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match=f"^module '{name}' has no attribute 'nonsense'$"):
        _ = package.nonsense


def test_help_lists_what_one_looks_for() -> None:
    shown = pydoc.plaintext.document(bitcodec)
    for name in ("open", "loads", "save", "verify", "class Module", "dumps"):
        assert f"\n    {name}" in shown
    assert bitcodec.open.__name__ == "open"
    assert bitcodec.loads.__qualname__ == "loads"


def test_open_takes_a_path_a_file_or_bytes() -> None:
    data = _HELLO.read_bytes()
    with _HELLO.open("rb") as file:
        modules = [bitcodec.open(_HELLO), bitcodec.open(str(_HELLO)), bitcodec.open(file)]
    assert {module.identifier for module in modules} == {str(_HELLO)}
    modules += [bitcodec.open(each) for each in (data, bytearray(data), memoryview(data), io.BytesIO(data))]
    assert [module.symbol_names for module in modules] == [[".str", ".str.1", "main", "printf"]] * 7
    assert {module.identifier for module in modules[3:]} == {"<bytes>"}
    assert [module.symbol_names for module in bitcodec.open_all(io.BytesIO(data))] == [modules[0].symbol_names]


def test_errors_of_open_name_the_file(tmp_path: Path) -> None:
    assembly, cut, other = tmp_path / "a.ll", tmp_path / "cut.bc", tmp_path / "readme.txt"
    assembly.write_text("; ModuleID = 'a.c'\nsource_filename = \"a.c\"\n@x = global i32\n")
    cut.write_bytes(_HELLO.read_bytes()[:200])
    other.write_text("Read me first, please.")
    with pytest.raises(bitcodec.AssemblyError, match=rf"^{re.escape(str(assembly))}:4:1: expected value token$"):
        bitcodec.open(assembly)
    with (
        cut.open("rb") as file,
        pytest.raises(bitcodec.BitstreamError, match=rf"^{re.escape(str(cut))}: .* \(bit ") as info,
    ):
        bitcodec.open_all(file)
    assert info.value.bit_offset > 0
    with pytest.raises(BitcodecError, match=rf"^{re.escape(str(other))}: this is text, not bitcode"):
        bitcodec.open(other)
    with pytest.raises(bitcodec.AssemblyError, match=r"^<bytes>:4:1: expected value token$"):
        bitcodec.loads(assembly.read_bytes())


def test_open_says_what_it_takes() -> None:
    with pytest.raises(TypeError, match=r"^expected a path, a file that is open in binary mode, or bytes; got int$"):
        bitcodec.open(3)  # type: ignore[arg-type]
    with (
        _HELLO.open(encoding="latin-1") as file,
        pytest.raises(TypeError, match=r"^the file is open in text mode; open it in binary mode \('rb'\)$"),
    ):
        bitcodec.open(file)  # type: ignore[arg-type]
    with pytest.raises(BitcodecError):
        bitcodec.open(io.BytesIO())


def test_a_list_of_names_leaves_out_what_the_package_needs_itself() -> None:
    assert not {"TYPE_CHECKING", "annotations", "names_on_demand"} & {*dir(bitcodec)}
    assert {"open", "Module", "verify"} <= {*dir(bitcodec)}
