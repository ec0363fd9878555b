"""Source files whose functions note that they are reached."""

from __future__ import annotations

import ast

from .points import Source
from .uses import first_line

__all__ = ["marked"]


def marked(source: bytes, bodies: dict[int, ast.FunctionDef | ast.AsyncFunctionDef]) -> bytes:
    """Return a source file whose functions note, by their numbers, that they are reached."""
    found = Source(source)
    tree = ast.parse(source)
    insertions: dict[int, str] = {}
    for number, body in bodies.items():
        first = body.body[1] if _is_docstring(body.body[0]) and len(body.body) > 1 else body.body[0]
        if _is_docstring(first):
            continue
        text = f"{number} in _reached_ or _note_({number})"
        start, column = found.begin(first_line(first)), first.col_offset
        is_inline = first.lineno == body.lineno or source[start : start + column].strip() != b""
        if is_inline:
            insertions[start + column] = f"{text}; "
        else:
            insertions[start] = f"{source[start : start + column].decode()}{text}\n"
    for statement in tree.body:
        is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not is_future and not _is_docstring(statement):
            insertions[found.begin(first_line(statement))] = (
                "from bitcodec_reached import note as _note_, seen as _reached_\n"
            )
            break
    for place in sorted(insertions, reverse=True):
        source = source[:place] + insertions[place].encode() + source[place:]
    return source


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
