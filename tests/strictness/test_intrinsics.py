"""Old intrinsics of other types get ordinary names, of the same length."""

from __future__ import annotations

import bitcodec
from bitcode.streams import function, function_type, integer, module, record, stream, strtab, types, value_symtab
from strictness.intrinsics import without_unfit_intrinsics

TYPES = types(integer(32), function_type(0), function_type(0, 0))
OLD = value_symtab({0: "llvm.ctpop_i32", 1: "f"})


def with_tables(ctpop: int) -> bytes:
    """Return an old module; `llvm.ctpop_i32` has the type of that number."""
    return stream(module(TYPES, function(ctpop), function(1), OLD))


def with_strings(ctpop: int) -> bytes:
    """Return a module with a string table; `llvm.ctpop_i32` has the type of that number."""
    functions = [record(8, 0, 14, ctpop, 0, 1, *[0] * 12), record(8, 14, 1, 1, 0, 1, *[0] * 12)]
    return stream(module(TYPES, *functions, version=2), strtab("llvm.ctpop_i32f"))


def test_an_intrinsic_of_another_type_has_another_name() -> None:
    for made in (with_tables, with_strings):
        renamed = without_unfit_intrinsics(made(1), made(2))
        assert renamed is not None
        assert len(renamed) == len(made(1))
        assert [one.name for one in bitcodec.loads(renamed).functions] == ["lxvm.ctpop_i32", "f"]


def test_intrinsics_of_the_original_are_kept() -> None:
    for made in (with_tables, with_strings):
        assert without_unfit_intrinsics(made(2), made(2)) is None
        assert without_unfit_intrinsics(b"BC", made(2)) is None


def test_intrinsics_of_today_are_kept() -> None:
    today = value_symtab({0: "llvm.ctpop.i32", 1: "f"})
    made, original = (stream(module(TYPES, function(type_), function(1), today)) for type_ in (1, 2))
    assert without_unfit_intrinsics(made, original) is None
