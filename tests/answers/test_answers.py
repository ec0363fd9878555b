"""Answers are recorded, replayed, and compared with the tool again."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode.writer import module as writer

from . import Digest, ask, asking, recall, tools
from .building import build
from .own_version import without_own_version
from .questions import Question
from .store import NAME, Store, packed, unpacked
from .ways import PARTS, Way

TOOL = """\
#!/bin/sh
echo "read $1 {word}" >&2
cat "$1"
if [ "$2" = -o ]; then cp "$1" "$3"; fi
exit 3
"""


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tool named copy-1 that prints its input and writes it to its output."""
    path = tmp_path / "copy-1"
    path.write_text(TOOL.format(word="well"))
    path.chmod(0o755)
    monkeypatch.setattr(tools, "path_of", lambda name: str(path) if name == "copy-1" and path.exists() else None)
    return path


def use(monkeypatch: pytest.MonkeyPatch, folder: Path, live: str = "", *, records: bool = False) -> Way:
    way = Way(live, records=records)
    way.test, way.store = "test_x.py::test", Store(folder / NAME)
    monkeypatch.setattr(asking, "current", lambda: way)
    return way


def outcome(file: Path, folder: Path) -> tuple[int, bytes, bytes, bytes]:
    done = ask(["copy-1", file, "-o", folder / "copied"])
    return done.returncode, done.stdout, done.stderr, (folder / "copied").read_bytes()


def test_an_answer_is_replayed_without_the_tool(tool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xff" * 5000)
    expected = (3, b"\xff" * 5000, f"read {file} well\n".encode(), b"\xff" * 5000)
    way = use(monkeypatch, tmp_path, records=True)
    assert outcome(file, tmp_path) == expected
    way.store.save(forgets=False)
    tool.unlink()
    use(monkeypatch, tmp_path)
    assert outcome(file, tmp_path) == expected
    other = tmp_path / "other" / "a.txt"
    other.parent.mkdir()
    other.write_bytes(file.read_bytes())
    assert outcome(other, tmp_path)[2] == f"read {other} well\n".encode()


@pytest.mark.usefixtures("tool")
def test_a_script_asks_the_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "is_begun", lambda: False)
    file = tmp_path / "a.txt"
    file.write_text("one")
    assert ask(["copy-1", file], keeps="digest", text=True).stdout == "one"
    assert recall(["copy-1"], lambda: 1) == 1


@pytest.mark.usefixtures("tool")
def test_a_live_test_asks_the_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    way = use(monkeypatch, tmp_path, "all")
    way.is_live_test = True
    (tmp_path / "a.txt").write_text("one")
    assert ask(["copy-1", tmp_path / "a.txt"]).stdout == b"one"


@pytest.mark.usefixtures("tool")
def test_another_input_is_another_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    way = use(monkeypatch, tmp_path, records=True)
    ask(["copy-1", file])
    way.store.save(forgets=False)
    file.write_text("two")
    use(monkeypatch, tmp_path)
    with pytest.raises(pytest.fail.Exception, match=r"no answer is recorded for: copy-1 =0=/a.txt\n.* --record"):
        ask(["copy-1", file])


def test_a_live_run_finds_another_answer(tool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    way = use(monkeypatch, tmp_path, records=True)
    ask(["copy-1", file])
    way.store.save(forgets=False)
    use(monkeypatch, tmp_path, "all")
    assert ask(["copy-1", file]).stdout == b"one"
    tool.write_text(TOOL.format(word="badly"))
    use(monkeypatch, tmp_path)
    assert ask(["copy-1", file], text=True).stderr.endswith("well\n")
    use(monkeypatch, tmp_path, "all")
    with pytest.raises(pytest.fail.Exception, match=r"another answer than the recorded one(.|\n)*well(.|\n)*badly"):
        ask(["copy-1", file])
    use(monkeypatch, tmp_path, "all", records=True)
    assert ask(["copy-1", file], text=True).stderr.endswith("badly\n")


@pytest.mark.usefixtures("tool")
def test_the_digest_of_long_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    way = use(monkeypatch, tmp_path, records=True)
    ask(["copy-1", file], keeps="digest")
    way.store.save(forgets=False)
    assert "one" not in (tmp_path / NAME).read_text()
    use(monkeypatch, tmp_path)
    found = ask(["copy-1", file], keeps="digest", text=True).stdout
    assert isinstance(found, Digest)
    assert (found == "one", found == b"one", found == "two", found == 1) == (True, True, False, False)
    assert found == ask(["copy-1", file], keeps="digest").stdout


def test_results_of_several_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    way = use(monkeypatch, tmp_path, records=True)
    assert recall(["opt-22", b"\0"], lambda: [1, {"a": None}]) == [1, {"a": None}]
    way.store.save(forgets=False)
    use(monkeypatch, tmp_path)
    assert recall(["opt-22", b"\0"], lambda: pytest.fail("asked")) == [1, {"a": None}]
    with pytest.raises(pytest.fail.Exception, match="no answer is recorded"):
        recall(["opt-22", b"\1"], lambda: 0)


@pytest.mark.parametrize("value", [0, False, None, "", []])
def test_results_that_are_false(value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    way = use(monkeypatch, tmp_path, records=True)
    recall(["opt-22"], lambda: value)
    way.store.save(forgets=False)
    use(monkeypatch, tmp_path)
    assert recall(["opt-22"], lambda: pytest.fail("asked")) == value


@pytest.mark.usefixtures("tool")
def test_steps_of_a_result_are_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    way = use(monkeypatch, tmp_path, records=True)
    assert recall(["copy-1", b"one"], lambda: ask(["copy-1", file], text=True).stdout) == "one"
    way.store.save(forgets=False)
    assert len((tmp_path / NAME).read_text().splitlines()) == 1


@pytest.mark.usefixtures("tool")
def test_answers_that_nobody_asks_for_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    way = use(monkeypatch, tmp_path, records=True)
    for text in ("one", "two"):
        (tmp_path / "a.txt").write_text(text)
        ask(["copy-1", tmp_path / "a.txt"])
    way.store.save(forgets=False)
    assert len((tmp_path / NAME).read_text().splitlines()) == 2
    way = use(monkeypatch, tmp_path)
    ask(["copy-1", tmp_path / "a.txt"])
    way.store.save(forgets=True)
    (line,) = (tmp_path / NAME).read_text().splitlines()
    assert '"out": "two"' in line


def test_in_a_month_of_days_each_question_is_asked_once() -> None:
    ways = [Way(f"2026-11-{day + 1:02}", records=False) for day in range(PARTS)]
    for number in range(100):
        assert [way.asks(f"{number:x}") for way in ways].count(True) == 1
    assert (Way("", records=False).asks("0"), Way("all", records=False).asks("0")) == (False, True)


def test_options_may_name_files_and_folders_may_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    question = Question(["opt-22", f"-list={tmp_path / 'a.txt'}", "a.txt", "-o", "-"], b"", tmp_path)
    assert question.command == ["opt-22", "-list==0=/a.txt", "a.txt", "-o", "-"]
    with pytest.raises(AssertionError, match="no file"):
        Question(["opt-22", str(tmp_path)], b"", tmp_path)


@pytest.mark.parametrize("data", [b"", b"short", b"\x80", b"long" * 1000, bytes(range(256)) * 20])
def test_outputs_in_json(data: bytes) -> None:
    assert unpacked(packed(data)) == data


def test_a_new_version_of_bitcodec_asks_the_same_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    module = bitcodec.parse_assembly("@x = global i32 1\n")
    other = "".join("9" if letter.isdigit() else letter for letter in bitcodec.__version__)
    before = without_own_version(bitcodec.dumps(module))
    monkeypatch.setattr(writer, "__version__", other)
    monkeypatch.setattr(bitcodec, "__version__", other)
    assert without_own_version(bitcodec.dumps(module)) == before
    assert before.startswith(b"BC\xc0\xdebitcodec")
    assert without_own_version(b"BC\xc0\xde") == b"BC\xc0\xde"


@pytest.mark.usefixtures("tool")
def test_files_that_commands_make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "path_of", lambda name: f"/bin/{name}")
    commands, files = ["sh -c 'cat a.txt > b.txt'", "cp b.txt c.txt"], {"a.txt": b"\xff" * 5000}
    way = use(monkeypatch, tmp_path, records=True)
    expected = {"c.txt": b"\xff" * 5000}
    assert build(commands, files, ["c.txt"]) == expected
    way.store.save(forgets=False)
    use(monkeypatch, tmp_path)
    monkeypatch.setattr(tools, "path_of", lambda _: None)
    assert build(commands, files, ["c.txt"]) == expected


def test_a_sample_replays_what_no_installed_tool_answers(
    tool: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("one")
    way = use(monkeypatch, tmp_path, records=True)
    ask(["copy-1", tmp_path / "a.txt"])
    way.store.save(forgets=False)
    tool.unlink()
    for day in range(PARTS):
        use(monkeypatch, tmp_path, f"2026-11-{day + 1:02}")
        assert ask(["copy-1", tmp_path / "a.txt"]).stdout == b"one"
    use(monkeypatch, tmp_path, "all")
    with pytest.raises(pytest.skip.Exception, match="copy-1 is not installed"):
        ask(["copy-1", tmp_path / "a.txt"])
