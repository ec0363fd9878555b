"""The page of the site that runs bitcodec in the browser: its texts are those of the commands.

It needs Playwright, Chromium and the npm package `pyodide`, in a folder that BITCODEC_PYODIDE names.
"""

from __future__ import annotations

import functools
import shutil
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from cli.running import run

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests/data"
FILES = [ROOT / "examples/queue.bc", DATA / "embed-elf-22.o", DATA / "lib-gnu.a", DATA / "ctx.profile"]
COMMANDS = {
    "Info": ["info"],
    "Flags": ["flags", "show"],
    "Assembly": ["dis"],
    "Doctor": ["doctor"],
    "Report": ["report", "-o", "-"],
}
PAGE = ROOT / "docs/in-the-browser.md"
LONG = 180_000
"""Milliseconds: machines that run tests may be busy."""

sys.path.insert(0, str(ROOT / "docs_build"))
import browser_page  # noqa: E402 - it is found in the folder that was added

pytestmark = pytest.mark.same_in_both


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder, without a log."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a page with what the guide contains."""
    pytest.importorskip("playwright.sync_api")
    pyodide = browser_page.find_pyodide()
    if pyodide is None:
        pytest.skip("BITCODEC_PYODIDE does not name the folder of the npm package pyodide")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs/assets", folder / "assets")
    browser_page.write_package(folder / "assets/browser/bitcodec.zip")
    browser_page.write_pyodide(folder / "assets/browser/pyodide", pyodide)
    text = PAGE.read_text(encoding="utf-8")
    content = text[text.index("<link") : text.index("</script>") + len("</script>")]
    (folder / "index.html").write_text(f'<!DOCTYPE html><link rel="icon" href="data:,">{content}', encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def tab(address: str) -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("Chromium is not installed")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.problems = []
        page.on("console", lambda message: page.problems.append(message.text))
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith((address, "data:")) else page.problems.append(request.url),
        )
        page.set_default_timeout(LONG)
        page.goto(address)
        yield page
        browser.close()


def answer(tab: Any, name: str) -> None:
    """Show what a command prints."""
    tab.get_by_role("tab", name=name, exact=True).click()
    tab.wait_for_selector(f'.bitcodec-output[data-command="{name}"]')


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_texts_are_those_of_the_commands(path: Path, tab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    tab.set_input_files("#bitcodec-file", path)
    for name in ("Info", "Flags", "Assembly", "Doctor"):
        answer(tab, name)
        expected = run(*COMMANDS[name], path.name)
        for selector, text in ((".bitcodec-text", expected.stdout), (".bitcodec-errors", expected.stderr)):
            shown = tab.locator(selector)
            assert (shown.text_content() if shown.count() else "") == text
        assert f"exit code {expected.exit_code}" in tab.locator(".bitcodec-status").inner_text()
    assert tab.problems == []


def test_the_report_is_that_of_the_command(tab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = FILES[0]
    monkeypatch.chdir(path.parent)
    monkeypatch.setattr("bitcodec.report.page_data.has_demangler", lambda: False)  # there is none in the browser
    tab.set_input_files("#bitcodec-file", path)
    answer(tab, "Report")
    frame = tab.locator("iframe")

    assert frame.get_attribute("srcdoc") == run("report", "-o", "-", path.name).stdout
    assert frame.get_attribute("sandbox") == "allow-scripts"
    assert frame.content_frame.locator("#title").inner_text() == path.name
    assert tab.problems == []


def test_a_damaged_file_and_then_a_sound_one(tab: Any, tmp_path: Path) -> None:
    damaged = tmp_path / "<b>damaged.bc"
    damaged.write_bytes(FILES[0].read_bytes()[:2000])
    tab.set_input_files("#bitcodec-file", damaged)
    answer(tab, "Assembly")
    assert "bitcodec: error: <b>damaged.bc: " in tab.locator(".bitcodec-errors").inner_text()

    tab.set_input_files("#bitcodec-file", FILES[0])
    answer(tab, "Info")
    assert tab.locator(".bitcodec-text").inner_text().startswith("queue.bc: ")
    assert tab.problems == []


def test_the_archive_contains_what_commands_import(tmp_path: Path) -> None:
    browser_page.write_package(tmp_path / "bitcodec.zip")
    browser_page.write_package(tmp_path / "again.zip")
    names = zipfile.ZipFile(tmp_path / "bitcodec.zip").namelist()

    assert {"bitcodec/report/page/report.html", "bitcodec/tables/intrinsics.txt", "click/testing.py"} <= {*names}
    assert not [name for name in names if name.endswith((".so", ".pyd", ".pyc"))]
    assert (tmp_path / "bitcodec.zip").read_bytes() == (tmp_path / "again.zip").read_bytes()
