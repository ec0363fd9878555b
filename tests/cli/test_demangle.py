"""Names of C++ and Rust as people read them: `nm -C`, `info -C`, `diff -C`."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.symbols import demangling
from corpus import FOLDER, needs_corpus

from .documents import document
from .running import fail, llvm_process, run, succeed

QUEUE = Path(__file__).parents[2] / "examples" / "queue.bc"
NAMES = {
    "push": "_ZN5queue4pushEi",
    "pop": "?pop@queue@@YAHXZ",
    "drain": "_RNvC5queue5drain",
    "tail": "_ZN5queue4tailE",
}
DEMANGLED = ("queue::push(int)", "int __cdecl queue::pop(void)", "queue::drain", "queue::tail")

needs_library = pytest.mark.skipif(not demangling.has_demangler(), reason="pycxxfilt is not installed")


@pytest.fixture
def mangled(tmp_path: Path) -> Path:
    """Return the example module with names of C++ and Rust."""
    module = bitcodec.open(QUEUE)
    for name, other in NAMES.items():
        module.symbols[name].name = other
    path = tmp_path / "mangled.bc"
    bitcodec.save(module, path)
    return path


@needs_library
def test_nm(mangled: Path) -> None:
    plain, shown = (succeed("nm", *options, mangled).decode().splitlines() for options in ([], ["-C"]))
    names = dict(zip(NAMES.values(), DEMANGLED, strict=True))
    assert shown == [line[:19] + names.get(line[19:], line[19:]) for line in plain]
    assert set(DEMANGLED) <= {line[19:] for line in shown}
    (stream,) = document(succeed("nm", "-C", "--json", mangled))["streams"]
    found = {symbol["name"]: symbol["demangled"] for symbol in stream["symbols"]}
    assert (found["_ZN5queue4pushEi"], found["report"]) == ("queue::push(int)", None)


@needs_library
@needs_corpus
def test_nm_is_llvm_nm() -> None:
    mangled = 0
    for path in sorted((FOLDER / "modules").glob("*-22.bc")):
        plain, shown = (run("nm", *options, path).stdout_bytes for options in ([], ["-C"]))
        if plain != shown and b'"' not in plain:  # names that are not printable are quoted here
            mangled += 1
            # Symbols of the same name are in any order there.
            assert sorted(shown.splitlines()) == sorted(llvm_process("llvm-nm", "-C", path).stdout.splitlines())
    assert mangled > 5


@needs_library
def test_info(mangled: Path) -> None:
    text = " ".join(succeed("info", "-C", mangled).decode().split())
    assert all(name in text for name in DEMANGLED)
    symbols = succeed("info", "-C", "--symbols", mangled).decode()
    assert all(f" {name}\n" in symbols for name in DEMANGLED)
    (stream,) = document(succeed("info", "-C", "--json", mangled))["streams"]
    shown = {symbol["name"]: symbol["demangled"] for symbol in stream["modules"][0]["symbols"]}
    assert [shown[name] for name in NAMES.values()] == list(DEMANGLED)


@needs_library
def test_diff(mangled: Path) -> None:
    brief = run("diff", "-C", "--brief", QUEUE, mangled).stdout.splitlines()
    assert "+ @_ZN5queue4pushEi queue::push(int)" in brief
    assert "- @push" in brief
    assert "+++ b/@_ZN5queue4pushEi queue::push(int)\n" in run("diff", "-C", QUEUE, mangled).stdout
    (pair,) = document(run("diff", "-C", "--json", QUEUE, mangled).stdout)["comparisons"]
    assert {"queue::push(int)", None} <= {each.get("demangled") for each in pair["differences"]}


@pytest.mark.parametrize("command", [["nm", "{}"], ["info", "{}"], ["diff", "{}", "{}"]])
def test_without_the_library(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demangling, "_demanglers", lambda: None)
    line = fail(*(word.format(QUEUE) for word in command), "-C", code=2 if command[0] == "diff" else 1)
    assert line == f"bitcodec: error: {demangling.MissingDemanglerError()}\n"
