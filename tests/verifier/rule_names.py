"""The page on the names of the verifier's rules: `python -m tests.verifier.rule_names` writes it.

Names are made of messages. Most messages are in tables of rules, which are read; functions return the others, so their
strings that LLVM's messages match count, and findings in the snippets that break rules.
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bitcodec
from bitcodec.ir.findings import rule_name
from bitcodec.verifier import verify

from .messages import messages, pattern_of
from .snippets import all_snippets

__all__ = ["PAGE", "forms_of_findings", "forms_of_rules", "page"]

PAGE = Path(__file__).parents[2] / "docs" / "names-of-rules.md"
_SOURCES = Path(__file__).parents[2] / "src"
_PART = re.compile(r"\{[^{}]*(?:\{\}[^{}]*)?\}")
_INTRODUCTION = """\
# Names of rules

The rules of the verifier, by the files of `bitcodec.verifier` (and of `bitcodec.ir`, for module flags) that contain
them. `bitcodec verify --json` prints the name as `rule`, and a finding has it as `rule`. It is made of LLVM's message:
the words that do not depend on the module, in lower case and joined by hyphens. In messages, `{}` is a part that
depends on the module.

This page is made from the rules by `python -m tests.verifier.rule_names`.
"""


def _files() -> list[Path]:
    folder = _SOURCES / "bitcodec"
    return sorted([*(folder / "verifier").rglob("*.py"), *(folder / "ir").glob("module_flag*.py")])


def _module_of(path: Path) -> types.ModuleType:
    return importlib.import_module(".".join(path.relative_to(_SOURCES).with_suffix("").parts))


def _table_forms(module: types.ModuleType) -> Iterator[str]:
    """Yield the messages of the rules in the tables of a module, of the functions that it makes included."""
    rest: list[Any] = [*vars(module).values()]
    seen: set[int] = set()
    while rest:
        found = rest.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        match found:
            case (str(form), check, *_) if callable(check) and isinstance(found, tuple):
                yield form
            case tuple() | list() | frozenset():
                rest += found
            case dict():
                rest += [*found.values()]
            case functools.partial():
                rest += found.args
            case types.FunctionType() if found.__module__ == module.__name__:
                rest += [cell.cell_contents for cell in found.__closure__ or ()]


@functools.cache
def _strings() -> dict[str, tuple[str, bool]]:
    """Return strings of sources, parts that vary as `{}`: the stems of their files, and whether they are f-strings."""
    found: dict[str, tuple[str, bool]] = {}
    for path in _files():
        tree = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        inner = {id(part) for node in tree if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in tree:
            if id(node) in inner:
                continue
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
                found.setdefault(_PART.sub("{}", "".join(map(str, parts))), (path.stem, True))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                found.setdefault(_PART.sub("{}", node.value), (path.stem, False))
    return found


def forms_of_findings() -> set[str]:
    """Return the forms of the messages of all findings in the snippets."""
    modules = [bitcodec.parse_assembly(snippet.text, dialect=22) for snippet in all_snippets()]
    return {_PART.sub("{}", finding.form or finding.message) for module in modules for finding in verify(module)}


def forms_of_rules() -> set[str]:
    """Return the forms of the messages of all rules."""
    texts = {message.text for message in messages() if message.status in {"recorded", "rule"}}
    patterns = [pattern_of(text) for text in texts if "{}" in text]
    forms = forms_of_findings()
    forms |= {_PART.sub("{}", form) for path in _files() for form in _table_forms(_module_of(path)) if " " in form}
    forms |= {
        text
        for text, (_, is_made) in _strings().items()
        if not is_made and (text in texts or any(pattern.fullmatch(text.replace("{}", "X")) for pattern in patterns))
    }
    return forms


def _family_of(form: str) -> str:
    """Return the stem of the file that has a message, or the string that it is made from."""
    strings = _strings()
    if form in strings:
        return strings[form][0]
    made = [text for text in strings if "{}" in text and pattern_of(text).fullmatch(form)]
    return strings[max(made, key=lambda text: len(text.replace("{}", "")))][0]


def page() -> str:
    """Return the Markdown text of the page."""
    text, last = _INTRODUCTION, ""
    for family, name, form in sorted((_family_of(form), rule_name(form), form) for form in forms_of_rules()):
        if family != last:
            text += f"\n## `{family}`\n\n| name | message |\n| --- | --- |\n"
            last = family
        mark = "``" if "`" in form else "`"
        text += f"| `{name}` | {mark}{form.replace('|', chr(92) + '|')}{mark} |\n"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
