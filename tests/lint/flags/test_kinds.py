"""Inputs for ThinLTO beside inputs for full LTO, and code that is not what its flags promise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.lint import FlagLinter, FlagReport, Severity

from .compilers import compiled

TARGET = "--target=x86_64-linux-gnu"
MAIN = "int second(int); int first(int x) { return second(x) + 1; }"
HELP = "int second(int x) { return x * 3; }"
# As clang 22 writes them with -flto=thin and -flto: ld.lld 22 links them, llvm-link 22 does not.
THIN = """target triple = "x86_64-unknown-linux-gnu"
define void @first() { ret void }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"EnableSplitLTOUnit", i32 0}
^0 = module: (path: "first.o", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "first", summaries: (function: (module: ^0, flags: (linkage: external), insts: 1)))
^2 = flags: 0
"""
FULL = """target triple = "x86_64-unknown-linux-gnu"
define void @second() { ret void }
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"ThinLTO", i32 0}
!1 = !{i32 1, !"EnableSplitLTOUnit", i32 1}
^0 = module: (path: "second.o", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "second", summaries: (function: (module: ^0, flags: (linkage: external), insts: 1)))
^2 = flags: 8
"""


def lint(*inputs: bytes) -> FlagReport:
    linter = FlagLinter(predicts_thin_lto=True)
    for number, data in enumerate(inputs):
        for part, module in enumerate(bitcodec.loads_all(data, f"{number}.o")):
            linter.add(module, f"{number}.o{part or ''}")
    return linter.report()


def texts(*inputs: str) -> list[bytes]:
    return [bitcodec.dumps(bitcodec.parse_assembly(text.encode())) for text in inputs]


def test_both_kinds_of_lto_link() -> None:
    for inputs in (texts(THIN, FULL), texts(FULL, THIN)):
        report = lint(*inputs)

        assert {(each.subject, each.severity) for each in report.findings} == {
            ("ThinLTO", Severity.NOTE),
            ("EnableSplitLTOUnit", Severity.NOTE),
        }
        assert not any(each.fix.steps for each in report.findings)
        assert [each.is_stopped for each in report.predictions] == [True, False]


def test_type_tests_make_it_an_error() -> None:
    tested = FULL.replace("^0 = module", "declare i1 @llvm.type.test(ptr, metadata)\n^0 = module")
    report = lint(*texts(THIN, tested))

    assert ("EnableSplitLTOUnit", Severity.ERROR) in {(each.subject, each.severity) for each in report.findings}


def test_one_kind_of_lto_stops() -> None:
    report = lint(*texts(FULL, FULL.replace("second", "third").replace('Unit", i32 1', 'Unit", i32 0')))

    assert ("EnableSplitLTOUnit", Severity.ERROR) in {(each.subject, each.severity) for each in report.findings}


def test_wide_characters_stay_wrong_between_kinds() -> None:
    flag = '!2 = !{i32 1, !"wchar_size", i32 %d}\n^0'
    thin = THIN.replace("!{!0}", "!{!0, !2}").replace("^0", flag % 4, 1)
    full = FULL.replace("!{!0, !1}", "!{!0, !1, !2}").replace("^0", flag % 2, 1)
    (found,) = [each for each in lint(*texts(thin, full)).findings if each.subject == "wchar_size"]

    assert (found.severity, found.result) == (Severity.ERROR, "")
    assert "linkers do not compare them" in found.message


def linked(folder: Path, *inputs: bytes) -> str:
    """Return the errors of LLD for a shared library."""
    names = [f"{number}.o" for number in range(len(inputs))]
    for name, data in zip(names, inputs, strict=True):
        (folder / name).write_bytes(data)
    errors: str = ask(["ld.lld-22", "-shared", "-o", os.devnull, *names], cwd=folder, text=True).stderr
    return errors


@pytest.mark.parametrize("options", [("-flto", "-flto=thin"), ("-flto=thin", "-flto")])
def test_lld_links_both_kinds(tmp_path: Path, options: tuple[str, str]) -> None:
    inputs = [
        compiled(22, (TARGET, "-fPIC", "-O2", option), "c", source)
        for option, source in zip(options, (MAIN, HELP), strict=True)
    ]
    found = [each for each in inputs if each is not None]

    assert linked(tmp_path, *found) == ""
    assert all(each.severity is Severity.NOTE for each in lint(*found).findings)


@pytest.mark.parametrize("version", [14, 19, 22])
def test_setting_the_level_of_position_independence_is_found(tmp_path: Path, version: int) -> None:
    source = "extern int counter; int bump(void) { return ++counter; }"
    fixed = compiled(version, (TARGET, "-O1", "-fPIC"), "c", source)
    static = compiled(version, (TARGET, "-O1", "-fno-pic"), "c", source)
    assert fixed
    assert static
    module = bitcodec.loads(static)
    module.flags.set("PIC Level", 2, bitcodec.flags.Behavior.MIN)
    changed = bitcodec.dumps(module, llvm_version=22)

    assert "recompile with -fPIC" in linked(tmp_path, changed)
    assert [each.rule for each in lint(changed).findings] == ["static-code"]
    assert linked(tmp_path, fixed) == ""
    assert lint(fixed).findings == ()


def test_both_parts_of_a_split_unit_are_for_thin_lto() -> None:
    thin, part = (text.replace("second", "first").replace('Unit", i32 0', 'Unit", i32 1') for text in (THIN, FULL))
    thin, part = (f'source_filename = "first.cc"\n{text}' for text in (thin, part))
    data = texts(thin, part.replace("@first", "@vtable").replace('"first", sum', '"vtable", sum'))

    linter = FlagLinter()
    for each in data:
        linter.add(bitcodec.loads(each, "first.o"))
    assert linter.report().findings == ()
    assert [each.subject for each in lint(*data).findings] == ["ThinLTO"]
