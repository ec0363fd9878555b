"""`bitcodec doctor`: what is printed, and exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitcodec import bitcode, bitstream, doctor
from bitcodec.cli import doctor as command
from bitcodec.tables.versions import NEWEST

from .documents import document
from .running import fail, run, succeed

_ROOT = Path(__file__).parents[2]
HELLO, QUEUE = _ROOT / "examples" / "hello.bc", _ROOT / "examples" / "queue.bc"


def test_the_versions_are_those_of_the_library() -> None:
    assert (command._OLDEST, command._NEWEST) == (doctor.OLDEST, doctor.NEWEST)


def test_every_version() -> None:
    result = run("doctor", HELLO)
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert lines[:3] == [
        str(HELLO),
        "  written by LLVM22.1.8, epoch 0, for x86_64-unknown-linux-gnu",
        "  needs LLVM 22 or newer",
    ]
    assert lines[-1] == f"  LLVM 22 to {NEWEST}: read it"
    place = lines.index("  LLVM 14: refuses it: Opaque pointers are only supported in -opaque-pointers mode")
    assert lines[place + 1] == "    opaque pointers (type ptr) in TYPE_BLOCK_ID, OPAQUE_POINTER at bit 1799"


def test_every_version_has_what_it_says_first() -> None:
    """What follows the refusal of a version is for its details."""
    result = run("doctor", HELLO)
    assert "read as" not in result.stdout
    assert "use LLVM" not in result.stdout
    assert "    do: bitcodec downgrade --llvm N\n" in result.stdout
    detailed = run("doctor", "--llvm", "18", HELLO).stdout
    assert "read as `inbounds`" in detailed


def test_text_has_no_unusual_producer() -> None:
    result = run("doctor", "--llvm", "22", "-", stdin=b"define void @f() {\n ret void\n}\n")
    assert "unusual" not in result.stdout


def test_text_is_called_text() -> None:
    text = b'target triple = "x86_64-linux"\ndefine void @f() {\n ret void\n}\n'
    about = "what follows is about the bitcode that `bitcodec as` makes of it"
    lines = run("doctor", "--llvm", "22", "-", stdin=text).stdout.splitlines()
    assert lines[1] == f"  LLVM assembly for x86_64-linux; {about}"
    assert "written by" not in "".join(lines)
    without_target = run("doctor", "--llvm", "22", "-", stdin=b"@x = global i32 1\n").stdout.splitlines()
    assert without_target[1] == f"  LLVM assembly; {about}"


@pytest.mark.parametrize("rest", [b"", b"\0\1", b"\0\1\2\3"])
def test_no_module_behind_the_magic_number(rest: bytes) -> None:
    result = run("doctor", "--llvm", "22", "-", stdin=b"BC\xc0\xde" + rest)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "    do: write the file again: it ends before a module begins"


def test_one_version() -> None:
    assert succeed("doctor", "--llvm", "22", HELLO, QUEUE).decode().splitlines()[-1] == "  LLVM 22: reads it"
    result = run("doctor", "--llvm", "18", HELLO)
    assert result.exit_code == 1
    assert "  LLVM 18: refuses it: Unknown attribute kind (102)\n" in result.stdout
    assert (
        "    debug records, 6 times, first in FUNCTION_BLOCK, DEBUG_RECORD_VALUE_SIMPLE at bit 28695\n" in result.stdout
    )
    assert result.stdout.endswith("    do: bitcodec downgrade --llvm 18; use LLVM 22 or newer\n")


def test_what_downgrade_writes_is_read(tmp_path: Path) -> None:
    old = tmp_path / "old.bc"
    assert run("downgrade", HELLO, "--llvm", "18", "-o", old).exit_code == 0
    assert "LLVM 18: reads it" in succeed("doctor", "--llvm", "18", old).decode()


def test_json() -> None:
    result = run("doctor", "--json", HELLO)
    (found,) = document(result.stdout)["streams"]
    assert (found["file"], found["needs"], found["damage"]) == (str(HELLO), 22, None)
    by_version = {each["llvm_version"]: each for each in found["versions"]}
    assert sorted(by_version) == [*doctor.VERSIONS]
    assert by_version[18]["obstacles"][0] == {
        "rule": "attribute-captures",
        "effect": "refuses",
        "message": "Unknown attribute kind (102)",
        "construct": "attribute `captures`",
        "record": "PARAMATTR_GROUP_BLOCK_ID, ENTRY",
        "bit_offset": 4281,
        "count": 2,
    }
    assert by_version[18]["misread"][0]["rule"] == "getelementptr-flags"
    assert by_version[22] == {
        "llvm_version": 22, "reads": True, "message": None, "obstacles": [], "misread": [], "rejected": [], "advice": []
    }  # fmt: skip


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "cut.bc"
    path.write_bytes(QUEUE.read_bytes()[:6000])
    result = run("doctor", "--llvm", "22", path)
    assert result.exit_code == 1
    assert (
        "  damaged at bit 47996 (byte 5999): a blob of 11 bytes does not fit in the rest of the data\n" in result.stdout
    )
    assert "    intact before it: 20 blocks, 348 records\n" in result.stdout
    assert "  LLVM 22: refuses it: can't skip to bit 56640 from 320\n" in result.stdout


def test_a_damaged_body(tmp_path: Path) -> None:
    draft = bitstream.loads(QUEUE.read_bytes()).edit()
    body = next(block for module in draft.blocks for block in module.blocks if block.id == 12)
    load = next(record for record in body.records if record.code == 20)
    load.operands = (999999, *load.operands[1:])
    path = tmp_path / "bad.bc"
    path.write_bytes(bitcode.dumps(draft))
    result = run("doctor", "--llvm", "22", path)
    assert result.exit_code == 1
    assert "    readable function bodies: 4, not push\n" in result.stdout


def test_trouble(tmp_path: Path) -> None:
    path = tmp_path / "text.bc"
    path.write_text("no bitcode")
    fail("doctor", path, code=2)
    assert run("doctor", path, HELLO, "--llvm", "22").stdout.endswith("LLVM 22: reads it\n")
