"""Hooks of MkDocs: pages that are made while the site is built, and the README as the first page."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from api_pages import PACKAGES, api_pages
from browser_page import find_pyodide, write_package, write_pyodide
from command_page import command_page
from mkdocs.structure.files import File
from schema_page import SCHEMAS, schema_page

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
NUMBERED = re.compile(r"^(#{2,4} (\d+(?:\.\d+)*)\.? .*)$", re.MULTILINE)
"""A heading of a page in `docs/reference`: its number is its anchor, for citations."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages of the API reference into the navigation, and this folder on the path for `docstrings`."""
    sys.path.insert(0, str(Path(__file__).parent))
    pages = ["api/index.md", *({package: f"api/{package}.md"} for package in PACKAGES)]
    config.nav = [{"API reference": pages} if "API reference" in entry else entry for entry in config.nav or []]
    if SCHEMAS.exists():
        config.nav.insert(config.nav.index({"API reference": pages}), {"JSON output": "json.md"})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made here."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("](docs/", "](")
    pages = {"index.md": readme, "commands.md": command_page(), **api_pages()}
    if SCHEMAS.exists():
        pages["json.md"] = schema_page()
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Give the sections of the pages with facts about LLVM the anchors that docstrings cite: `records.html#7.3`."""
    is_reference = page.file.src_uri.startswith("reference/")
    return NUMBERED.sub(r"\1 { #\2 }", markdown) if is_reference else markdown


def on_post_build(config: MkDocsConfig) -> None:
    """Add what the page in the browser runs."""
    folder = Path(config.site_dir) / "assets" / "browser"
    write_package(folder / "bitcodec.zip")
    pyodide = find_pyodide()
    if pyodide is not None:
        write_pyodide(folder / "pyodide", pyodide)
