"""The page in Chromium: no error on its console, every view, the keyboard, and nothing that texts could do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bitcodec.report import collect, compare, page

from .files import DATA, HELLO, QUEUE, TAGGED
from .test_drawing import hostile_report

pytestmark = pytest.mark.same_in_both

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
BENCH = Path(__file__).parents[3] / "shared/bench/sqlite-O1-g.bc"
VIEWS = ["Treemap", "Functions", "Calls", "Duplicates", "Instructions", "Blocks", "Modules", "PC sections"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


class Tab:
    """A page that is open, and everything that went wrong in it."""

    def __init__(self, browser: Any, path: Path, text: str, **settings: Any) -> None:
        path.write_text(text, encoding="utf-8")
        self.context = browser.new_context(**settings)
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: self.problems.append(dialog.message))
        self.page.on("request", lambda request: self._note(request.url, path))
        self.page.goto(path.as_uri())

    def _note(self, url: str, path: Path) -> None:
        if url != path.as_uri():
            self.problems.append(url)

    def show(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).inner_text())


@pytest.mark.parametrize("size", [(1400, 900), (400, 800)])
def test_every_view_opens_without_an_error(size: tuple[int, int], browser: Any, tmp_path: Path) -> None:
    report = collect([QUEUE, TAGGED, DATA / "lib-gnu.a", DATA / "exceptions-O2-19.bc"])
    tab = Tab(browser, tmp_path / "r.html", page(report), viewport={"width": size[0], "height": size[1]})
    for name in VIEWS:
        tab.show(name)
        assert tab.page.locator("#view *").count() > 3
    width = tab.page.evaluate("document.documentElement.scrollWidth")

    assert tab.problems == []
    assert width <= size[0]  # nothing but tables scrolls sideways


@pytest.mark.skipif(not BENCH.exists(), reason="the benchmark files are not next to the checkout")
def test_a_large_report(browser: Any, tmp_path: Path) -> None:
    text = page(collect([BENCH]))
    tab = Tab(browser, tmp_path / "r.html", text, viewport={"width": 1400, "height": 900})
    for name in VIEWS:
        tab.show(name)

    assert len(text.encode()) <= 5_000_000
    assert tab.problems == []


def test_trees_add_up(browser: Any, tmp_path: Path) -> None:
    report = collect([QUEUE, TAGGED, DATA / "lib-gnu.a"])
    tab = Tab(browser, tmp_path / "r.html", page(report))
    for name in ("Content", "Source files", "Templates and crates", "Blocks"):
        tab.page.get_by_role("button", name=name, exact=True).click()
        assert f"{report.size:,} bytes, 100%" in tab.text(".crumbs")
    assert tab.problems == []


def test_hostile_texts_stay_texts(browser: Any, tmp_path: Path) -> None:
    report = hostile_report()
    tab = Tab(browser, tmp_path / "r.html", page(report, compare(collect([HELLO]), report)))
    for name in ("Growth", *VIEWS):
        tab.show(name)
    tab.show("Functions")
    tab.page.locator("#view table .link").first.click()
    scripts = tab.page.evaluate("document.scripts.length")

    assert tab.problems == []
    assert scripts == 2
    assert tab.page.locator("img, b[onclick], script[src]").count() == 0


def test_search_sorting_and_the_way_to_a_function(browser: Any, tmp_path: Path) -> None:
    tab = Tab(browser, tmp_path / "r.html", page(collect([QUEUE])))
    tab.show("Functions")
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("PUSH")
    assert tab.page.locator("#view tbody tr").count() == 1
    tab.page.keyboard.press("Escape")
    assert tab.page.locator("#view tbody tr").count() == 5

    tab.page.get_by_role("button", name="Function", exact=True).click()
    names = tab.page.locator("#view tbody .link").all_inner_texts()
    assert names == sorted(names)
    tab.page.get_by_role("button", name="drain", exact=True).click()
    assert str(tab.page.locator("svg.graph .center").text_content()).startswith("drain")
    assert tab.problems == []


def test_the_treemap_by_keyboard(browser: Any, tmp_path: Path) -> None:
    tab = Tab(browser, tmp_path / "r.html", page(collect([QUEUE])), viewport={"width": 1400, "height": 900})
    tab.page.keyboard.press("1")
    tab.page.locator(".map .cell.group").first.focus()
    tab.page.keyboard.press("Enter")
    assert tab.page.locator(".crumbs button").count() == 1
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Escape")
    assert tab.page.locator(".crumbs button").count() == 0
    assert tab.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_follows_the_system_until_it_is_switched(scheme: str, browser: Any, tmp_path: Path) -> None:
    tab = Tab(browser, tmp_path / "r.html", page(collect([HELLO])), color_scheme=scheme)
    assert tab.page.locator("html").get_attribute("data-theme") == scheme
    tab.page.keyboard.press("t")
    assert tab.page.locator("html").get_attribute("data-theme") == {"light": "dark", "dark": "light"}[scheme]
    assert tab.problems == []
