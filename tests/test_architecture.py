"""`docs/architecture.md`, `docs/rooms`: the floors are those of the contract, and the modules that pages name exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SOURCES = ROOT / "src" / "bitcodec"
ROOMS = sorted((DOCS / "rooms").glob("*.md"))
CHANGES = [DOCS / "a-new-llvm.md", *sorted(DOCS.glob("add-a-*.md"))]
ENDINGS = ("", ".py", ".txt", ".md", ".json")
CODE = re.compile(r"^```\w+\n.*?^```\n", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"^```\n.*?^```", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"`([a-z_]+(?:/[a-z_0-9]+)+)(?:\.py)?(?:\.[a-z_]+)?`")
DRAWN = re.compile(r"(?<![\w/])[a-z]+(?:[_/][a-z]+)+")
FLOOR = re.compile(r"^\| ((?:`\w+`(?:, )?)+) \|", re.MULTILINE)


def module_endings() -> set[str]:
    """Return the paths of all modules and packages, and their ends: `bitcode/reader/body`, `reader/body`, `body`."""
    found = set()
    for path in SOURCES.rglob("*.py"):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        found |= {"/".join(parts[start:]) for start in range(len(parts))}
    return found


def floors_of_the_contract() -> list[set[str]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [{name.removeprefix("bitcodec.") for name in layer.split(" | ")} for layer in layers]


def test_floors_are_those_of_the_contract() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    section = text.split("## Floors")[1].split("\n## ")[0]
    floors = [{*re.findall(r"\w+", row)} for row in FLOOR.findall(section)]

    assert floors == floors_of_the_contract()


def test_every_package_has_a_floor() -> None:
    names = {path.parent.name for path in SOURCES.glob("*/__init__.py")}

    assert names <= set().union(*floors_of_the_contract())


def test_every_room_is_linked() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")

    assert [page.name for page in ROOMS if f"(rooms/{page.name})" not in text] == []


@pytest.mark.parametrize("page", [DOCS / "architecture.md", *ROOMS, *CHANGES], ids=lambda page: page.name)
def test_named_modules_exist(page: Path) -> None:
    text, known = CODE.sub("", page.read_text(encoding="utf-8")), module_endings()
    named = PATH.findall(PICTURE.sub("", text))
    drawn = [name for picture in PICTURE.findall(text) for name in DRAWN.findall(picture)]
    places = [ROOT, SOURCES]
    files = {name for name in named for place in places for end in ENDINGS if (place / f"{name}{end}").exists()}

    # In pictures, names of functions that begin a route stand behind it.
    missing = {*named, *drawn} - known - files - {"parse_assembly", "print_assembly", "llvm_version"}
    assert missing == set()


def test_decisions_are_linked() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")

    assert [page.name for page in (DOCS / "decisions").glob("*.md") if f"(decisions/{page.name})" not in text] == []
