"""The documentation site: it builds without warnings, has an entry for every public name, and works offline."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

import bitcodec
from bitcodec.cli import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
INTERNAL = {"bitcodec.cli", "bitcodec.downgrade", "bitcodec.host", "bitcodec.tables", "bitcodec.upgrade"}
"""Packages that are not for import by users: commands, parts of reading and writing, numbers of enumerations."""

PACKAGES = ["bitcodec"] + [
    f"bitcodec.{folder.parent.name}"
    for folder in sorted(Path(bitcodec.__file__).parent.glob("*/__init__.py"))
    if f"bitcodec.{folder.parent.name}" not in INTERNAL
]


class Page(HTMLParser):
    """The ids of a page, and what it loads from elsewhere."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.loaded: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids.add(values.get("id") or "")
        is_resource = tag in {"script", "img", "iframe"} or values.get("rel") in {"stylesheet", "preconnect", "preload"}
        link = values.get("src") or values.get("href") or ""
        if is_resource and re.match(r"(https?:)?//", link):
            self.loaded.append(link)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for module in ("mkdocs", "material", "mkdocstrings_handlers.python"):
        pytest.importorskip(module)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_public_name_has_an_entry(site: Path) -> None:
    missing = []
    for package in PACKAGES:
        ids = Page(site / "api" / f"{package}.html").ids
        names = [name for name in importlib.import_module(package).__all__ if not name.startswith("__")]
        missing += [f"{package}.{name}" for name in names if f"{package}.{name}" not in ids]

    assert missing == []


def test_entries_are_of_functions_classes_and_constants(site: Path) -> None:
    modules = [page.name for page in (site / "api").glob("*.html") if "doc-symbol-module" in page.read_text("utf-8")]

    assert modules == []


def test_every_function_and_class_has_an_example_or_a_link_to_one(site: Path) -> None:
    without = []
    for package in PACKAGES:
        text = (site / "api" / f"{package}.html").read_text(encoding="utf-8")
        for entry in text.split('<h2 id="')[1:]:
            name, is_object = entry.split('"')[0], "doc-symbol-attribute" not in entry.split("</h2>")[0]
            if is_object and "Examples: <a" not in entry and 'class="gp"' not in entry:
                without.append(name)

    assert without == []


def test_attributes_have_types(site: Path) -> None:
    text = (site / "api" / "bitcodec.ir.html").read_text(encoding="utf-8")
    row = re.compile(r'doc-section-item">\s*<td><code><span[^>]*>(\w+)</span></code></td>\s*<td>(.*?)</td>', re.DOTALL)
    rows = dict(row.findall(text))

    assert all("Type" in rows[name] for name in ("allocated_type", "source_element_type"))
    assert "FastMathFlags" in rows["fast_math"]
    assert "Checked" not in text
    assert sum(not row.strip() for row in rows.values()) < len(rows) / 10


def test_every_command_has_a_section(site: Path) -> None:
    ids = Page(site / "commands.html").ids
    paths = list(command_paths(cli, "bitcodec"))

    assert "bitcodec pcsections decode" in paths
    assert [path for path in paths if path.replace(" ", "-") not in ids] == []


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    loaded = {path.name: Page(path).loaded for path in site.rglob("*.html")}

    assert len(loaded) > len(PACKAGES)
    assert {name: links for name, links in loaded.items() if links} == {}


def test_search_covers_the_api_and_the_guides(site: Path) -> None:
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")

    assert "bitcodec.flags.merge" in index
    assert "walk-a-module.html" in index


def command_paths(command: click.Command, path: str) -> Iterator[str]:
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            subcommand = command.get_command(context, name)
            assert subcommand is not None
            yield from command_paths(subcommand, f"{path} {name}")
