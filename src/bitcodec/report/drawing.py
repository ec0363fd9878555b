"""A report as one page of HTML, which contains its style, its script and its data, and loads nothing.

The parts of the page are files in the folder `page`.  Texts of the report are only in the data: a block of JSON, of
which the script makes text nodes.  The page's own policy allows the one script and the one style that it contains.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from bitcodec.report.page_data import common_folder, page_data

if TYPE_CHECKING:
    from bitcodec.report.comparing import Comparison
    from bitcodec.report.contents import Report

__all__ = ["page"]

_SCRIPTS = ("data.js", "elements.js", "treemap.js", "tables.js", "calls.js", "views.js")
"""One after another they are the script of the page."""
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})
"""Characters that could end a script element, or a line in older browsers."""


def page(report: Report, comparison: Comparison | None = None, *, title: str = "") -> str:
    """Return the text of a page.

    Args:
        report: the report; of a comparison, the report on the new build.
        comparison: the growth, to be shown too.
        title: the title.  Default: the name of the file, or the number of files.

    >>> from bitcodec.report import collect, page
    >>> text = page(collect(["examples/queue.bc"]))
    >>> text.startswith("<!DOCTYPE html>"), "https://" in text
    (True, False)
    """
    title = title or _title(report)
    data = page_data(report, comparison, title=title)
    style = _part("report.css")
    script = '"use strict";\n(() => {\n' + "\n".join(map(_part, _SCRIPTS)) + "})();\n"
    parts = {
        "TITLE": escape(data["title"]),
        "STYLE": style,
        "STYLE_HASH": _hash(style),
        "SCRIPT": script,
        "SCRIPT_HASH": _hash(script),
        "DATA": json.dumps(data, ensure_ascii=True, separators=(",", ":")).translate(_ESCAPES),
    }
    pieces = _part("report.html").split("@@")  # text, name of a part, text, ...
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _title(report: Report) -> str:
    if len(report.files) == 1:
        return report.files[0].name
    folder = common_folder(report).removesuffix("/")
    return f"{len(report.files)} files" + f" in {folder}" * bool(folder)


def _part(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
