"""Each rule for PC sections: a file that breaks it, made by real compilers and linkers, and one that does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.containers.elf_file import ElfFile
from bitcodec.errors import PCSectionsError
from bitcodec.lint.pcsections.contents import changes, contents_of
from bitcodec.lint.pcsections.linter import PCLinter
from bitcodec.lint.pcsections.rules import PC_RULES
from bitcodec.pcsections import decode_file

CLANG, OLD_CLANG, LLD, BFD, LLC = "clang-22", "clang-16", "ld.lld-22", "ld.bfd", "llc-22"
SANITIZE = "-fexperimental-sanitize-metadata=covered,atomics"
ONE = "_Atomic int shared; int one(void) { return shared++; }"
TWO = "extern _Atomic int shared; int two(void) { shared = 5; return shared--; }"
EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*command: str | Path) -> None:
    ask(command, check=True)


def compiled(folder: Path, name: str, source: str, *options: str, clang: str = CLANG) -> Path:
    text = folder / f"{name}.c"
    text.write_text(source, encoding="utf-8")
    path = folder / f"{name}.o"
    common = ["-O2", "-w", "--target=x86_64-linux-gnu", SANITIZE, "-ffunction-sections"]
    run(clang, "-c", *common, *options, text, "-o", path)
    return path


@pytest.fixture
def objects(tmp_path: Path) -> list[Path]:
    return [compiled(tmp_path, "one", ONE), compiled(tmp_path, "two", TWO)]


@pytest.fixture
def program(tmp_path: Path, objects: list[Path]) -> Path:
    """Return a program that the constructors of the sanitizers read."""
    run(LLD, "-e", "one", *objects, "-o", tmp_path / "program")
    return tmp_path / "program"


def rules(linter: PCLinter, *paths: Path) -> dict[str, str]:
    """Return the message of each rule that finds something."""
    for path in paths:
        linter.add(path.read_bytes(), path.name)
    return {finding.rule: finding.message for finding in linter.report().findings}


def changed(program: Path, section: str, change: Callable[[bytearray], None]) -> Path:
    """Return a copy of a program with other bytes in a section."""
    data = bytearray(program.read_bytes())
    (own,) = [each for each in ElfFile(bytes(data)).sections if each.name == section]
    part = data[own.offset : own.offset + own.size]
    change(part)
    data[own.offset : own.offset + own.size] = part
    path = program.with_name("changed")
    path.write_bytes(data)
    return path


def test_nothing_is_wrong_with_what_compilers_make(objects: list[Path], program: Path) -> None:
    assert rules(PCLinter(), *objects) == {}
    assert rules(PCLinter(), program) == {}


def test_versions_are_mixed(tmp_path: Path, objects: list[Path]) -> None:
    old = compiled(tmp_path, "old", TWO, clang=OLD_CLANG)
    assert "one.o has version 2" in rules(PCLinter(), objects[0], old)["mixed-versions"]
    run(LLD, "-e", "one", objects[0], old, "-o", tmp_path / "mixed")
    found = rules(PCLinter(), tmp_path / "mixed")
    assert "sanmd_atomics (version 1, PCs of 4 bytes)" in found["mixed-versions"]
    assert "mixed-versions" not in rules(PCLinter(disabled=["mixed-versions"]), tmp_path / "mixed")


def test_code_models_are_mixed(tmp_path: Path, objects: list[Path]) -> None:
    large = compiled(tmp_path, "large", TWO, "-mcmodel=large")
    found = rules(PCLinter(), objects[0], large)
    assert "large.o has version 2, PCs of 8 bytes" in found["mixed-versions"]


def test_a_section_cannot_be_read(program: Path) -> None:
    def cut(section: bytearray) -> None:
        section[4:6] = b"\x80\x80"

    assert "does not fit" in rules(PCLinter(), changed(program, "sanmd_covered2", cut))["unreadable-section"]


def test_a_pc_is_within_an_instruction(program: Path) -> None:
    def move(section: bytearray) -> None:
        section[0:4] = (int.from_bytes(section[0:4], "little", signed=True) + 1).to_bytes(4, "little", signed=True)

    path = changed(program, "sanmd_atomics2", move)
    linter = PCLinter()
    assert rules(linter, path)["pc-within-instruction"].startswith("1 PC is within an instruction")
    (finding,) = [each for each in linter.report().findings if each.rule == "pc-within-instruction"]
    assert [(entry.pc.symbol, entry.place) for entry in finding.entries] == [("one", 0)]


def test_a_pc_is_in_no_function(tmp_path: Path) -> None:
    path = tmp_path / "loose.s"
    path.write_text(
        ".text\nret\n.type f,@function\nf: ret\n.size f,.-f\nret\nret\n"
        '.section sanmd_covered2,"awo",@progbits,.text\n.long f-.\n.byte 1,1\n'
        '.section sanmd_atomics2,"awo",@progbits,.text\n.long f-.\n.long f-.+2\n',
        encoding="utf-8",
    )
    run(CLANG, "--target=x86_64-linux-gnu", "-c", path, "-o", path.with_suffix(".o"))
    found = rules(PCLinter(), path.with_suffix(".o"))
    assert found == {"pc-outside-function": "1 PC is in no function"}


PRIVATE = """
target triple = "x86_64-unknown-linux-gnu"
define private void @hidden(ptr %p) !pcsections !0 {
  store volatile i32 1, ptr %p, !pcsections !1
  ret void
}
define void @f(ptr %p) {
  ret void
}
!0 = !{!"own"}
!1 = !{!"mine"}
"""


def test_private_functions_have_no_symbols(tmp_path: Path) -> None:
    path = tmp_path / "private.ll"
    path.write_text(PRIVATE, encoding="utf-8")
    run(LLC, "-filetype=obj", path, "-o", path.with_suffix(".o"))
    schemas = ["mine=instruction"]
    found = rules(PCLinter(schemas), path.with_suffix(".o"))
    assert found == {"pc-outside-function": "1 PC is in no function"}
    assert rules(PCLinter([*schemas, "own=function"]), path.with_suffix(".o")) == {}
    module = bitcodec.parse_assembly(PRIVATE)
    assert rules(PCLinter(schemas, [module]), path.with_suffix(".o")) == {}


def test_debug_information_shows_functions_without_symbols(tmp_path: Path) -> None:
    path = tmp_path / "hidden.s"
    path.write_text(
        ".text\nret\n.type f,@function\nf: ret\n.size f,.-f\n"
        '.section sanmd_atomics2,"awo",@progbits,.text\n.long .text-.\n',
        encoding="utf-8",
    )
    for options in ([], ["-g", "-fdebug-compilation-dir=."]):
        run(CLANG, "--target=x86_64-linux-gnu", *options, "-c", path, "-o", path.with_suffix(".o"))
        found = rules(PCLinter(), path.with_suffix(".o"))
        assert ("pc-outside-function" in found) is not bool(options)


def test_the_size_of_a_function_is_another_one(program: Path) -> None:
    def enlarge(section: bytearray) -> None:
        section[4] += 1

    assert list(rules(PCLinter(), changed(program, "sanmd_covered2", enlarge))) == ["unreadable-section"]


def test_an_entry_is_repeated(program: Path) -> None:
    def repeat(section: bytearray) -> None:
        first = int.from_bytes(section[0:4], "little", signed=True)
        section[4:8] = (first - 4).to_bytes(4, "little", signed=True)

    assert rules(PCLinter(), changed(program, "sanmd_atomics2", repeat))["duplicate-entry"].startswith("1 entry is")


def test_a_function_has_no_entry_of_its_own(program: Path) -> None:
    def replace(section: bytearray) -> None:
        # The second entry says what the first one says.
        first = int.from_bytes(section[0:4], "little", signed=True)
        section[6:12] = (first - 6).to_bytes(4, "little", signed=True) + section[4:6]

    found = rules(PCLinter(), changed(program, "sanmd_covered2", replace))
    assert found["function-without-entry"] == "1 function has entries here, but none in sanmd_covered2"


def test_sections_that_were_joined_are_not_kept_with_their_code(tmp_path: Path, objects: list[Path]) -> None:
    ask([BFD, "-r", *(path.name for path in objects), "-o", "joined.o"], cwd=tmp_path, check=True)
    found = rules(PCLinter(), tmp_path / "joined.o")
    assert found["section-not-kept"].startswith("it is linked to .text.one alone, but has PCs in 2 sections")


@pytest.mark.parametrize(
    ("flags", "link", "expected"),
    [("awo", "0", ["section-not-kept"]), ("awo", ".text", []), ("awoR", "0", [])],
    ids=["no link", "a link", "retained"],
)
def test_a_section_without_a_link_is_not_kept(flags: str, link: str, expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "loose.s"
    text = f'.text\n.type f,@function\nf: ret\n.size f,.-f\n.section hot,"{flags}",@progbits,{link}\n.long f-.\n'
    path.write_text(text, encoding="utf-8")
    run(CLANG, "--target=x86_64-linux-gnu", "-c", path, "-o", path.with_suffix(".o"))
    linter = PCLinter(["hot=instruction"])
    assert list(rules(linter, path.with_suffix(".o"))) == expected
    assert sum(content.entries for content in linter.report().contents.values()) == 1


def test_a_pc_is_left_to_the_loader(tmp_path: Path) -> None:
    path = tmp_path / "open.s"
    path.write_text('.text\nret\n.section hot,"awo",@progbits,.text\n.long elsewhere - .\n', encoding="utf-8")
    run(CLANG, "--target=i386-linux-gnu", "-c", path, "-o", path.with_suffix(".o"))
    run(LLD, "-m", "elf_i386", "-shared", "-z", "notext", path.with_suffix(".o"), "-o", path.with_suffix(".so"))
    found = rules(PCLinter(["hot=instruction"]), path.with_suffix(".so"))
    assert found["unresolved-relocation"] == "1 PC field has a dynamic relocation, at byte 0"
    with pytest.raises(PCSectionsError, match="a PC that is not in code"):
        PCLinter(["hot=instruction"]).add(path.with_suffix(".o").read_bytes(), "open.o")


def test_requests_are_lost(tmp_path: Path) -> None:
    module = bitcodec.open(EXAMPLES / "tagged.bc")
    run(LLC, "-filetype=obj", EXAMPLES / "tagged.bc", "-o", tmp_path / "tagged.o")
    found = rules(PCLinter(modules=[module]), tmp_path / "tagged.o")
    assert found["request-lost"].startswith("of what it requests, called is not in the file: selection keeps no nodes")
    assert "request-lost" not in rules(PCLinter(), tmp_path / "tagged.o")


def test_an_atomic_operation_requests_nothing(tmp_path: Path, objects: list[Path]) -> None:
    source = tmp_path / "two.c"
    run(
        CLANG, "-O2", "-w", SANITIZE, "--target=x86_64-linux-gnu", "-emit-llvm", "-c", source, "-o", tmp_path / "two.bc"
    )
    module = bitcodec.open(tmp_path / "two.bc")
    assert "atomic-without-request" not in rules(PCLinter(modules=[module]), objects[1])
    store = next(each for each in module.functions["two"].instructions if each.opcode == "store")
    store.pcsections = None
    found = rules(PCLinter(modules=[module]), objects[1])
    assert found["atomic-without-request"].startswith("1 atomic operation has no request for sanmd_atomics")


def test_a_section_that_nothing_refers_to(tmp_path: Path) -> None:
    module = EXAMPLES / "tagged.bc"
    run(LLC, "-filetype=obj", module, "-o", tmp_path / "tagged.o")
    run(LLD, "-e", "push", "--unresolved-symbols=ignore-all", tmp_path / "tagged.o", "-o", tmp_path / "tagged")
    found = rules(PCLinter([bitcodec.open(module)]), tmp_path / "tagged")
    assert found == {"section-not-referenced": "nothing in the program refers to it: the symbol __start_hot is missing"}


def test_identifiers_of_rules_differ() -> None:
    identifiers = [rule.identifier for rule in PC_RULES]
    assert len(set(identifiers)) == len(identifiers) == 11


def test_contents_are_counted_and_compared(program: Path, objects: list[Path]) -> None:
    before, after = (contents_of(decode_file(path).sections) for path in (objects[0], program))
    whole = decode_file(program)
    assert sum(content.entries for content in after.values()) == len(whole)
    assert sum(content.size for content in after.values()) == sum(len(section.data) for section in whole.sections)
    assert {change.row.function for change in changes(before, after)} == {"two"}
    assert list(changes(after, after)) == []
