"""The page on the names of errors, made from their rows; `python docs_build/reason_page.py` writes it."""

from __future__ import annotations

from pathlib import Path

from bitcodec.reasons import Reason

__all__ = ["PAGE", "reason_page"]

PAGE = Path(__file__).parents[1] / "docs" / "names-of-errors.md"
_INTRODUCTION = """\
# Names of errors

Each reason for which bitcodec refuses bitcode has a name and parameters. Neither ever changes, so that programs need
not read the sentence. The reason of an error knows them: `error.reason.name`, `error.reason.parameters` and
`error.reason.record`, the name of the record. `bitcodec doctor --json` prints the name of the first damage.

The name of a rule of the verifier is made of its message: the words that do not depend on the module, in lower case and
joined by hyphens. `Attribute 'noreturn' does not apply to parameters` is found by the rule
`attribute-does-not-apply-to-parameters`. `bitcodec verify --json` prints it, and a finding has it as `rule`.
[Names of rules](names-of-rules.md) lists them. Rules of `bitcodec flags lint` have [names, too](module-flag-rules.md).

This page is made from the rows that the code works with (`bitcodec.reasons.Reason`).

| name | sentence |
| --- | --- |
"""


def reason_page() -> str:
    """Return the Markdown text of the page."""
    rows = sorted((reason.label, reason.value.replace("|", "\\|")) for reason in Reason)
    return _INTRODUCTION + "".join(f"| `{label}` | {_code(sentence)} |\n" for label, sentence in rows)


def _code(sentence: str) -> str:
    mark = "``" if "`" in sentence else "`"
    return f"{mark}{sentence}{mark}"


if __name__ == "__main__":
    PAGE.write_text(reason_page(), encoding="utf-8")
