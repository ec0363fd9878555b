"""The page: one file that loads nothing, in which texts of the report cannot become markup or script."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from bitcodec.report import Report, collect, collect_file, compare, page

from .files import HELLO, HOSTILE, QUEUE, bytes_of


class Parts(HTMLParser):
    """The elements of a page, and the text in its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.title = ""
        self._open = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the name is that of the base class
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open == "script":
            self.scripts[-1] += data
        elif self._open == "title":
            self.title += data


def hostile_report() -> Report:
    """Return a report in which every text is hostile."""
    report = Report([collect_file(bytes_of(*HOSTILE, flags=True), name) for name in HOSTILE[:4]])
    for file in report.files:
        file.errors += HOSTILE
        for module in file.modules:
            module.producer = module.triple = module.source_filename = HOSTILE[0]
    return report


def test_the_page_loads_nothing() -> None:
    parts = Parts(page(collect([QUEUE])))

    assert not [tag for tag, values in parts.tags if {"src", "href", "srcset", "action"} & values.keys()]
    assert not [tag for tag, values in parts.tags if any(name.startswith("on") for name in values)]
    assert "default-src 'none'" in str(next(values for tag, values in parts.tags if "http-equiv" in values))


def test_hostile_texts_are_only_in_the_data() -> None:
    plain, hostile = page(collect([QUEUE])), page(hostile_report(), title=HOSTILE[0])
    parts = Parts(hostile)

    assert [tag for tag, _ in parts.tags] == [tag for tag, _ in Parts(plain).tags]
    assert len(parts.scripts) == 2
    assert parts.scripts[1] == Parts(plain).scripts[1]
    assert not re.search(r"[<>&\u2028\u2029]", parts.scripts[0])
    assert parts.title == f"{HOSTILE[0]}: bitcode report"
    data = json.loads(parts.scripts[0])
    assert data["files"][0]["errors"][0] == HOSTILE[0]
    assert {name for name in HOSTILE if len(name) < 100 and "\udcff" not in name} <= set(data["functions"]["name"])


def test_the_policy_allows_the_script_of_the_page_alone() -> None:
    from base64 import b64encode  # noqa: PLC0415
    from hashlib import sha256  # noqa: PLC0415

    text = page(collect([HELLO]))
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text
    assert "unsafe" not in text.partition("<style>")[0]


@pytest.mark.parametrize(
    "name", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
)
def test_the_script_makes_no_markup_of_texts(name: str) -> None:
    assert name not in Parts(page(collect([HELLO]))).scripts[1]


def test_a_page_of_a_comparison() -> None:
    old, new = collect([HELLO]), collect([QUEUE])
    data = json.loads(Parts(page(new, compare(old, new))).scripts[0])

    assert data["comparison"]["total"] == [old.size * 8, new.size * 8]
    assert data["comparison"]["functions"]


def test_titles() -> None:
    assert "<title>1:" not in page(collect([HELLO]))
    assert f"<title>{HELLO}: bitcode report</title>" in page(collect([HELLO]))
    assert f"<title>2 files in {HELLO.parent}: bitcode report</title>" in page(collect([HELLO, QUEUE]))
    assert "<title>a &amp; b: bitcode report</title>" in page(collect([HELLO]), title="a & b")
