"""The messages of LLVM's verifier: which rule of bitcodec prints each, or why none can.

`data/messages-22.tsv` has a row for each message of LLVM 22.1.8: the message, in which `{}` stands for a part that
varies; its status; and for the statuses `never` and `missing` the reason.

    python -m tests.verifier.messages LLVM/lib/IR/Verifier.cpp LLVM/lib/IR/ConvergenceVerifier.cpp ...

reads the messages of LLVM's sources, keeps the reasons, and writes the table.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from .snippets import DATA, all_snippets

__all__ = ["TABLE", "Message", "has_rule", "is_recorded", "messages", "pattern_of"]

TABLE = DATA / "messages-22.tsv"
_SOURCES = Path(__file__).parents[2] / "src" / "bitcodec"
_VARIABLE = "{}"
_LEAST_FIXED = 12
"""Characters of a message of bitcodec that do not vary, so that it is taken for one of LLVM."""
_CALL = re.compile(r"\b(Check|CheckDI|CheckTBAA|CheckOrNull|CheckFailed|DebugInfoCheckFailed|reportFailure)\s*\(")
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"|[^"\s]+')


class Message(NamedTuple):
    """A row of the table.

    Attributes:
        text: the message.
        status: `recorded`: a snippet in `broken` makes the verifier print it; `rule`: a rule prints it, but only for
            modules that were built or changed, or for inputs that have no snippet; `never`: no module can be read or
            built for which LLVM prints it; `missing`: bitcodec has no rule.
        reason: of `never` and `missing`.
    """

    text: str
    status: str
    reason: str = ""


def messages() -> list[Message]:
    """Return the table."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [Message(*line.split("\t")) for line in lines]


def pattern_of(text: str) -> re.Pattern[str]:
    """Return a pattern that matches a message with its variable parts."""
    return re.compile(".*".join(map(re.escape, text.split(_VARIABLE))), re.DOTALL)


def is_recorded(text: str) -> bool:
    """Return whether a snippet has a message."""
    pattern = pattern_of(text)
    return any(pattern.fullmatch(snippet.message) for snippet in all_snippets())


def has_rule(text: str, rules: Iterable[str]) -> bool:
    """Return whether one of the messages of bitcodec's rules is a message of LLVM."""
    shown = text.replace(_VARIABLE, "X")
    return any(rule == shown or (_VARIABLE in rule and pattern_of(rule).fullmatch(shown) is not None) for rule in rules)


def rule_messages() -> set[str]:
    """Return the strings in the sources of the verifier; variable parts are `{}`."""
    found: set[str] = set()
    for path in [*(_SOURCES / "verifier").rglob("*.py"), *(_SOURCES / "ir").glob("module_flag*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(re.sub(r"\{[^}]*\}", _VARIABLE, node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = (part.value if isinstance(part, ast.Constant) else _VARIABLE for part in node.values)
                found.add("".join(map(str, parts)))
    return {text for text in found if _VARIABLE not in text or len(text.replace(_VARIABLE, "")) >= _LEAST_FIXED}


def _calls(source: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the arguments of each call that may report something."""
    source = re.sub(r"//[^\n]*", "", source)
    for match in _CALL.finditer(source):
        arguments, depth, at, start = [], 1, match.end(), match.end()
        while depth:
            character = source[at]
            if character == '"':
                at = _LITERAL.match(source, at).end() - 1  # type: ignore[union-attr]
            elif character in "([{":
                depth += 1
            elif character in ")]}":
                depth -= 1
            if depth == 0 or (character == "," and depth == 1):
                arguments.append(source[start:at].strip())
                start = at + 1
            at += 1
        yield match.group(1), arguments


def _text_of(expression: str) -> str:
    """Return the message that an expression of C++ makes."""
    text = ""
    for match in _LITERAL.finditer(expression):
        literal = match.group(1)
        if literal is not None:
            text += literal.replace('\\"', '"').replace("\\\\", "\\")
        elif match.group() not in {"+", "(", ")", "Twine(", ")+"} and not text.endswith(_VARIABLE):
            text += _VARIABLE
    return text


def _messages_of(paths: list[str]) -> list[str]:
    found: dict[str, None] = {}
    for path in paths:
        for name, arguments in _calls(Path(path).read_text(encoding="utf-8")):
            index = 0 if "Failed" in name or name == "reportFailure" else 1
            if len(arguments) > index and '"' in arguments[index]:
                found[_text_of(arguments[index])] = None
    return list(found)


def _status(text: str, rules: set[str], reasons: dict[str, Message]) -> Message:
    if is_recorded(text):
        return Message(text, "recorded")
    known = reasons.get(text)
    if known is not None and known.status == "never":
        return known
    if has_rule(text, rules):
        return Message(text, "rule")
    return known or Message(text, "missing", "not written yet")


def _main(paths: list[str]) -> None:
    rules = rule_messages()
    reasons = {message.text: message for message in messages()} if TABLE.exists() else {}
    rows = [_status(text, rules, reasons) for text in _messages_of(paths)]
    TABLE.write_text("".join("\t".join(row).rstrip("\t") + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
