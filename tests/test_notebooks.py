"""HTML for notebooks: well-formed, escaped, bounded, without scripts."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

import bitcodec
from bitcodec.builder import add_function, add_variable, new_module
from bitcodec.ir import Module
from bitcodec.ir.lazy import DeferredStep
from bitcodec.notebooks import assembly_html, table_html

EXAMPLES = Path(__file__).parents[1] / "examples"
VOID = {"br", "hr"}


class Outline(HTMLParser):
    """Checks that elements are closed in order, and keeps their names, attributes and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


ELEMENTS = {"details", "summary", "code", "table", "tr", "td", "th", "p", "b", "div", "pre", "span"}


def outline(html: str) -> Outline:
    found = Outline(html)
    assert found.names <= ELEMENTS
    assert found.attributes <= {"style", "open", "class"}
    html.encode()
    return found


def test_a_module() -> None:
    html = bitcodec.open(EXAMPLES / "hello.bc")._repr_html_()
    found = outline(html)
    assert "@main" in found.text
    assert "define dso_local noundef i32 @main" in found.text
    assert html.count("<details") == 4


def test_a_function() -> None:
    module = bitcodec.open(EXAMPLES / "hello.bc")
    found = outline(module.functions["main"]._repr_html_())
    assert str(module.functions["main"]).strip() in found.text


def test_flags() -> None:
    found = outline(bitcodec.open(EXAMPLES / "hello.bc").flags._repr_html_())
    assert "PIC Level" in found.text
    assert {"table", "th", "td"} <= found.names


@pytest.fixture
def hostile() -> Module:
    module = new_module("<script>alert(1)</script>")
    module.source_filename = "\udcff<b>&amp;"
    for number in range(200):
        add_variable(module, f"<img src=x onerror=alert({number})>", module.context.types.integer(8))
    name = "</details>" * 10_000
    add_function(module, name, module.context.types.function(module.context.types.void, []))
    return module


def test_names_are_escaped_and_the_size_is_bounded(hostile: Module) -> None:
    html = hostile._repr_html_()
    found = outline(html)
    assert "<script" not in html
    assert "<img" not in html
    assert "161 more" in found.text
    assert len(html) < 500_000
    assert len(hostile.functions[0]._repr_html_()) < 200_000


def test_tables_are_bounded() -> None:
    assert "<p>960 more</p>" in table_html(("a",), ([str(number)] for number in range(1000)), 1000)


def test_a_malformed_body() -> None:
    data = bytearray((EXAMPLES / "hello.bc").read_bytes())
    module = bitcodec.loads(bytes(data))
    module.functions["main"]._blocks = ()

    def fail() -> None:
        raise bitcodec.BitcodecError("<b>bad</b>")

    module.functions["main"]._unread_body = DeferredStep(module.context.lock, fail)
    assert "malformed:</b> &lt;b&gt;bad" in assembly_html(module.functions["main"])
