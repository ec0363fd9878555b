"""HTML for notebooks: assembly in colours, in parts that fold; without scripts, escaped, of bounded size."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bitcodec.errors import BitcodecError
from bitcodec.printing import beginning_of, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["MAX_PARTS", "assembly_html", "folded", "module_html", "table_html", "text_html"]

MAX_PARTS = 40
"""Functions, variables or rows that are shown."""
_MAX_CHARACTERS = 8_000
"""Characters of assembly that a part shows."""
_MAX_PART_CHARACTERS = 2_000
"""Characters of assembly that a module shows of each function and variable."""
_MAX_NAME = 200
"""Characters of a name."""


def assembly_html(part: object, limit: int = _MAX_CHARACTERS) -> str:
    """Return the assembly of a part of a module in colours; only the beginning of a long text.

    A part that is malformed shows the error.
    """
    from pygments import highlight  # noqa: PLC0415 - only notebooks need it
    from pygments.formatters import HtmlFormatter  # noqa: PLC0415
    from pygments.lexers import LlvmLexer  # noqa: PLC0415

    try:
        text = one_line(beginning_of(part, limit + 1), kept="\n")
    except BitcodecError as error:
        return f"<p><b>malformed:</b> {text_html(str(error))}</p>"
    is_cut = len(text) > limit
    text = _encodable(text[:limit])
    colored: str = highlight(text, LlvmLexer(), HtmlFormatter(noclasses=True))
    return colored + "<p>[...]</p>" * is_cut


def module_html(module: Any) -> str:
    """Return a table of facts, and the assembly of variables and functions in parts that unfold."""
    try:
        named = [*module.functions, *module.global_variables]
    except BitcodecError as error:
        return f"<p><b>malformed:</b> {text_html(str(error))}</p>"
    facts = [
        ("module", module.identifier),
        ("target", module.target_triple),
        ("source", module.source_filename),
        ("functions", str(len(module.functions))),
        ("variables", str(len(module.global_variables))),
    ]
    parts = [folded(f"@{value.name}", assembly_html(value, _MAX_PART_CHARACTERS)) for value in named[:MAX_PARTS]]
    if len(named) > MAX_PARTS:
        parts.append(f"<p>{len(named) - MAX_PARTS} more</p>")
    return table_html(("", ""), facts, len(facts)) + "".join(parts)


def text_html(text: str) -> str:
    """Return a name or message, escaped; only the beginning of a long one."""
    shown = one_line(text[:_MAX_NAME]) + "..." * (len(text) > _MAX_NAME)
    return escape(_encodable(shown))


def folded(title: str, content: str, *, is_open: bool = False) -> str:
    """Return content under a title that folds it.

    Args:
        title: text, not HTML.
        content: HTML.
        is_open: whether the content is visible at first.
    """
    return f"<details{' open' * is_open}><summary><code>{text_html(title)}</code></summary>{content}</details>"


def table_html(header: Sequence[str], rows: Iterable[Sequence[str]], count: int) -> str:
    """Return a table of texts, of which the first rows are shown.

    Args:
        header: titles of the columns.
        rows: texts of the cells.
        count: the number of rows.
    """
    lines = [_row("th", header)]
    lines += [_row("td", row) for row, _ in zip(rows, range(MAX_PARTS), strict=False)]
    more = f"<p>{count - MAX_PARTS} more</p>" if count > MAX_PARTS else ""
    return f"<table>{''.join(lines)}</table>{more}"


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{text_html(cell)}</{tag}>' for cell in cells)}</tr>"


def _encodable(text: str) -> str:
    """Replace surrogates, which represent bytes that are not UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()
