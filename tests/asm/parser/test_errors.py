"""Malformed text: what llvm-as 22 reports, where it reports it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bitcodec
from answers import ask

MALFORMED: list[tuple[str, str]] = json.loads((Path(__file__).parent / "module_errors.json").read_text())
"""Texts, and what llvm-as 22 says of each: line, column and message, nothing if it accepts it."""


def refusal(text: str, **options: int) -> str:
    """Return the error of a text, empty if it is a module."""
    try:
        bitcodec.parse_assembly(text, dialect=options.get("dialect", 22))
    except bitcodec.AssemblyError as error:
        return str(error)
    return ""


def test_errors_are_those_of_llvm() -> None:
    assert {text: refusal(text) for text, _ in MALFORMED} == dict(MALFORMED)


@pytest.mark.same_in_both
@pytest.mark.parametrize("text", [text for text, _ in MALFORMED[::20]])
def test_llvm_reports_the_same(text: str) -> None:
    command = ["llvm-as-22", "-disable-output", "-disable-verify", "-"]
    done = ask(command, input=text)
    error = done.stderr.decode().split("\n")[0].rpartition("<stdin>:")[2].replace(": error:", ":", 1)
    assert (error if done.returncode else "") == dict(MALFORMED)[text]


def answer(text: str) -> str:
    """Return the error of LLVM 22, empty if the text is a module."""
    done = ask(["llvm-as-22", "-disable-output", "-disable-verify", "-"], input=text, text=True)
    return done.stderr.split("\n")[0].rpartition("<stdin>:")[2].replace(": error:", ":", 1) if done.returncode else ""


@pytest.mark.parametrize("word", ["null", "none", "undef", "poison", "zeroinitializer"])
def test_plain_constants_have_types_that_fit(word: str) -> None:
    types = ("i32", "ptr", "token", "float", "label", "metadata", "{ i8, token }", 'target("spirv.Image", i32)')
    texts = [f"define void @f({type_} %p) {{\n  call void @g({type_} {word})\n  ret void\n}}" for type_ in types]

    assert [refusal(text) for text in texts] == [answer(text) for text in texts]


def test_constraints_of_old_assembly_are_not_checked() -> None:
    text = 'define void @f() {\n  call void asm "", "r"()\n  ret void\n}'
    assert refusal(text) == "2:13: number of input constraints does not match number of parameters"
    assert refusal(text, dialect=7) == ""


def test_summaries_of_printed_intrinsics_are_kept_unless_the_text_is_of_llvm_22() -> None:
    text = '^0 = module: (path: "a", hash: (1, 2, 3, 4, 5))\n^1 = gv: (name: "llvm.memcpy.p0i8.p0i8.i64")'
    assert refusal(text, dialect=21) == ""
    assert bitcodec.parse_assembly(text).summary is not None
    assert refusal(text) == '2:11: Reference to undefined global "llvm.memcpy.p0i8.p0i8.i64"'


@pytest.mark.parametrize(("label", "kind"), [("b", "named"), ("2", "numbered")])
def test_labels_whose_name_was_used_as_a_value(label: str, kind: str) -> None:
    body = f"  %y = add i32 %x, %{label}\n  br label %c\n{label}:\n  ret void\nc:\n  ret void\n"
    with pytest.raises(bitcodec.AssemblyError) as caught:
        bitcodec.parse_assembly(f"define void @f(i32 %x) {{\n{body}}}\n", dialect=22)
    assert str(caught.value) == f"4:1: unable to create block {kind} '{label}'"
