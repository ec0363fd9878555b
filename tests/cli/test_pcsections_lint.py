"""`pcsections lint` and `pcsections diff`: what they print, and what they end with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.cli.linting import SEVERITIES
from bitcodec.lint import PC_RULES, PCLinter, Severity
from containers.builders import gnu_archive

from .documents import document
from .running import run, succeed

SOURCE = "_Atomic int shared; int one(void) { return shared++; }"

pytestmark = pytest.mark.same_in_both


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an object of a new and one of an old clang, and an archive of both."""
    place = tmp_path_factory.mktemp("lint")
    (place / "one.c").write_text(SOURCE, encoding="utf-8")
    options = ["-O2", "-g", "--target=x86_64-linux-gnu", "-fexperimental-sanitize-metadata=covered,atomics"]
    options.append("-ffile-compilation-dir=src")
    for clang, name in (("clang-22", "new.o"), ("clang-16", "old.o")):
        ask([clang, *options, "-c", "one.c", "-o", name], cwd=place, check=True)
    members = [(name, (place / name).read_bytes()) for name in ("new.o", "old.o")]
    (place / "both.a").write_bytes(gnu_archive(*members))
    return place


def test_without_findings(folder: Path) -> None:
    lines = succeed("pcsections", "lint", folder / "new.o").decode().splitlines()
    assert [line.split() for line in lines[:-1]] == [
        ["section", "of", "entries", "bytes"],
        ["sanmd_covered2", "functions", "1", "6"],
        ["sanmd_atomics2", "instructions", "1", "4"],
    ]
    assert lines[-1] == "1 file: no findings"
    assert "one" in succeed("pcsections", "lint", "--sizes", folder / "new.o").decode()


def test_findings_explain_themselves(folder: Path) -> None:
    result = run("pcsections", "lint", folder / "both.a")
    assert result.exit_code == 1
    assert "sanitizers: error: the files have sections of different versions" in result.stdout
    assert "fix: Compile all sources with one version of clang" in result.stdout
    assert result.stdout.endswith("2 files: 1 error\n")


def test_options_choose_rules_and_exit_codes(folder: Path) -> None:
    assert run("pcsections", "lint", folder / "both.a", "--disable", "mixed-versions").exit_code == 0
    assert run("pcsections", "lint", folder / "both.a", "--json", "--sarif", "-").exit_code == 2
    assert run("pcsections", "lint", folder / "both.a", "--error-on", "note").exit_code == 1
    assert "unknown rule" in run("pcsections", "lint", folder / "both.a", "--disable", "nothing").stderr
    listed = succeed("pcsections", "lint", "--list-rules").decode().splitlines()
    assert [line.split()[0] for line in listed[1:]] == [rule.identifier for rule in PC_RULES]
    assert [severity.value for severity in Severity] == list(SEVERITIES)


def test_documents(folder: Path) -> None:
    result = run("pcsections", "lint", "--json", folder / "both.a")
    found = document(result.stdout)
    assert [finding["rule"] for finding in found["findings"]] == ["mixed-versions"]
    assert {row["section"] for row in found["contents"]} == {
        "sanmd_covered", "sanmd_atomics", "sanmd_covered2", "sanmd_atomics2"
    }  # fmt: skip


def test_a_sarif_log(folder: Path, tmp_path: Path) -> None:
    result = run("pcsections", "lint", "--sarif", tmp_path / "log.sarif", folder / "both.a")
    assert result.stdout.endswith("2 files: 1 error\n")
    log = json.loads((tmp_path / "log.sarif").read_text(encoding="utf-8"))
    (found,) = log["runs"][0]["results"]
    assert found["ruleId"] == "mixed-versions"
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("/both.a")


def test_files_that_cannot_be_read(folder: Path, tmp_path: Path) -> None:
    result = run("pcsections", "lint", folder / "one.c", folder / "new.o")
    assert result.exit_code == 2
    assert "no ELF file" in result.stderr
    assert result.stdout.endswith("1 file: no findings\n")
    assert run("pcsections", "lint", tmp_path / "nothing").exit_code == 2
    assert "missing argument" in run("pcsections", "lint").stderr
    assert run("pcsections", "diff", folder / "one.c", folder / "new.o").exit_code == 2


def test_sections_that_are_linked_to_no_section(folder: Path, tmp_path: Path) -> None:
    data = bytearray((folder / "new.o").read_bytes())
    headers, size, count = (
        int.from_bytes(data[at : at + width], "little") for at, width in ((40, 8), (58, 2), (60, 2))
    )
    for header in range(headers, headers + size * count, size):
        if data[header + 8] & 0x80:  # SHF_LINK_ORDER
            data[header + 40 : header + 44] = (9999).to_bytes(4, "little")
    damaged = tmp_path / "damaged.o"
    damaged.write_bytes(data)
    result = run("pcsections", "lint", "--sizes", damaged)
    assert f"expected sh_link to be a section, found 9999 of {count} sections" in " ".join(result.stdout.split())


def test_archives_of_bitcode_have_nothing_to_lint(tmp_path: Path) -> None:
    bitcode = bitcodec.dumps(bitcodec.parse_assembly("@x = global i32 1"))
    archive = tmp_path / "lto.a"
    archive.write_bytes(gnu_archive(("a.o", bitcode), ("b.o", bitcode)))
    note = f"bitcodec: note: {archive}: nothing to lint: all members are bitcode"
    result = run("pcsections", "lint", archive)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith(note)
    result = run("pcsections", "lint", "--json", archive)
    assert (result.exit_code, document(result.stdout)["file_count"]) == (0, 0)
    for command in (("pcsections", "decode", archive), ("pcsections", "diff", archive, archive)):
        assert "no member of this archive is an ELF object" in run(*command).stderr
    for members in ((), (("a.o", bitcode), ("text", b"text"))):
        archive.write_bytes(gnu_archive(*members))
        assert run("pcsections", "lint", archive).exit_code == 2


def test_a_module_without_a_triple_is_for_the_target_of_the_file(folder: Path, tmp_path: Path) -> None:
    module = bitcodec.parse_assembly("define i32 @one() {\n  ret i32 1\n}\n")
    bitcodec.save(module, tmp_path / "one.bc")
    linter = PCLinter(modules=[module])
    linter.add((folder / "new.o").read_bytes(), "new.o")
    assert linter.report().findings == ()
    assert succeed("pcsections", "lint", folder / "new.o", "--module", tmp_path / "one.bc").endswith(b"no findings\n")


def test_two_builds_are_compared(folder: Path) -> None:
    result = run("pcsections", "diff", folder / "old.o", folder / "both.a")
    assert result.exit_code == 1
    assert "sanmd_covered2  one       functions     0 -> 1   0 -> 6" in result.stdout
    assert "2 differences" in result.stdout
    assert succeed("pcsections", "diff", folder / "old.o", folder / "old.o").startswith(b"no differences")
    found = document(run("pcsections", "diff", "--json", folder / "old.o", folder / "both.a").stdout)
    assert [(change["function"], change["after"]["entries"]) for change in found["changes"]] == [("one", 1), ("one", 1)]
    assert found["after"]["bytes"] - found["before"]["bytes"] == 10
