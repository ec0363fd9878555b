"""Whatever a file holds, what comes of it is a module or an error that says where."""

from __future__ import annotations

import gzip
import os
import random
import re
from pathlib import Path

import pytest

from amounts import amount
from bitcodec import BitcodecError, MIRError, mir
from bitcodec.mir import CImmediate

from .texts import COMMENTED
from .tools import GOLDENS

COUNT = int(os.environ.get("BITCODEC_MIR_MUTATIONS", amount(28, 150)))

SMALL = "---\nname: f\nbody: |\n  bb.0:\n    NOOP\n...\n"

NO_YAML = "no YAML: "

REFUSED = [
    ("--- [\n", NO_YAML, 2, 1),
    ("---\nname: f\nname: g\n", "the key 'name' occurs twice", 3, 1),
    ("---\nname: f\nx: *a\n", "aliases have no meaning", 3, 4),
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
    (SMALL.replace("NOOP", "NOOP\n  bb.0:"), "this basic block is defined twice", 6, 3),
    (SMALL.replace("NOOP", "NOOP {"), "'}' expected: a bundle is not closed", 6, 1),
    (SMALL.replace("NOOP", "NOOP {\n  bb.1:"), "'}' expected: a bundle is not closed", 6, 3),
    (SMALL.replace("NOOP", "NOOP {\n    NOOP {"), "bundles do not nest", 6, 10),
    (SMALL.replace("NOOP", "{ NOOP }"), "an instruction expected before a bundle", 5, 5),
    (SMALL.replace("NOOP", "NOOP }"), "an operand expected, not '}'", 5, 10),
    (SMALL.replace("NOOP", "}"), "an instruction expected", 5, 5),
    (SMALL.replace("NOOP", "NOOP\n    liveins: $rax"), "lists of a block stand before its instructions", 6, 5),
    (SMALL.replace("NOOP", "liveins: $rax:x"), "a lane mask expected, not 'x'", 5, 19),
    (SMALL.replace("NOOP", "successors: %bb.1 %bb.2"), "the end of the line expected", 5, 23),
    (SMALL.replace("NOOP", "MOV 18446744073709551616"), "an immediate between -9223372036854775808 and", 5, 9),
    (SMALL.replace("NOOP", "MOV -9223372036854775809"), "an immediate between", 5, 9),
    (SMALL.replace("NOOP", "MOV " + "9" * 5000), "an immediate between", 5, 9),
    (SMALL.replace("NOOP", "MOV i0 0"), "an integer type of at most 8388608 bits expected, not 'i0'", 5, 9),
    (SMALL.replace("NOOP", "MOV i8388609 0"), "an integer type of at most 8388608 bits expected", 5, 9),
    (SMALL.replace("NOOP", f"MOV i{'9' * 5000} 0"), "an integer type of at most 8388608 bits expected", 5, 9),
    (SMALL.replace("NOOP", "MOV i8 0x1F"), "an integer expected, not '0x1F'", 5, 12),
    (SMALL.replace("NOOP", "MOV i8 true"), "an integer expected, not 'true'", 5, 12),
    (SMALL.replace("NOOP", "MOV lanemask(0xK12)"), "a number expected, not '0xK12'", 5, 18),
    (SMALL.replace("NOOP", "MOV %4294967296"), "the number of a virtual register, at most 32 bits wide", 5, 9),
    (SMALL.replace("NOOP", "MOV %" + "1" * 5000), "the number of a virtual register", 5, 9),
    (SMALL.replace("NOOP", "MOV :: (load -5)"), "'(' expected, not '-5'", 5, 18),
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


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("MOV 01", "MOV 1"),
        ("MOV -007", "MOV -7"),
        ("MOV 18446744073709551615", "MOV -1"),
        ("MOV 9223372036854775808", "MOV -9223372036854775808"),
        ("MOV i1 5", "MOV i1 true"),
        ("MOV i1 -1", "MOV i1 true"),
        ("MOV i1 4", "MOV i1 false"),
        ("MOV i8 300", "MOV i8 44"),
        ("MOV i8 200", "MOV i8 -56"),
        ("MOV i8 -200", "MOV i8 56"),
        ("MOV i8 -128", "MOV i8 -128"),
        ("MOV i08 5", "MOV i8 5"),
        ("MOV %01", "MOV %1"),
    ],
)
def test_numbers_are_read_as_llc_reads_them(written: str, read: str) -> None:
    """What llc-22 prints of each with `-run-pass=none`."""
    module = read_all(SMALL.replace("NOOP", written))

    assert module.dumps() == SMALL.replace("NOOP", written)
    assert module.dumps(reprint=True) == SMALL.replace("NOOP", read)


def test_constants_that_were_made_are_printed() -> None:
    assert str(CImmediate("i1", 5)) == "i1 true"
    assert str(CImmediate("i1", -1)) == "i1 true"
    assert str(CImmediate("i1", 0)) == "i1 false"


def test_the_greatest_register_has_no_successor() -> None:
    function = read_all(SMALL.replace("NOOP", "MOV %4294967295")).function("f")
    with pytest.raises(MIRError, match="no number is left"):
        function.new_virtual_register("gr32")


def test_numbers_of_registers_that_none_can_have_count_for_nothing() -> None:
    listed = f"registers: [{{ id: {'1' * 5000} }}, {{ id: 4294967296 }}, {{ id: 7 }}]\nbody"
    function = read_all(SMALL.replace("body", listed)).function("f")
    assert function.new_virtual_register("gr32").name == "%8"


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


TOKEN = re.compile(r"<mcsymbol [^>]*>|[%$@!&][-\w.$]+|\"[^\"]*\"|-?[0-9.]+|[A-Za-z_][-\w.]*|\s+|.")
NUMBERS = ["01", "-007", "0x1F", "0xK1", "-0", "1" * 19, "1" * 20, "1" * 5000, "i0", "i1", "i8", "i99999999999", "%01"]
NUMBERS += ["-9223372036854775809", "4294967296", "%4294967296", "!00", "@00", "\u0661", "1.", "true", "undef"]


def body_lines(golden: Path) -> list[list[str]]:
    """Return the tokens of each line of a body."""
    text = gzip.decompress(golden.read_bytes()).decode()
    bodies = re.findall(r"^body: .*\n((?:(?: .*)?\n)*)", text, re.MULTILINE)
    return [TOKEN.findall(line.strip()) for body in bodies for line in body.splitlines() if line.startswith("    ")]


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_other_tokens(golden: Path) -> None:
    source = random.Random(golden.name)
    lines = body_lines(golden)
    pool = [*dict.fromkeys(token for line in lines for token in line)]
    for _ in range(COUNT * 4):
        line = [*source.choice(lines)]
        for _ in range(source.randint(1, 3)):
            place = source.randrange(len(line))
            line[place : place + source.randint(0, 1)] = [source.choice(source.choice((pool, NUMBERS)))]
        changed = SMALL.replace("NOOP", "".join(line))
        module = read_or_error(changed)
        if isinstance(module, BitcodecError):
            assert isinstance(module, MIRError)
            continue
        (function,) = module.functions
        names = {str(operand) for made in function.instructions for operand in made.operands}
        assert function.new_virtual_register("gr64").name not in names
        assert module.dumps() == changed
        anew = module.dumps(reprint=True)
        again = read_all(anew)
        assert again.dumps(reprint=True) == anew
        assert said(again) == said(module)


def said(module: mir.MachineModule) -> list[tuple[object, ...]]:
    """Return all that the instructions of a module say; their operands are read and printed for it."""
    found = [*module.functions[0].instructions]
    for instruction in found:
        assert all(map(repr, (instruction, *instruction.operands)))
    return [instruction.said() for instruction in found]


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
