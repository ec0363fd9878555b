"""`diff`: exit codes, options, files of several modules, colours."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bits import Bits
from containers.builders import gnu_archive

from .documents import document
from .running import process, run, succeed

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parents[1] / "data"
HELLO, QUEUE = ROOT / "examples" / "hello.bc", ROOT / "examples" / "queue.bc"
OLD, NEW = DATA / "atomics-O2-22.bc", DATA / "control-O2-16.bc"


def differ(*arguments: str | Path) -> str:
    """Return what is printed where there are differences."""
    result = run("diff", *arguments)
    assert (result.exit_code, result.stderr) == (1, "")
    return result.stdout


def trouble(*arguments: str | Path) -> str:
    """Return the one line that is printed where there is trouble."""
    result = run("diff", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_nothing_is_printed_for_the_same() -> None:
    assert succeed("diff", QUEUE, QUEUE) == b""
    assert succeed("diff", "-g", QUEUE, QUEUE) == b""
    assert document(succeed("diff", "--json", QUEUE, QUEUE))["comparisons"] == []
    assert succeed("diff", "-", QUEUE, stdin=QUEUE.read_bytes()) == b""


def test_unified_text() -> None:
    text = differ(HELLO, QUEUE)
    assert text.startswith(
        "--- a/source file name\n+++ b/source file name\n@@ -1 +1 @@\n-hello.c\n+queue.c\n"
        "--- /dev/null\n+++ b/%struct.atomic_flag\n@@ -0,0 +1 @@\n+%struct.atomic_flag = type { i8 }\n"
    )
    assert "--- a/@main\n+++ /dev/null\n@@ -1," in text
    assert all(line[:1] in {" ", "-", "+", "@"} for line in text.splitlines())


def test_brief() -> None:
    lines = differ("--brief", "-g", HELLO, QUEUE).splitlines()
    assert lines[:3] == ["~ source file name", "+ %struct.atomic_flag", "~ @.str"]
    assert {"- @main", "+ @push"} < set(lines)
    assert lines.index("- @main") < lines.index("+ @push")
    assert not any("DI" in line for line in lines)


def test_context() -> None:
    none, much = (differ("-U", lines, "--function", "main", HELLO, QUEUE) for lines in ("0", "9"))
    assert none == much
    assert run("diff", "-U", "-1", HELLO, QUEUE).exit_code == 2


def test_one_function() -> None:
    assert differ("--brief", "--function", "@push", "--function", "pop", HELLO, QUEUE) == "+ @push\n+ @pop\n"
    assert succeed("diff", "--function", "push", QUEUE, QUEUE) == b""
    line = trouble("--function", "pus", HELLO, QUEUE)
    assert line == f"bitcodec: error: {HELLO}, {QUEUE}: no function pus; did you mean push?\n"


def test_json() -> None:
    (found,) = document(differ("--json", HELLO, QUEUE))["comparisons"]
    assert found["before"] == {"file": str(HELLO), "member": None, "module": 1}
    assert found["after"] == {"file": str(QUEUE), "member": None, "module": 1}
    assert found["differences"][0] == {
        "change": "changed",
        "category": "source file name",
        "label": "source file name",
        "name": None,
        "before": "hello.c",
        "after": "queue.c",
    }
    (main,) = (one for one in found["differences"] if one["name"] == "main")
    assert (main["change"], main["category"], main["after"]) == ("removed", "function", None)
    (found,) = document(differ("--json", "--brief", HELLO, QUEUE))["comparisons"]
    assert found["differences"][0].keys() == {"change", "category", "label", "name"}


def test_trouble(tmp_path: Path) -> None:
    assert (
        trouble(HELLO, tmp_path / "missing") == f"bitcodec: error: {tmp_path / 'missing'}: No such file or directory\n"
    )
    assert "expected LLVM IR" in trouble(DATA / "bad-22.dia", HELLO)
    bad = tmp_path / "bad.bc"
    bad.write_bytes(Bits().enter_block(8).unabbreviated(1, [2]).unabbreviated(8, [0, 1]).end_block().stream())
    assert trouble(HELLO, bad).startswith(f"bitcodec: error: {bad}: FUNCTION record: ")
    assert run("diff", HELLO).exit_code == 2


@pytest.mark.parametrize("code", [0, 1, 2])
def test_exit_codes_of_a_process(code: int, tmp_path: Path) -> None:
    other = (HELLO, QUEUE, tmp_path)[code]
    assert process("diff", HELLO, other).returncode == code


def test_archives_are_compared_member_by_member(tmp_path: Path) -> None:
    hello, queue = HELLO.read_bytes(), QUEUE.read_bytes()
    old, new = tmp_path / "old.a", tmp_path / "new.a"
    old.write_bytes(gnu_archive(("x.bc", hello), ("y.bc", hello), ("z.bc", queue)))
    new.write_bytes(gnu_archive(("z.bc", queue), ("y.bc", queue), ("w.bc", queue)))
    lines = differ("--brief", "-g", old, new).splitlines()
    assert lines[0] == f"Only in {old}: x.bc"
    assert lines[1] == f"diff {old}(y.bc) {new}(y.bc)"
    assert lines[2] == "~ source file name"
    assert lines[-1] == f"Only in {new}: w.bc"
    assert sum(line.startswith("diff ") for line in lines) == 1
    only, changed, added = document(differ("--json", old, new))["comparisons"]
    assert only == {"before": {"file": str(old), "member": "x.bc", "module": 1}, "after": None, "differences": []}
    assert changed["after"] == {"file": str(new), "member": "y.bc", "module": 1}
    assert added["before"] is None


def test_single_modules_are_compared_wherever_they_are(tmp_path: Path) -> None:
    archive = tmp_path / "lib.a"
    archive.write_bytes(gnu_archive(("any.bc", QUEUE.read_bytes())))
    assert succeed("diff", QUEUE, archive) == b""


def test_colors() -> None:
    plain, text = differ(HELLO, QUEUE), differ("--color", "always", HELLO, QUEUE)
    assert "\x1b" not in plain
    assert text.startswith("\x1b[1m--- a/source file name\x1b[0m\n")
    assert "\x1b[31m-hello.c\x1b[0m\n\x1b[32m+queue.c\x1b[0m\n" in text
    assert text.count("\n") == plain.count("\n")
    assert "\x1b" not in differ("--color", "never", HELLO, QUEUE)


def test_names_of_the_example_modules_are_those_of_the_model() -> None:
    names = {one.name for one in bitcodec.open(QUEUE).functions if not one.is_declaration}
    lines = differ("--brief", "-g", HELLO, QUEUE).splitlines()
    assert {f"+ @{name}" for name in names} <= set(lines)
