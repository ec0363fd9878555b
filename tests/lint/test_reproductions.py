"""Every rule finds what it is for in real inputs, is silent once they are fixed, and the fixed inputs link."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.flags import KNOWN_FLAGS, set_flag
from bitcodec.flags.parsing import parse_value
from bitcodec.lint import FLAG_RULES, Finding, FlagLinter, FlagReport
from bitcodec.tables.module_flags import behavior_of

from .reproductions import REPRODUCTIONS, Reproduction, compiler_of, made

LLVM_LINK = "llvm-link-22"
NAMES = ("a.bc", "b.bc", "c.bc")
LITERAL = re.compile(r"-[^\[,(]*[^\[,(=]")
"""An option that can be passed as it is."""
ONE_KIND = {"uwtable"}
"""Flags of which the oldest compiler of the reproductions has one value only: clang 14."""
DESCRIBES_CODE = {"swift-version-mixed", "static-code"}
"""Rules about flags that other compilers wrote for the code as it is: commands that change them would not help."""
NODE = re.compile(r"'(?:<0x|<address>|!\{|distinct !\{).*?' from")
"""A value of which LLVM prints the address."""


def lint(inputs: Sequence[bytes]) -> FlagReport:
    linter = FlagLinter()
    for name, data in zip(NAMES, inputs, strict=False):
        linter.add(bitcodec.loads(data), name)
    return linter.report()


def bitcode(sources: Sequence[str]) -> list[bytes]:
    return [made(source, f"unit{number}") for number, source in enumerate(sources)]


def found_by(rule: str, key: str, report: FlagReport) -> list[Finding]:
    return [finding for finding in report.findings if (finding.rule, finding.subject) == (rule, key)]


def llvm_link(inputs: Sequence[bytes], folder: Path) -> list[str]:
    """Return the messages of `llvm-link` about flags."""
    names = NAMES[: len(inputs)]
    for name, data in zip(names, inputs, strict=True):
        (folder / name).write_bytes(data)
    done = ask([LLVM_LINK, *names, "-o", os.devnull], cwd=folder, text=True)
    messages = ("error: ", "warning: linking module flags")
    found = [NODE.sub("NODE from", line) for line in done.stderr.splitlines() if line.startswith(messages)]
    if done.returncode and not found:  # the verifier of the linked module has no prefix
        found.append(f"error: {done.stderr.splitlines()[0]}")
    return found


def predicted(report: FlagReport) -> list[str]:
    messages = report.predictions[0].messages
    return [NODE.sub("NODE from", f"{'error' if each.is_error else 'warning'}: {each.text}") for each in messages]


def without_compiling(data: bytes, finding: Finding) -> bytes:
    """Return an input with the steps of the fix."""
    module = bitcodec.loads(data)
    for verb, text, *options in finding.fix.steps:
        if verb == "remove":
            module.flags.remove(text)
            continue
        key, _, value = text.partition("=")
        set_flag(module, key, parse_value(value, module.context), behavior_of(options[1]))
    return bitcodec.dumps(module)


@pytest.mark.parametrize(
    "case", [pytest.param(each, id=f"{number}-{each.rule}") for number, each in enumerate(REPRODUCTIONS)]
)
def test_rule(case: Reproduction, tmp_path: Path) -> None:
    inputs = bitcode(case.inputs)
    report = lint(inputs)
    messages = llvm_link(inputs, tmp_path)

    (finding,) = found_by(case.rule, case.key, report)
    assert report.predictions[0].is_stopped is case.stops
    assert messages == predicted(report) or case.rule == "malformed-flag"  # LLVM crashes, or refuses to load it

    assert found_by(case.rule, case.key, lint(bitcode(case.fixed))) == []
    assert llvm_link(bitcode(case.fixed), tmp_path) == []

    advised = as_advised(case, finding)
    assert found_by(case.rule, case.key, lint(advised)) == []
    assert not [message for message in llvm_link(advised, tmp_path) if f"'{case.key}'" in message]


def as_advised(case: Reproduction, finding: Finding) -> list[bytes]:
    """Return the inputs with what the finding advises, to its end: its commands, or compiled again with its option.

    There are commands only for flags that do not describe code that exists already.
    """
    odd = [name in finding.odd_inputs for name in NAMES[: len(case.inputs)]]
    if finding.fix.steps:
        inputs = bitcode(case.inputs)
        return [without_compiling(data, finding) if is_odd else data for data, is_odd in zip(inputs, odd, strict=True)]
    assert not KNOWN_FLAGS[case.key].is_settable
    assert case.rule in DESCRIBES_CODE or any(map(compiler_of, case.inputs))
    option = finding.fix.options.get("clang", "")
    if case.key in ONE_KIND or not LITERAL.fullmatch(option) or any(compiler_of(each) is None for each in case.inputs):
        return bitcode(case.fixed)
    return bitcode([f"{each} {option}" if is_odd else each for each, is_odd in zip(case.inputs, odd, strict=True)])


def test_every_rule_has_a_reproduction() -> None:
    assert {case.rule for case in REPRODUCTIONS} == {rule.identifier for rule in FLAG_RULES}


def test_the_page_has_all_rules() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", "import sys, rule_page; sys.stdout.buffer.write(rule_page.rule_page().encode())"]
    made = subprocess.run(command, cwd=root / "docs_build", capture_output=True, check=True)

    page = root / "docs" / "module-flag-rules.md"
    assert page.read_bytes() == made.stdout, "python docs_build/rule_page.py writes it again"


def commands() -> list[str]:
    """Return the commands of clang in reproductions."""
    return [
        source
        for source in dict.fromkeys(each for case in REPRODUCTIONS for each in case.inputs)
        if compiler_of(source)
    ]


@pytest.mark.parametrize("command", commands())
def test_inputs_of_one_command_have_no_findings(command: str) -> None:
    assert lint(bitcode([command, command])).findings == ()
