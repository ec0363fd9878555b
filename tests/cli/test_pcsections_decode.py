"""`pcsections decode`: the PCs of files that clang made, as a table, as JSON, as an Arrow file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import bitcodec
from answers import ask
from bitcodec.pcsections import Schema, decode_file
from containers.builders import gnu_archive

from .documents import document
from .running import BITCODEC, fail, run, succeed

SOURCE = Path(__file__).parents[1] / "pcsections" / "sanitized.cpp"
SANITIZE = "-fexperimental-sanitize-metadata=covered,atomics,uar"
MODULE = """
target triple = "x86_64-linux-gnu"
@v = global i32 7
define void @f(ptr %p) !pcsections !0 {
  %a = load volatile i32, ptr %p, !pcsections !1
  %b = load volatile i32, ptr %p, !pcsections !1
  ret void
}
!0 = !{!"cold!C", !2}
!1 = !{!"hot", !3}
!2 = !{i32 300, float 0x7FF0000000000000}
!3 = !{i16 5, ptr @v}
"""


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sanitized") / "part.o"
    options = ["-x", "c++", "-DPART=2", "-ffreestanding", "-fno-exceptions", "-O1", "-g", SANITIZE]
    options += ["--target=x86_64-linux-gnu", "-Wno-everything", "-ffile-compilation-dir=src"]
    ask(["clang-22", *options, "-c", SOURCE, "-o", path], check=True)
    return path


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an object; the module it was made of, and what is linked of it, lie beside it."""
    path = tmp_path_factory.mktemp("compiled") / "m.o"
    path.with_suffix(".ll").write_text(MODULE, encoding="utf-8")
    ask(["llvm-as-22", path.with_suffix(".ll"), "-o", path.with_suffix(".bc")], check=True)
    ask(["llc-22", "-filetype=obj", path.with_suffix(".bc"), "-o", path], check=True)
    ask(["ld.lld-22", path, "-e", "f", "-o", path.with_suffix("")], check=True)
    return path


def entries(*arguments: str | Path) -> list[dict[str, Any]]:
    return list(document(succeed("pcsections", "decode", "--json", *arguments))["entries"])


def test_json_has_all_that_is_known(sanitized: Path) -> None:
    found = entries(sanitized)
    assert found
    for entry in found:
        assert list(entry) == ["section", "pc", "size", "aux", "source_file", "source_line"]
        assert list(entry["pc"]) == ["symbol", "offset", "address", "section"]
        assert entry["pc"]["address"] is None
        assert entry["source_file"].endswith("/sanitized.cpp")
        assert entry["source_line"] > 0
    (other,) = [entry for entry in found if entry["pc"]["symbol"] == "other" and entry["section"] == "sanmd_covered2"]
    assert other["aux"] == [{"type": "i64", "value": 3, "names": ["atomics", "uar"]}]


def test_a_table_has_a_line_for_each_pc(sanitized: Path) -> None:
    title, *lines = succeed("pcsections", "decode", sanitized).decode().splitlines()
    assert title.split() == ["section", "place", "pc", "address", "size", "data", "source"]
    assert len(lines) == len(entries(sanitized))
    assert any("features atomics uar" in line and "sanitized.cpp:" in line for line in lines)


def test_without_lines(sanitized: Path) -> None:
    assert {(entry["source_file"], entry["source_line"]) for entry in entries(sanitized, "--no-lines")} == {
        (None, None)
    }


def test_several_files_and_archives(sanitized: Path, compiled: Path, tmp_path: Path) -> None:
    archive = tmp_path / "both.a"
    archive.write_bytes(gnu_archive(("s.o", sanitized.read_bytes()), ("text", b"text"), ("m.o", compiled.read_bytes())))
    found = entries(archive)
    members = (("s.o", sanitized), ("m.o", compiled))
    assert found == [{"file": f"{archive}({name})", **entry} for name, path in members for entry in entries(path)]
    title, *lines = succeed("pcsections", "decode", archive).decode().splitlines()
    assert (title.split()[:2], len(lines)) == (["object", "section"], len(found))
    archive.write_bytes(gnu_archive(("text", b"text")))
    assert "no member of this archive is an ELF object" in fail("pcsections", "decode", archive)


def test_one_section(sanitized: Path) -> None:
    assert {entry["section"] for entry in entries(sanitized, "--section", "sanmd_atomics2")} == {"sanmd_atomics2"}
    message = fail("pcsections", "decode", sanitized, "--section", "hot")
    assert f"{sanitized}: no section 'hot'; the file has: " in message
    assert "sanmd_atomics2" in message


def test_an_object_without_a_schema_is_cut_into_entries(compiled: Path) -> None:
    hot = entries(compiled, "--section", "hot")
    assert [entry["aux"] for entry in hot] == [[], [{"type": None, "value": "0500" + "00" * 8}]]
    assert [entry["size"] for entry in hot] == [None, None]


@pytest.mark.parametrize("suffix", [".o", ""])
def test_a_module_tells_what_is_there(compiled: Path, suffix: str) -> None:
    found = entries(compiled.with_suffix(suffix), "--schema", compiled.with_suffix(".bc"))
    by_section: dict[str, list[Any]] = {}
    for entry in found:
        by_section.setdefault(entry["section"], []).append((entry["pc"]["symbol"], entry["aux"]))
    infinite = [{"type": "i32", "value": 300}, {"type": "float", "value": "inf"}]
    assert by_section["cold"] == [("f", infinite)]
    (_, nothing), (_, (number, pointer)) = by_section["hot"]
    assert nothing == []
    assert number == {"type": "i16", "value": 5}
    assert pointer["value"] == "v" if suffix else pointer["value"] > 0
    assert all((entry["pc"]["address"] is None) == bool(suffix) for entry in found)


def test_the_object_names_the_target_of_a_module_without_one(compiled: Path, tmp_path: Path) -> None:
    module = bitcodec.open(compiled.with_suffix(".bc"))
    schema = Schema.of_module(module)
    module.target_triple = ""
    bitcodec.save(module, tmp_path / "anywhere.bc")
    expected = entries(compiled, "--schema", compiled.with_suffix(".bc"))
    assert entries(compiled, "--schema", tmp_path / "anywhere.bc") == expected
    assert [*map(str, decode_file(compiled, [module]))] == [*map(str, decode_file(compiled, [schema]))]


def test_a_schema_by_hand(compiled: Path) -> None:
    program = compiled.with_suffix("")
    hot = entries(program, "--section", "hot", "--schema", "hot=instruction:i16:5,ptr")
    assert [len(entry["aux"]) for entry in hot] == [0, 2]
    cold = entries(program, "--section", "cold", "--schema", "cold!C=function:i32,float")
    assert [aux["value"] for aux in cold[0]["aux"]] == [300, "inf"]


def test_two_readings_are_warned_of(compiled: Path) -> None:
    result = run(
        "pcsections", "decode", compiled.with_suffix(""), "--schema", "hot=instruction:10 x i8|instruction:i16,ptr"
    )
    assert result.exit_code == 0
    assert "section 'hot' can be read in several ways; --schema MODULE.bc specifies which is right" in result.stderr


def test_an_arrow_file(sanitized: Path, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    path = tmp_path / "pcs.arrow"
    assert succeed("pcsections", "decode", sanitized, "--arrow", path) == b""
    rows = pa.ipc.open_file(path).read_all().to_pylist()
    assert [(row["section"], row["symbol"], row["offset"], row["size"], row["line"]) for row in rows] == [
        (entry["section"], entry["pc"]["symbol"], entry["pc"]["offset"], entry["size"], entry["source_line"])
        for entry in entries(sanitized)
    ]
    assert [[aux["value"] for aux in row["aux"]] for row in rows] == [
        [str(aux["value"]) for aux in entry["aux"]] for entry in entries(sanitized)
    ]


def test_a_parquet_file(sanitized: Path, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    path, arrow = tmp_path / "pcs.parquet", tmp_path / "pcs.arrow"
    assert succeed("pcsections", "decode", sanitized, sanitized, "--parquet", path, "--arrow", arrow) == b""
    table = pq.read_table(path)

    assert table.to_pylist() == pytest.importorskip("pyarrow").ipc.open_file(arrow).read_all().to_pylist()
    assert len(table) == 2 * len(entries(sanitized))
    assert table.column_names[:2] == ["object", "section"]


def test_a_terminal_gets_a_table(sanitized: Path) -> None:
    script = shutil.which("script")
    if script is None:
        pytest.skip("no script(1)")
    command = " ".join([*BITCODEC, "pcsections", "decode", str(sanitized)])
    environment = {**os.environ, "COLUMNS": "200", "TERM": "xterm-256color"}
    text = subprocess.run(
        [script, "-qec", command, "/dev/null"], capture_output=True, text=True, check=True, env=environment
    )
    assert "\x1b[" in text.stdout
    lines = [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", text.stdout).splitlines()]
    assert lines == succeed("pcsections", "decode", sanitized).decode().splitlines()


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("hot=load", "--schema: the schema 'hot=load': 'load' is neither"),
        ("nothing.bc", "nothing.bc: No such file or directory"),
    ],
)
def test_schemas_that_are_none(compiled: Path, schema: str, message: str) -> None:
    assert message in fail("pcsections", "decode", compiled, "--schema", schema)


def test_what_cannot_be_decoded_is_told(compiled: Path, tmp_path: Path) -> None:
    assert "give a schema, such as --schema MODULE.bc" in fail("pcsections", "decode", compiled.with_suffix(""))
    assert "the schema does not fit" in fail("pcsections", "decode", compiled, "--schema", "hot=function")
    module = tmp_path / "m.bc"
    bitcodec.save(bitcodec.open(compiled.with_suffix(".bc")), module)
    assert "no ELF file" in fail("pcsections", "decode", module)
