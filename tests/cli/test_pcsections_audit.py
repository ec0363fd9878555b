"""`pcsections audit`: what became of nodes, as a table, as JSON, as an exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bitcodec
from answers import ask
from bitcodec.transforms import Rewriter
from pcsections.samples import instruction

from .documents import document
from .running import fail, run, succeed

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
TAGGED, QUEUE, ATOMICS = (EXAMPLES / name for name in ("tagged.bc", "queue.bc", "atomics.mir"))
OBJECT = ROOT / "tests" / "data" / "pcsections" / "x86_64-small.o"


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """Return what a pass may have made of the example: one copied, one erased, one of many erased."""
    module = bitcodec.open(TAGGED)
    rewriter = Rewriter()
    rewriter.duplicate(instruction(module, "store", "release"))
    rewriter.erase(instruction(module, "fence", "drain"))
    rewriter.erase(
        next(each for each in module.functions["push"].instructions if each.opcode == "store" and each.pcsections)
    )
    path = tmp_path / "changed.bc"
    bitcodec.save(module, path)
    return path


def audited(*arguments: str | Path, code: int = 0, stdin: bytes = b"") -> dict[str, Any]:
    result = run("pcsections", "audit", *arguments, "--json", stdin=stdin)
    assert (result.exit_code, result.stderr) == (code, "")
    found = document(result.stdout)
    assert isinstance(found, dict)
    return found


def test_the_example_is_what_attaching_makes(tmp_path: Path) -> None:
    path = tmp_path / "tagged.bc"
    hot = ["--section", "hot", "--aux", "i32:7"]
    run("pcsections", "attach", QUEUE, "--select", "functions,atomics", *hot, "-o", path)
    run("pcsections", "attach", path, "--select", "drain:calls", "--section", "called", "-o", path)
    assert path.read_bytes() == TAGGED.read_bytes()


def test_table(changed: Path) -> None:
    lines = [line.split("  ") for line in succeed("pcsections", "audit", TAGGED, changed).decode().splitlines()]
    rows = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    assert rows[0] == ["function", "section", "verdict", "before", "after", "why"]
    assert ["push", "hot: i32 7", "kept", "1 function", "1 function"] in rows
    assert ["push", "hot: i32 7", "lost", "1 store", "replaced, made one with another, or deleted"] in rows
    assert ["release", "hot: i32 7", "copied", "1 store", "2 store"] in rows
    assert ["drain", "called", "kept", "4 call", "4 call"] in rows
    assert ["opcode", "kept", "copied", "lost"] in rows
    assert ["store", "2", "1", "1"] in rows
    assert rows[-1] == ["LLVM IR: 12 kept, 1 copied, 2 lost"]


def test_json(changed: Path) -> None:
    found = audited(TAGGED, changed)
    assert list(found) == ["schema", "before", "after", "verdicts", "opcodes", "notes", "nodes"]
    assert (found["after"]["kind"], found["notes"]) == ("LLVM IR", [])
    assert found["verdicts"] == {"kept": 12, "lost": 2, "copied": 1}
    assert found["opcodes"]["fence"] == {"lost": 1}
    assert [each for each in found["nodes"] if each["verdict"] == "copied"] == [
        {
            "function": "release",
            "of_function": False,
            "groups": [{"section": "hot", "constants": ["i32 7"]}],
            "verdict": "copied",
            "attached": 1,
            "found": 2,
            "before": {"store": 1},
            "after": {"store": 2},
            "elsewhere": [],
            "reason": "",
        }
    ]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 0),
        (["--fail-on", "lost"], 1),
        (["--fail-on", "merged,moved,foreign"], 0),
        (["--fail-on", "merged, copied"], 1),
        (["--fail-on", "foreign", "--fail-on", "copied"], 1),
    ],
)
def test_exit_codes(options: list[str], code: int, changed: Path) -> None:
    assert audited(TAGGED, changed, *options, code=code)["verdicts"]["kept"] == 12


def test_nothing_fails_where_nothing_is_lost() -> None:
    assert audited(TAGGED, TAGGED, "--fail-on", "lost,merged,moved,copied,foreign")["verdicts"] == {"kept": 15}


def test_standard_input(changed: Path) -> None:
    expected = audited(TAGGED, changed)
    standard_input = {"file": "-"}
    after = expected | {"after": expected["after"] | standard_input}
    assert audited(TAGGED, "-", stdin=changed.read_bytes()) == after
    assert audited("-", changed, stdin=TAGGED.read_bytes()) == expected | {"before": standard_input}


def test_machine_ir() -> None:
    found = audited(QUEUE, ATOMICS)
    assert found["after"]["kind"] == "machine IR"
    assert [(each["function"], each["verdict"], each["after"]) for each in found["nodes"]] == [
        ("add", "foreign", {"function": 1}),
        ("add", "foreign", {"LXADD32": 1}),
        ("load", "foreign", {"MOV32rm": 1}),
    ]


def test_objects_of_something_else() -> None:
    found = audited(TAGGED, OBJECT, "--fail-on", "foreign", code=1)
    assert found["after"]["kind"] == "object"
    assert {each["verdict"] for each in found["nodes"]} == {"lost", "foreign"}
    assert {"PC": 2} in [each["after"] for each in found["nodes"]]


def test_objects() -> None:
    made = ask(["llc-22", "-filetype=obj", TAGGED, "-o", "-"], check=True).stdout
    found = audited(TAGGED, "-", "--fail-on", "lost", stdin=made, code=1)
    assert found["verdicts"] == {"kept": 10, "lost": 1}
    (lost,) = [each for each in found["nodes"] if each["verdict"] == "lost"]
    assert (lost["function"], lost["before"], lost["after"]) == ("drain", {"call": 4}, {})
    made = ask(["llc-22", "-filetype=obj", "-code-model=large", TAGGED, "-o", "-"], check=True).stdout
    result = run("pcsections", "audit", TAGGED, "-", stdin=made)
    assert result.stderr == (
        "bitcodec: warning: -: expected PC fields of 4 bytes, as the module states, found 8: "
        "another code model was chosen\n"
    )


def test_nothing_at_all() -> None:
    assert succeed("pcsections", "audit", QUEUE, QUEUE) == b"LLVM IR: nothing was requested, and nothing is there\n"


def test_targets(tmp_path: Path) -> None:
    module = bitcodec.open(TAGGED)
    module.target_triple = ""
    path = tmp_path / "somewhere.bc"
    bitcodec.save(module, path)
    assert "the module has no target triple" in fail("pcsections", "audit", path, OBJECT, code=2)
    assert audited(path, OBJECT, "--target", "x86_64-linux-gnu")["after"]["kind"] == "object"
    assert "has no PC sections" in fail("pcsections", "audit", path, OBJECT, "--target", "wasm32", code=2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"some text\n", "it is neither bitcode nor ELF, and no machine IR: "),
        (b"\xff\xfe\xfd\xfc\xfb", "it is neither bitcode nor ELF, and no machine IR: "),
        (b"\x7fELF", "after: "),
        (b"BC\xc0\xde", "after: "),
        (b"", "the file is empty"),
    ],
)
def test_what_cannot_be_audited(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "after"
    path.write_bytes(content)
    assert message in fail("pcsections", "audit", TAGGED, path, code=2)


def test_wrong_use() -> None:
    result = run("pcsections", "audit", TAGGED, TAGGED, "--fail-on", "lost,gone")
    assert result.exit_code == 2
    assert "'gone' is not one of kept, copied, merged, lost, moved, foreign" in result.stderr
    assert run("pcsections", "audit", TAGGED).exit_code == 2


def test_the_group_names_it() -> None:
    assert "\n  audit " in succeed("pcsections", "--help").decode()
    assert "its own constant, as `map` does" in succeed("pcsections", "audit", "--help").decode()
