"""The YAML of `.mir` files is what LLVM takes for YAML: some of it no other parser takes, or takes differently."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bitcodec import MIRError, mir
from bitcodec.mir.source import Edits, SourceText
from bitcodec.mir.yaml_nodes import YamlMapping, YamlNode, YamlScalar, YamlSequence
from bitcodec.mir.yaml_reader import documents

from .texts import COMMENTED
from .tools import GOLDENS, LLC, X86, run

pytestmark = pytest.mark.same_in_both

F = "name: f\nbody: |\n  bb.0:\n    RET64\n"
G = "name: g\nbody: |\n  bb.0:\n    RET64\n"
IR = "--- |\n  define void @f() { ret void }\n"
MOVE = "$al = MOV8rm $rax, 1, $noreg, 0, $noreg :: (load (s8)),"

TAKEN = {
    "an end of a document before the first start": f"# RUN: llc\n...\n# CHECK: x\n---\n{F}...\n",
    "no start after an end": f"---\n{F}...\n{G}",
    "an end, comments and no start": f"---\n{F}...\n# CHECK-LABEL: name: g\n\n{G}...\n",
    "an empty document at the end": f"---\n{F}...\n---\n...\n",
    "a start at the end": f"---\n{F}---\n",
    "empty documents between others": f"---\n---\n{F}...\n...\n---\n# nothing\n---\n{G}",
    "an empty document before the IR": f"---\n...\n{IR}...\n---\n{F}",
    "no mark between IR and function": IR + F,
    "no mark at all": F,
    "a directive": f"%YAML 1.2\n---\n{F}",
    "directives between documents": f"---\n{F}...\n%TAG ! tag:a,2000:\n%YAML 1.2 # x\n---\n{G}",
    "tabs between tokens": f"---\t# x\nalignment:\t16\t# y\n{F}",
    "a tab after a mark": f"---\nliveins:\n-\t{{ reg: '$rdi' }}\n{F}",
    "a tab between braces": f"---\nliveins: [ {{\treg: '$rdi'\t}}\t]\n{F}",
    "no blank after a comma": f"---\nliveins: [{{reg: '$rdi',virtual-reg: ''}},{{reg: '$rsi'}}]\n{F}",
    "a key in quotes": f"---\n'alignment': 16\n\"liveins\": []\n{F}",
    "a value right behind a key in quotes": f"---\nframeInfo: {{ 'stackSize':8 }}\n{F}",
    "a key with a question mark": f"---\n? alignment\n: 16\n{F}",
    "an anchor and a tag": f"---\nalignment: &a !!int 16\nliveins: !<x> []\n{F}",
    "empty values": f"---\nliveins:\nframeInfo:\nstack: # nothing\n{F}",
    "a list that is not indented": f"---\nliveins:\n- {{ reg: '$rdi' }}\n- reg: '$rsi'\n  virtual-reg: ''\n{F}",
    "braces over lines": f"---\nframeInfo: {{\nstackSize: 8,\n\n  maxAlignment: 4,\n}}\n{F}",
    "a list behind its key": f"---\nliveins: - {{ reg: '$rdi' }}\n         - reg: '$rsi'\n{F}",
    "text over lines": f"---\nliveins:\n  - reg:\n      $rdi\n    virtual-reg: ''\n{F}",
    "indicators of a block": "---\nname: f\nbody: |2-  # x\n  bb.0:\n    RET64\n\n",
    "a comment that ends a body": f"---\n{F} # less than the body\n# not at all\nalignment: 16\n",
    "line breaks of Windows": f"---\n{F}...\n---\n{G}...\n".replace("\n", "\r\n"),
    "a byte order mark": f"\ufeff---\n{F}",
    "no line break at the end": f"---\n{F}"[:-1],
    "attributes that are none": f"---\n{F}".replace("bb.0:", "bb.0 ():"),
    "attributes with gaps": f"---\n{F}".replace("bb.0:", "bb.0 (, align 4,):"),
    "a comma behind the last operand": f"---\n{F}".replace("RET64", "$eax = MOV32ri 1,"),
    "a comma and a comment": f"---\n{F}".replace("RET64", "$eax = MOV32ri 1, /* one */"),
    "memory operands that are none": f"---\n{F}".replace("RET64", "RET64 ::"),
    "a comma behind a memory operand": f"---\n{F}".replace("RET64", MOVE),
    "a mask of no registers": f"---\n{F}".replace("RET64", "CALL64r $rax, CustomRegMask()"),
    "a mask with a comma at its end": f"---\n{F}".replace("RET64", "CALL64r $rax, CustomRegMask($rbx,$rbp,)"),
}


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_what_llc_takes_is_read(text: str) -> None:
    module = mir.loads(text)
    names = re.findall("^name: (.)", text, re.MULTILINE)

    assert [function.name for function in module.functions] == names
    assert (module.ir is None) is (IR not in text)
    assert all([*function.instructions] and function.attributes.value for function in module.functions)
    assert module.dumps() == text
    assert [function.name for function in mir.loads(module.dumps(reprint=True)).functions] == names


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_llc_takes_it(text: str, tmp_path: Path) -> None:
    source, reprinted = tmp_path / "a.mir", tmp_path / "b.mir"
    source.write_bytes(text.encode())
    reprinted.write_bytes(mir.loads(text).dumps(reprint=True).encode())
    first, second = (run(LLC, f"-mtriple={X86}", "-run-pass=none", "-o", "-", path) for path in (source, reprinted))

    assert first.replace("a.mir", "b.mir") == second


def test_words_of_targets_are_operands(tmp_path: Path) -> None:
    source = tmp_path / "a.mir"
    delays = (".id0_VALU_DEP_1", ".id0_TRANS32_DEP_2_skip_SKIP_1_id1_SALU_CYCLE_1")
    lines = "".join(f"    S_DELAY_ALU {delay}\n" for delay in delays)
    source.write_text(f"---\nname: f\nbody: |\n  bb.0:\n{lines}", encoding="utf-8")
    text = run(LLC, "-mtriple=amdgcn", "-mcpu=gfx1100", "-run-pass=none", "-o", "-", source)
    module = mir.loads(text)

    assert tuple(str(each.operands[0]) for each in module.functions[0].instructions) == delays
    assert module.dumps(reprint=True) == text


REFUSED = [
    ("%FOO\n---\n", "'%YAML' or '%TAG' expected", 1, 1),
    (f"%YAML 1.2\n{F}", "'---' expected after directives", 2, 1),
    ("name: @x\n", "the character '@' cannot start a token", 1, 7),
    ("name: 'x\n", "a closing quote expected", 1, 7),
    ('name: "x\\"\n', "a closing quote expected", 1, 7),
    ('name: "x\\q"\n', "no escape sequence begins with 'q'", 1, 9),
    ("name: {a: b\n", "a key, ',' or '}' expected", 2, 1),
    ("name: ['a' 'b']\n", "',' expected", 1, 12),
    ("name: [a\n---\n", "']' expected", 3, 1),
    ("name: 'f'\n ['x']\n", "a key expected", 2, 2),
    ("]\n", "a document expected", 1, 1),
    ("? [a]\n: b\n", "a key is text", 1, 3),
    (": b\n", "a key expected", 1, 1),
    ("? |\n  a\n: b\n", "a key is text", 1, 3),
    ("a: b\n'a': c\n", "the key 'a' occurs twice", 2, 1),
    ("x: [{ a: b, a: c }]\n", "the key 'a' occurs twice", 1, 13),
    ("x:\n  - { a: b, a: c }\n", "the key 'a' occurs twice", 2, 13),
    ("x: &a &b c\n", "one anchor and one tag expected", 1, 7),
    ("x: &\n", "the name of an anchor or a tag expected", 1, 4),
    ("x: {y: |\n  z\n}\n", "outside of brackets", 1, 8),
    ("x: | y\n", "the end of the line expected", 1, 4),
    ("x: |\n\n   \n  y\n", "blank lines at the start of a block", 2, 1),
    ("x:\n  y: |\n     a\n   b\n", "a line is indented less than the block", 4, 4),
    ("x: |\n  a\x07\n", "the character 0x07 is not printable", 2, 4),
    ("x: a\n\tb\n", "a tab cannot be used as indentation", 2, 1),
    ("x: a\n\t\nb: c\n", "a tab cannot be used as indentation", 2, 1),
    ("x: a\n\x7f\n", "the character 0x7f is not printable", 2, 1),
]


@pytest.mark.parametrize(("text", "message", "line", "column"), REFUSED, ids=[each[0] for each in REFUSED])
def test_what_llc_refuses_is_refused(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(MIRError) as caught:
        roots(text)

    assert message in caught.value.reason
    assert (caught.value.line, caught.value.column) == (line, column)


VALUES = [
    ("a", "a"),
    ("-a", "-a"),
    ("a#b:c ", "a#b:c"),
    ("a b # c", "a b"),
    ("a\n  b\n\n  c\n   \n\n  d", "a b\nc\n\nd"),
    ("a\r\n  b\r\n\r\n  c", "a b\nc"),
    ("''", ""),
    ("'a''b'", "a'b"),
    ("'a  \n  b\n\n  c'", "a b\nc"),
    ('"a\\\n  b\\x41\\u00e9\\U0001F389"', "abA\u00e9\U0001f389"),
    ('"a \\  \n b"', "a   b"),
    ('"\\0\\a\\b\\t\\n\\v\\f\\r\\e\\ \\"\\/\\\\\\N\\_\\L\\P"', '\0\a\b\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029'),
    ('"\\ud800\\U00110000\\xzz"', "\ufffd\ufffd"),
    ("|\n  a\n   b\n\n  c\n\n", "a\n b\n\nc\n"),
    ("|-\n  a\n\n", "a"),
    ("|+\n  a\n\n", "a\n\n"),
    ("|1\n  a\n b", " a\nb\n"),
    ("|\n", ""),
    (">\n  a\n  b\n\n  c\n   \n  d\n", "a b\nc\n  d\n"),
    ("[a, 'b', [], [c: d]]", ["a", "b", [], [{"c": "d"}]]),
    ("{a, b: , c: {d: e}, f:g}", {"a": "", "b": "", "c": {"d": "e"}, "f:g": ""}),
    ("\n  - a\n  -\n  - - b\n    - c\n", ["a", [["b", "c"]]]),
    ("\n  - { id: 0, class: gr64,\n      flags: [  ], offset: -8, name: 'a b' }\n",
     [{"id": 0, "class": "gr64", "flags": [], "offset": -8, "name": "a b"}]),
]  # fmt: skip


def roots(text: str) -> list[YamlNode]:
    return [*documents(SourceText(text), Edits())]


@pytest.mark.parametrize(("text", "value"), VALUES, ids=[text for text, _ in VALUES])
def test_values(text: str, value: Any) -> None:
    (root,) = roots(f"x: {text}")

    assert root.value == {"x": value}


def spelled(node: YamlNode) -> Any:
    """Return a node as PyYAML has it if all scalars are text."""
    match node:
        case YamlScalar():
            return node.text
        case YamlSequence():
            return [*map(spelled, node)]
        case YamlMapping():
            return {name: spelled(node[name]) for name in node}
    raise TypeError(node)


def where_ends_differ(node: YamlNode, other: Any, text: str) -> list[str]:
    """Return which scalars are not where PyYAML has them."""
    match node:
        case YamlScalar():
            here = text[node.start : node.end], text[other.start_mark.index : other.end_mark.index]
            return [*here] if here[0] != here[1] else []
        case YamlSequence():
            return [
                each for mine, his in zip(node, other.value, strict=True) for each in where_ends_differ(mine, his, text)
            ]
        case YamlMapping():
            pairs = zip(node, other.value, strict=True)
            return [each for name, (_, his) in pairs for each in where_ends_differ(node[name], his, text)]
    raise TypeError(node)


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_what_llc_wrote_is_what_another_parser_reads(golden: Path) -> None:
    text = gzip.decompress(golden.read_bytes()).decode()
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    found = roots(text)

    assert [spelled(root) for root in found] == [*yaml.load_all(text, Loader=loader)]
    for root, other in zip(found, yaml.compose_all(text, Loader=loader), strict=True):
        assert where_ends_differ(root, other, text) == []


def test_a_block_is_replaced_with_its_line_break() -> None:
    module = mir.loads("name: f\nbody: |\n  bb.0:\nalignment: 16\n")
    body = module.functions[0].attributes["body"]
    assert isinstance(body, YamlScalar)
    body.set("x")

    assert module.dumps() == "name: f\nbody: x\nalignment: 16\n"


def test_entries_of_calls_are_found_in_any_form() -> None:
    lines = "  - bb: 0\n    offset: 2\n    fwdArgRegs: []\n  - { bb: 1, offset: 1, fwdArgRegs: [] }\n"
    text = re.sub(r"(?<=callSites:\n)(?:  .*\n)+", lines, COMMENTED)
    module = mir.loads(text)
    first, second = module.functions[0].blocks
    first.remove(first.instructions[0])
    second.remove(second.instructions[0])

    sites = mir.loads(module.dumps()).functions[0].attributes["callSites"].value
    assert [(site["bb"], site["offset"]) for site in sites] == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "- " * 20_000,
        "{a: " * 20_000,
        "? " * 20_000,
        "x: '" + "a\n" * 20_000,
        'x: "' + "\\" * 20_001,
        "[" + "a: b, " * 10_000 + "&",
        "x: |\n" + " \n" * 20_000 + "  a\n b: [\n",
        "{ " + "a: [ b ], " * 10_000 + "c",
        "---\n" * 20_000 + "]",
        "x: a\n" + " " * 20_000 + "\t:\n]",
        "[" + "a" * 1500 + ": b\n{",
    ],
    ids=lambda text: text[:10],
)
def test_long_texts_are_refused_as_fast_as_they_are_read(text: str) -> None:
    with pytest.raises(MIRError):
        roots(text)
