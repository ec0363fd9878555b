"""Whatever a file holds, what comes of it is a module or an error that says where."""

from __future__ import annotations

import gzip
import os
import random
from pathlib import Path

import pytest
import yaml

from bitcodec import BitcodecError, MIRError, mir

from .texts import COMMENTED
from .tools import GOLDENS

COUNT = int(os.environ.get("BITCODEC_MIR_MUTATIONS", "150"))

SMALL = "---\nname: f\nbody: |\n  bb.0:\n    NOOP\n...\n"

NO_YAML = "no YAML: "

REFUSED = [
    ("--- [\n", NO_YAML, 2, 1),
    ("---\nname: f\nname: g\n", "the key 'name' stands twice", 3, 1),
    ("---\nname: &a f\n", "anchors and aliases have no meaning", 2, 7),
    ("---\nname: f\nx: *a\n", "anchors and aliases have no meaning", 3, 4),
    ("---\nname: !!int 3\n", "the tag tag:yaml.org,2002:int has no meaning", 2, 7),
    ("---\nname: f\nx: !!seq [1]\n", "the tag tag:yaml.org,2002:seq has no meaning", 3, 4),
    ("---\nname: f\nx: ! 1\n", "the tag ! has no meaning", 3, 4),
    ("---\n? [a]\n: b\n", "a key is text", 2, 3),
    ("---\nname: f\nx: " + "[" * 100_000, "nested more than 32 deep", 3, 35),
    ("---\nname: f\nx: \x07\n", NO_YAML, 3, 4),
    ("---\nname: f\n\tx: 1\n", NO_YAML, 3, 1),
    ("---\n- f\n", "a machine function expected", 2, 1),
    ("---\nbody: |\n  bb.0:\n", "a machine function expected", 2, 1),
    ('--- "define void @f()"\n', "LLVM IR expected", 1, 5),
    (SMALL.replace("NOOP", "NOOP %"), "an operand expected, not '%'", 5, 10),
    (SMALL.replace("body: |", "body: >"), "a body expected: 'body: |'", 3, 7),
    (SMALL.replace("bb.0:", "NOOP"), "a basic block expected before instructions", 4, 3),
    (SMALL.replace("bb.0:", "bb.x:"), "the number of a basic block expected", 4, 3),
    (SMALL.replace("bb.0:", "bb.0 (odd):"), "an attribute of a basic block expected, not 'odd'", 4, 9),
    (SMALL.replace("NOOP", "NOOP\n  bb.0:"), "this basic block stands twice", 6, 3),
    (SMALL.replace("NOOP", "NOOP {"), "'}' expected: a bundle is not closed", 6, 1),
    (SMALL.replace("NOOP", "NOOP {\n  bb.1:"), "'}' expected: a bundle is not closed", 6, 3),
    (SMALL.replace("NOOP", "NOOP {\n    NOOP {"), "bundles do not nest", 6, 10),
    (SMALL.replace("NOOP", "{ NOOP }"), "an instruction expected before a bundle", 5, 5),
    (SMALL.replace("NOOP", "NOOP }"), "an operand expected, not '}'", 5, 10),
    (SMALL.replace("NOOP", "}"), "an instruction expected", 5, 5),
    (SMALL.replace("NOOP", "NOOP\n    liveins: $rax"), "lists of a block stand before its instructions", 6, 5),
    (SMALL.replace("NOOP", "liveins: $rax:x"), "a lane mask expected, not 'x'", 5, 19),
    (SMALL.replace("NOOP", "successors: %bb.1 %bb.2"), "the end of the line expected", 5, 23),
    (SMALL.replace("body", "callSites: [{ bb: 0, offset: 7 }]\nbody"), "the place of an instruction expected", 3, 13),
]


def read_all(text: str) -> mir.MachineModule:
    module = mir.loads(text)
    for function in module.functions:
        for instruction in function.instructions:
            assert instruction.function is function
    return module


@pytest.mark.parametrize(("text", "message", "line", "column"), REFUSED, ids=[each[1][:30] for each in REFUSED])
def test_what_is_refused(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(MIRError) as caught:
        read_all(text)

    assert message in caught.value.reason
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value) == f"{caught.value.reason} (line {line}, column {column})"


@pytest.mark.parametrize(("text", "message", "line", "column"), REFUSED, ids=[each[1][:30] for each in REFUSED])
def test_without_libyaml_it_is_refused_too(
    text: str, message: str, line: int, column: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader")
    with pytest.raises(MIRError) as caught:
        read_all(text)

    assert message in caught.value.reason
    if message != NO_YAML:  # where the two parsers of PyYAML give up differs
        assert (caught.value.line, caught.value.column) == (line, column)


def test_without_libyaml_files_are_read_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    text = gzip.decompress(min(GOLDENS, key=lambda path: path.stat().st_size).read_bytes()).decode()

    assert read_all(COMMENTED).dumps() == COMMENTED
    assert read_all(text).dumps(reprint=True) == text


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(MIRError, match=r"byte 0xff is not UTF-8 \(line 2, column 7\)"):
        mir.loads(b"---\nname: \xff\n")
    with pytest.raises(MIRError, match=r"not UTF-8"):
        mir.loads("---\nname: \ud800\n")


def test_a_file_of_nothing() -> None:
    assert mir.loads("").functions == []
    assert mir.loads(b"").dumps() == ""


JUNK = ["(", ")", "{", "}", ",", ":", "::", "%", "$", "!", '"', "'", "`", "<", ">", "/*", "*/", ";", "\t", "\r", "\x00"]
JUNK += ["\n", "---\n", "...\n", "&a ", "*a ", "!!str ", "[", "|", "9" * 50, "bb.0:", "%bb.", "target-flags(", "escape"]


def mutated(text: str, source: random.Random) -> str:
    """Return a text with a few characters changed, put in, taken out or copied from elsewhere."""
    for _ in range(source.randint(1, 4)):
        place = source.randrange(len(text))
        other = source.randrange(len(text))
        match source.randrange(4):
            case 0:
                text = text[:place] + source.choice(JUNK) + text[place:]
            case 1:
                text = text[:place] + text[place + source.randint(1, 20) :]
            case 2:
                text = text[:place] + chr(source.randrange(32, 127)) + text[place + 1 :]
            case _:
                text = text[:place] + text[other : other + source.randint(1, 60)] + text[place:]
    return text


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_mutations(golden: Path) -> None:
    text = gzip.decompress(golden.read_bytes()).decode()
    for seed in range(COUNT // len(GOLDENS)):
        changed = mutated(text, random.Random(seed))
        module = read_or_error(changed)
        if isinstance(module, BitcodecError):
            assert "\n" not in str(module)
            assert getattr(module, "line", 0) > 0
            continue
        assert module.dumps() == changed
        anew = module.dumps(reprint=True)
        assert read_all(anew).dumps(reprint=True) == anew


def read_or_error(text: str) -> mir.MachineModule | BitcodecError:
    try:
        return read_all(text)
    except BitcodecError as error:
        return error


@pytest.mark.parametrize(
    "text",
    [
        "/*" * 100_000,
        "9" * 200_000 + "x",
        "NOOP " + "%bb." + "9" * 100_000,
        "NOOP !" + "9" * 100_000,
        "NOOP %stack." + "9" * 100_000,
        "NOOP !DIExpression(" + "(" * 200_000,
        "killed " * 100_000,
        '<mcsymbol "' * 50_000,
        "$rax, " * 50_000,
    ],
    ids=lambda text: text[:20],
)
def test_long_lines_are_refused_as_fast_as_they_are_read(text: str) -> None:
    with pytest.raises(MIRError):
        read_all(SMALL.replace("NOOP", text))


@pytest.mark.parametrize("node", ["!{" + " " * 200_000, '!{!"s", a' + " " * 200_000 + "!}", "!{" + "} " * 100_000])
def test_long_nodes_are_refused_as_fast_as_they_are_read(node: str) -> None:
    module = mir.loads(COMMENTED.replace('!{!"s0", double 1.0}', node))

    with pytest.raises(BitcodecError):
        module.pcsections(3)
