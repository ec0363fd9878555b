"""Links that fail: LLVM's words, both files and what both have; the same from a link and from `--dry-run`."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers import ask
from cli.running import run

USED = '@llvm.used = appending global [1 x ptr] [ptr @{name}], section "llvm.metadata"\n@{name} = global i32 1\n'
LIST = "@list = appending {} [1 x {}] [{} {}]{}\n"
GROUP = "$c = comdat {}\n@c = global {}, comdat\n"
FUNCTION = "$c = comdat {}\ndefine void @c() comdat {{\n  ret void\n}}\n"
FLAG = '!llvm.module.flags = !{{!0}}\n!0 = !{{i32 {}, !"{}", i32 {}}}\n'

CONFLICTS = {
    "definitions": (
        "define void @f() {\n  ret void\n}\n",
        "@f = global i32 1\n",
        "Linking globals named 'f': symbol multiply defined!",
        "external definition in {a}, external definition in {b}",
    ),
    "an alias": (
        "@x = global i32 1\n@f = alias i32, ptr @x\n",
        "@f = global i32 1\n",
        "Linking globals named 'f': symbol multiply defined!",
        "external definition in {a}, external definition in {b}",
    ),
    "not appending": (
        LIST.format("global", "i32", "i32", 1, ""),
        "@list = global [1 x i32] [i32 1]\n",
        "Linking globals named 'list': can only link appending global with another appending global!",
        "appending variable in {a}, external definition in {b}",
    ),
    "constants": (
        LIST.format("global", "i32", "i32", 1, ""),
        LIST.format("constant", "i32", "i32", 1, ""),
        "Appending variables linked with different const'ness!",
        "@list: no constant in {a}, constant in {b}",
    ),
    "alignments": (
        LIST.format("global", "i32", "i32", 1, ", align 8"),
        LIST.format("global", "i32", "i32", 1, ""),
        "Appending variables with different alignment need to be linked!",
        "@list: align 8 in {a}, no alignment in {b}",
    ),
    "sections": (
        LIST.format("global", "i32", "i32", 1, ', section "s"'),
        LIST.format("global", "i32", "i32", 1, ""),
        "Appending variables with different section name need to be linked!",
        '@list: section "s" in {a}, no section in {b}',
    ),
    "element types": (
        LIST.format("global", "i32", "i32", 1, ""),
        LIST.format("global", "i64", "i64", 1, ""),
        "Appending variables with different element types!",
        "@list: elements of type i32 in {a}, elements of type i64 in {b}",
    ),
    "selection kinds": (
        GROUP.format("any", "i32 1"),
        GROUP.format("exactmatch", "i32 1"),
        "Linking COMDATs named 'c': invalid selection kinds!",
        "comdat any in {a}, comdat exactmatch in {b}",
    ),
    "contents": (
        GROUP.format("exactmatch", "i32 1"),
        GROUP.format("exactmatch", "i32 2"),
        "Linking COMDATs named 'c': ExactMatch violated!",
        "@c = i32 1 in {a}, @c = i32 2 in {b}",
    ),
    "sizes": (
        GROUP.format("samesize", "i8 1"),
        GROUP.format("samesize", "i64 1"),
        "Linking COMDATs named 'c': SameSize violated!",
        "@c of 1 byte in {a}, @c of 8 bytes in {b}",
    ),
    "a comdat of a function": (
        GROUP.format("largest", "i32 1"),
        FUNCTION.format("largest"),
        "Linking COMDATs named 'c': GlobalVariable required for data dependent selection!",
        "comdat largest of a variable in {a}, comdat largest of no variable in {b}",
    ),
    "flags": (
        FLAG.format(1, "wchar_size", 4),
        FLAG.format(1, "wchar_size", 2),
        "linking module flags 'wchar_size': IDs have conflicting values: 'i32 2' from {b}, and 'i32 4' from llvm-link",
        "i32 4 in {a}, i32 2 in {b}",
    ),
}


@pytest.mark.parametrize("conflict", CONFLICTS.values(), ids=CONFLICTS)
def test_both_sides_are_named(conflict: tuple[str, str, str, str], tmp_path: Path) -> None:
    paths = tmp_path / "a.ll", tmp_path / "b.ll"
    for path, text in zip(paths, conflict, strict=False):
        path.write_text(text)
    names = dict(zip("ab", paths, strict=True))
    message, detail = (text.format(**names) for text in conflict[2:])
    for options in (["-S", "-o", "-"], ["--dry-run"]):
        done = run("link", *paths, *options)
        assert done.exit_code == 1
        lines = [line for line in done.stderr.splitlines() if not line.startswith("  fix: ")]
        assert lines == [f"error: {message}", f"  {detail}"]
    done_by_llvm = ask(["llvm-link-22", "-S", *paths, "-o", "-"], text=True)
    assert done_by_llvm.stderr == f"error: {message}\n"


def test_all_conflicts_are_listed_behind_that_of_appending_variables(tmp_path: Path) -> None:
    texts = [
        USED.format(name="x"),
        USED.format(name="y").replace(', section "llvm.metadata"', ""),
        "@x = global i32 1\n",
    ]
    paths = [tmp_path / f"{number}.ll" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    errors = [line for line in run("link", *paths, "-o", "-").stderr.splitlines() if line.startswith("error: ")]
    assert errors == [
        "error: Appending variables with different section name need to be linked!",
        "error: Linking globals named 'x': symbol multiply defined!",
    ]


def test_the_larger_comdat_is_the_one_that_others_are_compared_with(tmp_path: Path) -> None:
    sizes = [tmp_path / "a.ll", tmp_path / "b.ll", tmp_path / "c.ll"]
    for path, content in zip(sizes, ("i8 1", "i64 1", "i32 1"), strict=True):
        path.write_text(GROUP.format("largest", content))
    for options in (["-S", "-o", "-"], ["--dry-run"]):
        assert run("link", *sizes, *options).exit_code == 0
