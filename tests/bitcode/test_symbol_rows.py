"""What linkers need of symbols is the same from records as from globals."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec import BitcodeError
from bitcodec.ir.construction.present import unread_symbols
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.sources import LinkerSymbols, SymbolRow
from bitcodec.linker.comdats import comdat_of
from bitcodec.symbols.base_objects import BaseObjects

DATA = Path(__file__).parents[1] / "data"
FILES = sorted(DATA.glob("*.bc"))
TEXT = """
$c = comdat any
$d = comdat largest
@llvm.used = appending global [1 x ptr] [ptr @v], section "llvm.metadata"
@v = dllexport global i32 1, comdat($c)
@"caf\\C3\\A9" = weak_odr hidden constant i32 1, comdat($d)
@e = extern_weak global i32
@i = external dllimport global i32
@p = private global i32 1
@0 = global i32 1
@a = alias i32, ptr @v
@b = weak alias i32, ptr @a
@x = alias i8, getelementptr (i8, ptr @v, i64 1)
@r = ifunc void (), ptr @resolver
define linkonce_odr void @f() comdat($c) {
  ret void
}
define internal ptr @resolver() {
  ret ptr @f
}
declare void @g()
declare dso_local void @direct()
declare hidden void @hidden()
@maybe = extern_weak protected global i32
define available_externally void @h() {
  ret void
}
"""


def of_globals(module: bitcodec.Module) -> LinkerSymbols:
    bases = BaseObjects()
    rows = []
    for value in module.globals:
        if value.name and not value.linkage.is_local:
            comdat = comdat_of(value, bases)
            name = "" if comdat is None else comdat.name
            properties = value.name, value.linkage, value.is_declaration, value.dll_storage_class
            seen = value.visibility, value.is_dso_local
            rows.append(SymbolRow(*properties, *seen, name, None))
    return LinkerSymbols(rows, {name: comdat.selection_kind for name, comdat in module.comdats.items()})


def of_records(module: bitcodec.Module) -> LinkerSymbols:
    symbols = unread_symbols(module)
    assert symbols is not None
    return symbols._replace(rows=[row._replace(variable=None) for row in symbols.rows])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files(path: Path) -> None:
    for module, other in zip(bitcodec.open_all(path), bitcodec.open_all(path), strict=True):
        found, expected = of_records(module), of_globals(other)
        unknown = {row.name for row in found.rows if row.comdat is None}
        # Intrinsics get other names when they are read, or vanish.
        assert [row for row in found.rows if row.name not in unknown and not row.name.startswith("llvm.")] == [
            row for row in expected.rows if row.name not in unknown and not row.name.startswith("llvm.")
        ]
        assert found.comdats == expected.comdats


def test_every_property() -> None:
    data = bitcodec.dumps(bitcodec.parse_assembly(TEXT))
    module = bitcodec.loads(data)
    found, expected = of_records(module), of_globals(bitcodec.loads(data))
    comdats = {row.name: row.comdat for row in found.rows}
    assert comdats["x"] is None
    assert comdats["b"] == comdats["a"] == comdats["f"] == "c"
    assert [row for row in found.rows if row.name != "x"] == [row for row in expected.rows if row.name != "x"]
    assert list(found.comdats.items()) == list(expected.comdats.items())


def test_appending_variables_belong_to_no_module() -> None:
    module = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(TEXT)))
    symbols = unread_symbols(module)
    assert symbols is not None
    made = {row.name: row.variable for row in symbols.rows if row.variable is not None}
    assert made.keys() == {"llvm.used"}
    assert isinstance(made["llvm.used"], GlobalVariable)
    assert (made["llvm.used"].section, made["llvm.used"].parent) == ("llvm.metadata", None)
    assert module.global_variables["llvm.used"] is not made["llvm.used"]
    assert unread_symbols(module) is None


def test_malformed_symbols_are_refused() -> None:
    """Bytes are inverted: what is said is an error of the file, or nothing."""
    data = bitcodec.dumps(bitcodec.parse_assembly(TEXT))
    refused = 0
    for byte in range(0, len(data), 5):
        try:
            module = bitcodec.loads(data[:byte] + bytes([data[byte] ^ 0xFF]) + data[byte + 1 :])
        except bitcodec.BitcodecError:
            continue
        try:
            unread_symbols(module)
        except BitcodeError:
            refused += 1
    assert refused


def test_aliases_of_aliases() -> None:
    lines = [f"@a{number} = alias i32, ptr @a{number - 1}" for number in reversed(range(1, 100))]
    text = "\n".join(["$a0 = comdat any", "@a0 = global i32 1, comdat", *lines])
    module = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text)))
    assert {row.comdat for row in of_records(module).rows} == {"a0"}
