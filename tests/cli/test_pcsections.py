"""`pcsections`: attach, compile, show and map from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from pcsections.codegen.test_compiling import needs_llvmlite
from pcsections.malformed import node
from pcsections.samples import instruction, sample

from .documents import document
from .running import fail, process, run, succeed

ROOT = Path(__file__).parents[2]
QUEUE = ROOT / "examples" / "queue.bc"
DATA = ROOT / "tests" / "data"
HOT = ["--section", "hot"]


@pytest.fixture
def malformed(tmp_path: Path) -> Path:
    module = sample()
    instruction(module, "load").metadata["pcsections"] = node(module, "s!X")
    path = tmp_path / "malformed.bc"
    bitcodec.save(module, path)
    return path


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    path = tmp_path / "tagged.bc"
    run("pcsections", "attach", QUEUE, "--select", "functions,push:stores", *HOT, "--aux", "i32:7", "-o", path)
    return path


def requests(data: bytes) -> list[tuple[str, str, list[str]]]:
    """Return who asks for what."""
    module = bitcodec.loads(data)
    asking = [
        *((function.name, function.pcsections) for function in module.functions),
        *((each.opcode, each.pcsections) for function in module.functions for each in function.instructions),
    ]
    return [
        (who, section.spelling, [str(value) for value in section.constants])
        for who, sections in asking
        for section in sections or ()
    ]


def test_attach(tmp_path: Path) -> None:
    output = tmp_path / "out.bc"
    result = run("pcsections", "attach", QUEUE, "--select", "push,fence", "--section", "hot!C", "-o", output)
    assert (result.exit_code, result.stdout_bytes) == (0, b"")
    assert result.stderr == "1 function and 1 instruction: hot!C\n"
    assert requests(output.read_bytes()) == [("push", "hot!C", []), ("fence", "hot!C", [])]


def test_constants_go_with_the_section_before_them() -> None:
    options = ["--section", "a", "--aux", "i32:7,i8:1", "--section=b!C", "--aux=i64:-1", "--aux", "ptr:null"]
    result = run("pcsections", "attach", "-", "--select", "fence", *options, "-o", "-", stdin=QUEUE.read_bytes())
    assert result.stderr == "1 instruction: a, b!C\n"
    assert requests(result.stdout_bytes) == [
        ("fence", "a", ["i32 7", "i8 1"]),
        ("fence", "b!C", ["i64 -1", "ptr null"]),
    ]


def test_what_is_selected_may_be_said_in_parts() -> None:
    result = run("pcsections", "attach", QUEUE, "--select", "fence", "--select", "atomicrmw,add", *HOT, "-o", "-")
    asking = sorted(who for who, _, _ in requests(result.stdout_bytes))
    assert asking == ["add", "add", "add", "add", "add", "atomicrmw", "fence"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--select", "lods", *HOT], "did you mean loads"),
        (["--select", "report", *HOT], "function report has no code in this module"),
        (["--select", "fneg", *HOT], "nothing in the module is fneg; there are 5 functions, 14 atomics, 12 loads"),
        (["--select", "loads", "--section", "hot!X"], "'hot!X' has the unknown option 'X': there is C alone"),
        (["--select", "loads", "--section", ""], "names no section"),
        (["--select", "loads", *HOT, "--aux", "i32:x"], "'i32:x': 'x' is not a valid i32"),
        (["--select", "loads", *HOT, "--aux", "ptr:@nothing"], "points to nothing"),
    ],
)
def test_attaching_what_cannot_be(options: list[str], message: str, tmp_path: Path) -> None:
    output = tmp_path / "out.bc"
    assert message in fail("pcsections", "attach", QUEUE, *options, "-o", output)
    assert not output.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--select", "loads", *HOT], "expected -o FILE"),
        (["--select", "loads", "-o", "-"], "missing option '--section'"),
        ([*HOT, "-o", "-"], "missing option '--select'"),
        (["--select", "loads", "--aux", "i32:7", *HOT, "-o", "-"], "give --section first"),
    ],
)
def test_wrong_use(options: list[str], message: str) -> None:
    result = run("pcsections", "attach", QUEUE, *options)
    assert (result.exit_code, result.stdout_bytes) == (2, b"")
    assert message in result.stderr


def test_show(tagged: Path) -> None:
    lines = succeed("pcsections", "show", tagged).decode().splitlines()
    assert lines[0] == f"{tagged}: requests 1 PC section"
    assert [line.split() for line in lines[1:5]] == [
        ["section", "functions", "instructions"],
        ["hot", "5", "3"],
        ["function", "section", "who", "constants"],
        ["push", "hot", "the", "function", "i32", "7"],
    ]
    assert "3 instructions  i32 7" in lines[5]


def test_show_nothing() -> None:
    assert succeed("pcsections", "show", "-", stdin=QUEUE.read_bytes()) == b"-: requests no PC sections\n"


def test_show_json(tagged: Path) -> None:
    (found,) = document(succeed("pcsections", "show", "--json", tagged))["modules"]
    assert (found["file"], found["member"]) == (str(tagged), None)
    assert found["sections"] == [{"section": "hot", "functions": 5, "instructions": 3}]
    assert found["requests"][1] == {
        "function": "push",
        "section": "hot",
        "options": "",
        "of_function": False,
        "instructions": 3,
        "constants": ["i32 7"],
    }
    assert found["findings"] == []


def test_show_problems(malformed: Path) -> None:
    result = run("pcsections", "show", malformed)
    assert (result.exit_code, result.stderr) == (1, "")
    assert "error: function @main, block %entry: !pcsections: operand 0: 's!X' has the unknown option" in result.stdout
    result = run("pcsections", "show", "--json", malformed)
    assert result.exit_code == 1
    assert [problem["severity"] for problem in document(result.stdout)["modules"][0]["findings"]] == ["error"]


def test_show_several_files_and_archives(tagged: Path, malformed: Path) -> None:
    archive = DATA / "lib-gnu.a"
    result = run("pcsections", "show", tagged, archive, "missing.bc", malformed)
    assert (result.exit_code, result.stderr) == (2, "bitcodec: error: missing.bc: No such file or directory\n")
    heads = [line for line in result.stdout.splitlines() if ": requests " in line]
    assert [head.partition(":")[0].removeprefix(f"{DATA}/").partition("(")[0] for head in heads] == [
        str(tagged),
        *["lib-gnu.a"] * 3,
        str(malformed),
    ]
    modules = document(run("pcsections", "show", "--json", tagged, archive).stdout)["modules"]
    assert [bool(module["sections"]) for module in modules] == [True, False, False, False]
    assert [bool(module["member"]) for module in modules] == [False, True, True, True]


def test_notes_are_no_errors(tmp_path: Path) -> None:
    path = tmp_path / "noted.bc"
    run("pcsections", "attach", QUEUE, "--select", "loads", "--section", "my sec", "-o", path)
    assert b"\nnote: function @push" in succeed("pcsections", "show", path)


@needs_llvmlite
def test_compile(tagged: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.o"
    assert succeed("pcsections", "compile", tagged, "-o", output) == b""
    assert output.read_bytes()[:5] == b"\x7fELF\x02"
    i386 = succeed(
        "pcsections", "compile", "-", "-O0", "--target", "i386-linux-gnu", "-o", "-", stdin=tagged.read_bytes()
    )
    assert i386[:5] == b"\x7fELF\x01"


@needs_llvmlite
def test_compiling_what_cannot_be(malformed: Path, tagged: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.o"
    assert "unknown option 'X'" in fail("pcsections", "compile", malformed, "-o", output)
    assert "has no PC sections" in fail("pcsections", "compile", tagged, "--target", "wasm32", "-o", output)
    assert not output.exists()


@pytest.mark.parametrize("options", [["-O", "4"], ["-O", "s"], ["--code-model", "tiny"], ["--relocation-model", "x"]])
def test_wrong_use_of_compile(options: list[str]) -> None:
    assert run("pcsections", "compile", QUEUE, "-o", "-", *options).exit_code == 2


def test_without_llvmlite(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util\nfound = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'llvmlite' else found(name, *rest)\n"
    )
    done = process("pcsections", "map", QUEUE, environment={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (1, b"")
    assert b'llvmlite, which brings LLVM, is not installed: pip install "bitcodec[codegen]"\n' in done.stderr


@needs_llvmlite
def test_map() -> None:
    result = run("pcsections", "map", QUEUE, "-O", "2")
    assert result.exit_code == 0
    assert "lose their !pcsections" in result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["opcode", "instructions", "-O2:", "left", "PCs"]
    assert ["store", "7", "7", "100%", "7"] in lines
    assert lines[-1][:2] == ["all", "66"]


@needs_llvmlite
def test_map_json(tmp_path: Path) -> None:
    output = tmp_path / "map.json"
    options = ["--select", "push:store", "-O0", "-O2", "-O0", "--json", "-o", output]
    assert succeed("pcsections", "map", "-", *options, stdin=QUEUE.read_bytes()) == b""
    found = document(output.read_text())
    assert (found["triple"], found["levels"], found["optimize"]) == ("x86_64-unknown-linux-gnu", [0, 2], False)
    assert [(row["opcode"], row["level"], row["instructions"], row["with_pcs"]) for row in found["opcodes"]] == [
        ("store", 0, 3, 3),
        ("store", 2, 3, 3),
        ("all", 0, 3, 3),
        ("all", 2, 3, 3),
    ]
    first = found["instructions"][0]
    assert (first["function"], first["block"], first["number"]) == ("push", "%6", 8)
    assert first["text"] == "store i64 %8, ptr @refused, align 8"
    assert {level: [pc["symbol"] for pc in pcs] for level, pcs in first["pcs"].items()} == {
        "0": ["push"],
        "2": ["push"],
    }


@needs_llvmlite
def test_map_page(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    result = run("pcsections", "map", QUEUE, "--select", "stores", "--html", path)
    assert "all" in result.stdout
    assert path.read_text().startswith("<!DOCTYPE html>")
    assert run("pcsections", "map", QUEUE, "--select", "stores", "--html", "-").stdout.startswith("<!DOCTYPE html>")


@needs_llvmlite
def test_map_of_nothing() -> None:
    assert "no instruction is chosen" in fail("pcsections", "map", QUEUE, "--select", "functions")


def test_the_group_names_its_commands() -> None:
    text = succeed("pcsections", "--help").decode()
    assert all(f"\n  {command} " in text for command in ("attach", "compile", "decode", "show", "map"))
