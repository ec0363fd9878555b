"""`bitcodec flags lint`: findings as text, as JSON and as SARIF; what decides on the exit code; what files may be."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import bitcodec
from bitcodec.cli.build_inputs import BuildInputs
from bitcodec.cli.linting import SEVERITIES
from bitcodec.flags import set_flag
from bitcodec.lint import FLAG_RULES, Severity
from containers.builders import gnu_archive

from .documents import document
from .running import run, succeed

EXAMPLES = Path(__file__).parents[2] / "examples"
HELLO, QUEUE = EXAMPLES / "hello.bc", EXAMPLES / "queue.bc"


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """Return a module with a short wchar_t."""
    return changed(tmp_path / "short.bc", "wchar_size", 2)


def changed(path: Path, key: str, value: int | None) -> Path:
    """Write an example with another value of a flag, or without the flag."""
    module = bitcodec.open(QUEUE)
    if value is None:
        module.flags.remove(key)
    else:
        set_flag(module, key, value)
    bitcodec.save(module, path)
    return path


def rules(*arguments: str | Path) -> list[str]:
    return [each["rule"] for each in document(run("flags", "lint", "--json", *arguments).stdout)["findings"]]


def test_text(short: Path) -> None:
    result = run("flags", "lint", HELLO, QUEUE, short)

    assert result.exit_code == 1
    assert "wchar_size: error: inputs have different values, which stops the link [wchar-size-mixed]\n" in result.stdout
    assert "  options: -fno-short-wchar (clang)\n" in result.stdout
    assert "  without compiling again: not possible, as the flag describes code that exists already\n" in result.stdout
    assert "llvm-link: error: linking module flags 'wchar_size': IDs have conflicting values" in result.stdout
    assert result.stdout.endswith("3 modules: 1 error\n")


def test_the_command_of_the_fix_fixes(short: Path) -> None:
    run("flags", "set", short, "wchar_size=i32 4", "--behavior", "warning", "--in-place")
    report = document(run("flags", "lint", "--json", HELLO, QUEUE, short).stdout)
    for line in [command for finding in report["findings"] for command in finding["commands"]]:
        result = run(*shlex.split(line)[1:])
        assert result.exit_code == 0, result.stderr

    assert succeed("flags", "lint", HELLO, QUEUE, short) == b"3 modules: no findings\n"


def test_json(short: Path) -> None:
    found = document(run("flags", "lint", "--json", HELLO, short).stdout)

    (finding,) = found["findings"]
    assert (finding["key"], finding["severity"], finding["rule"]) == ("wchar_size", "error", "wchar-size-mixed")
    assert [(side["inputs"], side["is_odd"]) for side in finding["sides"]] == [
        ([str(HELLO)], False),
        ([str(short)], True),
    ]
    assert finding["section"] == "module-flag-rules.html#wchar-size-mixed"
    assert next((each["linker"], each["is_stopped"]) for each in found["linkers"]) == ("llvm-link", True)
    assert "wchar_size" in {flag["key"] for flag in found["flags"]}


def test_sarif(short: Path, tmp_path: Path) -> None:
    output = tmp_path / "log.sarif"

    assert "wchar-size-mixed" in run("flags", "lint", "--sarif", output, HELLO, short).stdout
    result = run("flags", "lint", "--sarif", "-", HELLO, short)
    assert result.stdout == output.read_text()
    assert json.loads(result.stdout)["runs"][0]["results"][0]["ruleId"] == "wchar-size-mixed"
    assert result.exit_code == 1


def test_rules_are_disabled(short: Path) -> None:
    result = run("flags", "lint", "--disable", "wchar-size-mixed", HELLO, short)

    assert result.exit_code == 0
    assert "wchar-size-mixed" not in result.stdout
    assert "llvm-link: error: " in result.stdout


def test_what_the_exit_code_is_for(tmp_path: Path) -> None:
    less = changed(tmp_path / "less.bc", "PIC Level", 1)

    assert rules(HELLO, less) == ["pic-level-mixed"]
    assert run("flags", "lint", HELLO, less).exit_code == 0
    assert run("flags", "lint", "--error-on", "warning", HELLO, less).exit_code == 1
    assert run("flags", "lint", "--error-on", "note", HELLO, less).exit_code == 1
    assert run("flags", "lint", "--error-on", "pic-level-mixed", HELLO, less).exit_code == 1
    assert run("flags", "lint", "--error-on", "cfi-mixed", HELLO, less).exit_code == 0
    wide = changed(tmp_path / "wide.bc", "wchar_size", 2)
    assert run("flags", "lint", "--error-on", "cfi-mixed", HELLO, wide).exit_code == 1


@pytest.mark.parametrize("option", ["--disable", "--error-on"])
def test_unknown_rules_are_usage_errors(option: str) -> None:
    result = run("flags", "lint", option, "nonsense", HELLO)

    assert result.exit_code == 2
    assert f"{option} nonsense: unknown rule" in result.stderr
    assert run("flags", "lint").exit_code == 2
    assert run("flags", "lint", "--json", "--sarif", "-", HELLO).exit_code == 2


def test_rules_are_listed() -> None:
    listed = succeed("flags", "lint", "--list-rules").decode().splitlines()

    assert [line.split()[0] for line in listed[1:]] == [rule.identifier for rule in FLAG_RULES]
    assert tuple(severity.value for severity in Severity) == SEVERITIES


def test_archives_lists_and_link_maps(short: Path, tmp_path: Path) -> None:
    archive = tmp_path / "lib.a"
    archive.write_bytes(gnu_archive(("used.o", QUEUE.read_bytes()), ("unused.o", short.read_bytes())))
    listed = tmp_path / "link.rsp"
    listed.write_text(f"{HELLO} {archive}")
    assert rules(f"@{listed}") == ["wchar-size-mixed"]

    columns = "             VMA              LMA     Size Align Out     In      Symbol\n"
    line = "          201158           201158       10     4         {}:(.text)\n"
    link_map = tmp_path / "program.map"
    link_map.write_text(columns + line.format(HELLO) + line.format("lib.a(used.o)"))
    assert rules(link_map) == []
    assert succeed("flags", "lint", link_map) == b"2 modules: no findings\n"
    link_map.write_text(columns + line.format(HELLO) + line.format("lib.a(unused.o)"))
    assert rules(link_map) == ["wchar-size-mixed"]
    assert rules(link_map, archive) == ["wchar-size-mixed"]


@pytest.mark.parametrize("output", ["program.lto.o", "build/program.lto.main.o", "program.lto.lib.a(main.o at 78).o"])
def test_maps_of_lto_links_and_native_inputs_are_explained(tmp_path: Path, output: str) -> None:
    link_map = tmp_path / "program.map"
    columns = "             VMA              LMA     Size Align Out     In      Symbol\n"
    line = "          201158           201158       10     4         {}:(.text)\n"
    link_map.write_text(columns + line.format(output) + line.format(HELLO))
    result = run("flags", "lint", link_map)
    assert "which names the output of LTO, not the inputs" in result.stderr
    assert (result.stdout, result.exit_code) == ("1 module: no findings\n", 0)

    native = Path(__file__).parents[1] / "data" / "pcsections" / "lines-x86_64.o"
    result = run("flags", "lint", native)
    assert (result.stdout, result.exit_code) == ("", 2)


def test_compilation_databases(short: Path, tmp_path: Path) -> None:
    database = tmp_path / "compile_commands.json"
    outputs = (short.name, str(HELLO), "gone.o")
    database.write_text(json.dumps([{"directory": str(tmp_path), "file": "a.c", "output": name} for name in outputs]))

    result = run("flags", "lint", database)

    assert result.stderr == f"bitcodec: warning: {database}: 1 of 3 files that it names do not exist\n"
    assert result.stdout.endswith("2 modules: 1 error\n")
    database.write_text("[{]")
    assert run("flags", "lint", database).exit_code == 2
    database.write_text("[]")
    assert run("flags", "lint", database).exit_code == 2


@pytest.mark.parametrize("suffix", [".o", ".bc", ".a", ".obj", ".lib", ".ll", ".so", ".rlib", ".rmeta"])
def test_names_of_objects_and_modules_are_inputs_whatever_the_files_contain(suffix: str, tmp_path: Path) -> None:
    database = json.dumps([{"directory": str(tmp_path), "file": "a.c", "output": str(HELLO)}])
    listing, named = tmp_path / "build", tmp_path / f"build{suffix}"
    listing.write_text(database)
    named.write_text(database)
    assert BuildInputs([str(listing), str(named)]).paths == [str(HELLO), str(named)]
