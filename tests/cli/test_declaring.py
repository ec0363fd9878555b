"""Command lines that are read without click have the values that click gives."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bitcodec.cli import _COMMANDS, _root
from bitcodec.cli.declaring import Command, CommandGroup, IntRange, WordChoice, argument, command, option

from .running import run

SEEN: list[dict[str, Any]] = []


@command(short_help="For tests.")
@argument("first")
@argument("rest", nargs=-1, metavar="REST...")
@argument("last")
@option("-o", "--output", default="-", metavar="FILE")
@option("--name", "names", multiple=True)
@option("-q", "--be-quiet", is_flag=True)
@option("--color", type=WordChoice(("auto", "never")), default="auto")
@option("-n", "--number", type=IntRange(0, 9), default=3)
def sample(**values: Any) -> None:
    SEEN.append(values)


@command()
@argument("files", nargs=-1, required=True)
@option("-o", "--output", required=True)
def strict(**values: Any) -> None:
    SEEN.append(values)


@command()
@argument("key", required=False)
def optional(**values: Any) -> None:
    SEEN.append(values)


def by_click(declared: Command, texts: list[str]) -> dict[str, Any] | None:
    SEEN.clear()
    result = CliRunner().invoke(declared.click_command, texts)
    assert result.exit_code in (0, 2)
    return SEEN.pop() if SEEN else None


RIGHT = [
    (sample, ["a", "b"]),
    (sample, ["a", "b", "c", "d"]),
    (sample, ["-q", "a", "-", "-o", "x"]),
    (sample, ["a", "--output=x=y", "b", "--name", "1", "--name=2", "-n", "9"]),
    (sample, ["a", "b", "-o", "1", "-o", "2", "--color", "never", "--number", "0"]),
    (sample, ["--output", "-", "a b", "é"]),
    (strict, ["a", "-o", "x"]),
    (strict, ["-o", "x", "a", "b"]),
]
LEFT_TO_CLICK = [
    (optional, []),
    (sample, []),
    (sample, ["a"]),
    (sample, ["a", ""]),
    (sample, ["a", "--", "-b"]),
    (sample, ["a", "b", "-o"]),
    (sample, ["a", "b", "-ox"]),
    (sample, ["a", "b", "-qo", "x"]),
    (sample, ["a", "b", "-o", "-q"]),
    (sample, ["a", "b", "--be-quiet=1"]),
    (sample, ["a", "b", "--color", "red"]),
    (sample, ["a", "b", "-n", "10"]),
    (sample, ["a", "b", "-n", "-1"]),
    (sample, ["a", "b", "-n", "\u0661"]),
    (sample, ["a", "b", "--unknown"]),
    (sample, ["--help"]),
    (strict, ["-o", "x"]),
    (strict, ["a"]),
]


@pytest.mark.parametrize(("declared", "texts"), RIGHT)
def test_values_are_those_of_click(declared: Command, texts: list[str]) -> None:
    read = declared.read(texts)
    assert read is not None
    assert read == by_click(declared, texts)


@pytest.mark.parametrize(("declared", "texts"), LEFT_TO_CLICK)
def test_the_rest_is_left_to_click(declared: Command, texts: list[str]) -> None:
    assert declared.read(texts) is None
    by_click(declared, texts)


def test_names_of_parameters_are_those_of_click() -> None:
    pending: list[CommandGroup | Command] = [_root]
    seen = 0
    while pending:
        declared = pending.pop()
        if isinstance(declared, CommandGroup):
            found = [declared.find(name) for name in declared.names]
            pending += [each for each in found if each is not None]
            assert None not in found
            continue
        assert [each.name for each in declared.parameters] == [each.name for each in declared.click_command.params]
        seen += 1
    assert seen > len(_COMMANDS)


def test_every_command_is_in_its_group() -> None:
    groups = [_root, *(each for each in map(_root.find, _root.names) if isinstance(each, CommandGroup))]
    for each in groups:
        (folder,) = import_module(each.package).__path__
        files = [*Path(folder).glob("[!_]*.py"), *(file.parent for file in Path(folder).glob("*/__init__.py"))]
        declared = {file.stem.rstrip("_").replace("_", "-") for file in files if declares(file)}
        assert declared == {*each.names}
    assert len(groups) > 3


def declares(file: Path) -> bool:
    """Return whether a file declares a command, or a package a group."""
    text = (file / "__init__.py" if file.is_dir() else file).read_text(encoding="utf-8")
    return "\n@command(" in text or "\n@group(" in text


def test_an_unknown_command_is_left_to_click() -> None:
    assert not _root.run_plainly("bitcodec", ["nonsense", "file"])
    assert not _root.run_plainly("bitcodec", [])
    assert not _root.run_plainly("bitcodec", ["flags"])


@pytest.mark.parametrize("number", ["nvvm", "3", "23", "1.5"])
def test_a_number_out_of_its_range_is_refused_with_the_range(number: str) -> None:
    result = run("downgrade", "module.bc", "--llvm", number, "-o", "old.bc")
    assert result.exit_code == 2
    assert f"invalid value for '--llvm': expected a number from 4 to 22, got '{number}'" in result.stderr
