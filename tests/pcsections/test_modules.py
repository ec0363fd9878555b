"""Schemas of modules where instructions moved, where several modules are linked, where there are many functions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.errors import PCSectionsError
from bitcodec.ir.metadata import MDTuple
from bitcodec.pcsections.decoding.decode import decode_file
from bitcodec.pcsections.schemas.schema import Schema

CLANG, LLC, OPT, LLD = "clang-22", "llc-22", "opt-22", "ld.lld-22"
SOURCE = Path(__file__).with_name("sanitized.cpp")
X86 = 'target triple = "x86_64-linux-gnu"\n'


def run(*command: object) -> None:
    ask([str(each) for each in command], check=True)


def module(path: Path, text: str) -> Path:
    path.write_bytes(bitcodec.dumps(bitcodec.parse_assembly(X86 + text)))
    return path


def compiled(path: Path, *options: str) -> Path:
    run(LLC, "-filetype=obj", *options, path, "-o", path.with_suffix(".o"))
    return path.with_suffix(".o")


def linked(path: Path, *objects: Path) -> Path:
    run(LLD, "-e", "main", "--unresolved-symbols=ignore-all", *objects, "-o", path)
    return path


def schema(*paths: Path) -> Schema:
    return Schema.merged(Schema.of_module(bitcodec.open(path)) for path in paths)


INLINED = """
define internal i32 @callee(ptr %p) alwaysinline !pcsections !0 {
  %v = load volatile i32, ptr %p, !pcsections !1
  ret i32 %v
}
define i32 @main(ptr %p) !pcsections !0 {
  %v = call i32 @callee(ptr %p)
  ret i32 %v
}
!0 = !{!"s", !2}
!1 = !{!"s", !3}
!2 = !{i32 -1}
!3 = !{i32 77}
"""


def test_instructions_that_were_inlined_are_found(tmp_path: Path) -> None:
    """The schema is that of the module before."""
    before = module(tmp_path / "before.bc", INLINED)
    run(OPT, "-passes=always-inline", before, "-o", tmp_path / "after.bc")
    object_ = compiled(tmp_path / "after.bc")
    for path in (object_, linked(tmp_path / "program", object_)):
        decoded = decode_file(path, [schema(before)], lines=False)
        assert [(entry.pc.symbol, entry.aux[0].value) for entry in decoded] == [("main", -1), ("main", 77)]


def of_number(number: int) -> str:
    """Return a module whose local function has the name of others, and other constants."""
    return f"""
define internal void @same(ptr %p) noinline !pcsections !0 {{
  store volatile i32 {number}, ptr %p, !pcsections !1
  ret void
}}
define void @{"main" if not number else f"f{number}"}(ptr %p) {{
  call void @same(ptr %p)
  store volatile i8 {number}, ptr %p, !pcsections !1
  ret void
}}
!0 = !{{!"s!C", !2}}
!1 = !{{!"s", !2, !3}}
!2 = !{{i32 {1000 + number}}}
!3 = !{{i64 {number}, ptr null}}
"""


def test_programs_of_several_modules(tmp_path: Path) -> None:
    modules = [module(tmp_path / f"m{number}.bc", of_number(number)) for number in range(4)]
    objects = [compiled(path) for path in modules]
    program = linked(tmp_path / "program", *objects)
    values = Counter(
        (entry.pc.symbol, tuple(aux.value for aux in entry.aux))
        for entry in decode_file(program, [schema(*modules)], lines=False)
    )
    for number in range(4):
        name = f"f{number}" if number else "main"
        assert values["same", (1000 + number,)] == 1
        assert values["same", (1000 + number, number, 0)] + values[name, (1000 + number, number, 0)] == 2
    with pytest.raises(PCSectionsError, match="of each module that has to do with the section"):
        decode_file(program, [schema(*modules[1:])], lines=False)


def test_many_functions_in_sections_of_their_own(tmp_path: Path) -> None:
    count = 400
    text = "\n".join(
        f"define void @f{number}(ptr %p) !pcsections !{2 * number} {{\n  ret void\n}}\n"
        f'!{2 * number} = !{{!"s", !{2 * number + 1}}}\n!{2 * number + 1} = !{{i32 {number}}}'
        for number in range(count)
    )
    path = module(tmp_path / "many.bc", text)
    decoded = decode_file(compiled(path, "-function-sections"), [schema(path)], lines=False)
    assert len(decoded.sections) == count
    assert {entry.pc.symbol: entry.aux[0].value for entry in decoded} == {f"f{n}": n for n in range(count)}
    assert not decoded.is_ambiguous


def test_what_sanitizers_ask_for_is_not_taken_from_the_module(tmp_path: Path) -> None:
    """The back end adds the size of stack arguments, which the module does not have."""
    options = ["-x", "c++", "-DPART=1", "-ffreestanding", "-Wno-everything", "-O1", "-c", SOURCE]
    options += ["-fexperimental-sanitize-metadata=covered,atomics,uar", "--target=x86_64-linux-gnu"]
    path, object_ = tmp_path / "sanitized.bc", tmp_path / "sanitized.o"
    run(CLANG, *options, "-emit-llvm", "-o", path)
    run(CLANG, *options, "-o", object_)
    assert schema(path).sections == {}
    entries = list(decode_file(object_, [schema(path)], lines=False))
    assert entries == list(decode_file(object_, lines=False))
    assert any(len(entry.aux) == 2 for entry in entries)


def test_sizes_that_are_left_to_the_linker(tmp_path: Path) -> None:
    path = tmp_path / "relaxed.bc"
    text = INLINED.replace("{i32 -1}", "{i32 5, i64 600}").replace('!0 = !{!"s"', '!0 = !{!"t!C", !2, !"u"')
    path.write_bytes(bitcodec.dumps(bitcodec.parse_assembly(text)))
    object_ = compiled(path, "-mtriple=riscv64-linux-gnu", "-mattr=+relax")
    known = [f"{name}=function:i32,i64" for name in ("t!C", "u")]
    sizes = {entry.pc.symbol: entry.size for entry in decode_file(object_, known, ["t"], lines=False)}
    assert sizes == {entry.pc.symbol: entry.size for entry in decode_file(object_, known, ["u"], lines=False)}
    assert all(sizes.values())
    for entry in decode_file(object_, sections=["u"], lines=False):
        assert (
            entry.aux[0].value
            == ((sizes[entry.pc.symbol] or 0).to_bytes(4, "little") + bytes([5, 0, 0, 0, 88, 2])).hex() + "00" * 6
        )


def test_a_malformed_node_is_told_with_its_function(tmp_path: Path) -> None:
    found = bitcodec.open(module(tmp_path / "m.bc", INLINED))
    function = found.functions[1]
    function.metadata["pcsections"] = found.context.metadata.unique(MDTuple([]))
    with pytest.raises(PCSectionsError, match="@main: !pcsections: it is empty"):
        Schema.of_module(found)
