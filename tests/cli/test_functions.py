"""Functions that the user names: by name, demangled name, glob pattern and regular expression."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.cli.functions import functions_named
from bitcodec.cli.problems import Failure
from bitcodec.errors import BitcodeError
from bitcodec.symbols import demangling
from corpus import FOLDER, needs_corpus

from .running import fail, llvm_process, run, succeed

QUEUE = Path(__file__).parents[2] / "examples" / "queue.bc"
NAMES = {
    "push": "_ZN5queue4pushEi",
    "pop": "_ZN5queue4pushEj",
    "drain": "_ZN5queue3maxIiEET_S1_",
    "acquire": "_ZN4core3fmt17h0123456789abcdefE",
    "release": "?release@queue@@YAHXZ",
}

needs_library = pytest.mark.skipif(not demangling.has_demangler(), reason="pycxxfilt is not installed")


def defined(data: bytes) -> list[str]:
    return [function.name for function in bitcodec.loads(data).functions if not function.is_declaration]


@pytest.fixture
def mangled(tmp_path: Path) -> Path:
    module = bitcodec.open(QUEUE)
    for name, other in NAMES.items():
        module.symbols[name].name = other
    path = tmp_path / "mangled.bc"
    bitcodec.save(module, path)
    return path


@needs_library
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("queue::push(int)", ["push"]),
        ("queue::push", ["push", "pop"]),
        ("int queue::max<int>(int)", ["drain"]),
        ("queue::max<int>", ["drain"]),
        ("queue::max", ["drain"]),
        ("core::fmt::h0123456789abcdef", ["acquire"]),
        ("core::fmt", ["acquire"]),
        ("queue::release", ["release"]),
        ("queue::p*", ["push", "pop"]),
        ("_ZN5queue*", ["push", "pop", "drain"]),
        ("@_ZN5queue4pushEi", ["push"]),
        ("push", []),
        ("queue", []),
    ],
)
def test_names_and_patterns(name: str, found: list[str], mangled: Path) -> None:
    chosen = functions_named(bitcodec.open(mangled), name)
    assert sorted(function.name for function in chosen) == sorted(NAMES[each] for each in found)


@pytest.mark.parametrize("name", ["push", "p*"])
def test_declarations_that_cannot_be_read_are_reported_with_the_file(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_module: bitcodec.Module) -> None:
        raise BitcodeError("NODE record: has too few operands", 64)

    module = bitcodec.open(QUEUE)
    monkeypatch.setattr(bitcodec.Module, "functions", property(refuse))
    with pytest.raises(Failure, match=r"queue\.bc: NODE record: has too few operands"):
        functions_named(module, name)


def test_patterns_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demangling, "_demanglers", lambda: None)
    text = succeed("dis", QUEUE, "--function", "p*").decode()
    assert [line.split("@")[1].split("(")[0] for line in text.splitlines() if line.startswith("define")] == [
        "push",
        "pop",
    ]
    line = fail("dis", QUEUE, "--function", "queue::push(int)")
    assert line.endswith(f"no function queue::push(int); {demangling.MissingDemanglerError()}\n")


@needs_library
def test_commands_take_demangled_names(mangled: Path) -> None:
    text = succeed("dis", mangled, "--function", "queue::push").decode()
    assert text.count("\ndefine ") + text.startswith("define") == 2
    assert "queue::push" not in run("diff", mangled, mangled, "--function", "queue::push").stderr
    assert defined(succeed("extract-function", mangled, "queue::push(int)", "-o", "-")) == [NAMES["push"]]


def test_extracting_by_pattern() -> None:
    assert defined(succeed("extract-function", QUEUE, "--glob", "p*", "-o", "-")) == ["push", "pop"]
    assert defined(succeed("extract-function", QUEUE, "p*", "-o", "-")) == ["push", "pop"]
    data = succeed("extract-function", QUEUE, "drain", "--regex", "^po", "--regex", "quire", "-o", "-")
    assert sorted(defined(data)) == ["acquire", "drain", "pop"]
    assert "no function that is defined there" in fail("extract-function", QUEUE, "--glob", "rep*", "-o", "-")
    assert run("extract-function", QUEUE, "--regex", "(", "-o", "-").exit_code == 2
    assert run("extract-function", QUEUE, "-o", "-").exit_code == 2


def test_deleting() -> None:
    before = defined(QUEUE.read_bytes())
    data = succeed("extract-function", QUEUE, "--delete", "pop", "-o", "-")
    assert defined(data) == [name for name in before if name != "pop"]
    data = succeed("extract-function", QUEUE, "--delete", "-r", "push", "-o", "-")
    assert set(before) - set(defined(data)) == {"push", "acquire", "release"}


@needs_corpus
@pytest.mark.parametrize("options", [[], ["--recursive"]])
@pytest.mark.parametrize(
    ("name", "function"), [("linkage-O2-22.bc", "driver"), ("classes-O2-22.bc", None), ("ir_types-22.bc", None)]
)
def test_deleting_is_llvm_extract(name: str, function: str | None, options: list[str]) -> None:
    path = FOLDER / "modules" / name
    function = function or defined(path.read_bytes())[0]
    theirs = llvm_process("llvm-extract", "-S", "--delete", f"--func={function}", *options, name, folder=path.parent)
    ours = succeed("extract-function", path, function, "--delete", *options, "-o", "-")
    assert str(bitcodec.loads(ours, name)) == theirs.stdout.decode()
