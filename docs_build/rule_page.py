"""The page on the rules of `bitcodec flags lint`, made from their rows; `python docs_build/rule_page.py` writes it."""

from __future__ import annotations

from pathlib import Path

from bitcodec.lint import FLAG_RULES, RuleInfo

__all__ = ["PAGE", "rule_page"]

PAGE = Path(__file__).parents[1] / "docs" / "module-flag-rules.md"
_INTRODUCTION = """\
# Rules for module flags

`bitcodec flags lint` checks the inputs of a link against these rules; [the guide](lint-module-flags.md) shows how.
This page is made from the rows that the code works with (`bitcodec.lint.FLAG_RULES`).

Severities: an *error* stops the link or makes the program wrong; a *warning* makes it something else than some inputs
were compiled for; a *note* is harmless in most programs. The table has the severity of the worst findings.
"""


def rule_page() -> str:
    """Return the Markdown text of the page."""
    rows = [
        f"| [`{rule.identifier}`](#{rule.identifier}) | {rule.severity.value} | {rule.title} |" for rule in FLAG_RULES
    ]
    table = "\n".join(["| rule | severity | finds |", "| --- | --- | --- |", *rows, ""])
    return "\n".join([_INTRODUCTION, table, *map(_section, FLAG_RULES)])


def _section(rule: RuleInfo) -> str:
    flags = ", ".join(f"`{subject}`" for subject in rule.subjects)
    about = f"Flags: {flags}.\n\n" if flags else ""
    return f"## {rule.identifier}\n\n{rule.title}.\n\n{about}{rule.consequence}\n\n**Fix.** {rule.remedy}\n"


if __name__ == "__main__":
    PAGE.write_text(rule_page(), encoding="utf-8")
