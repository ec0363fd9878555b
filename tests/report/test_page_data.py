"""Data of the page: sizes add up, limits hold, calls lead to the right functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bitcodec.report import Report, collect, collect_file
from bitcodec.report.page_data import page_data

from .files import DATA, HELLO, QUEUE, TAGGED, bytes_of


def data_of(report: Report) -> dict[str, Any]:
    data = page_data(report, title="t")
    assert json.loads(json.dumps(data)) == data
    return data


def check_sums(data: dict[str, Any]) -> None:
    """Check that what each view shows adds up to the size of the files."""
    functions = sum(data["functions"]["bits"]) + sum(bits for _, bits, _ in data["smaller"])
    others = sum(bits for stream in data["streams"] for _, bits in stream["parts"])
    outside = sum(file["outside"] for file in data["files"])
    assert functions + others + outside == data["bits"]
    assert sum(bits for _, bits, _, _ in data["blocks"]) == data["bits"]
    assert all(bits >= 0 for stream in data["streams"] for _, bits in stream["parts"])


@pytest.mark.parametrize(
    "name", ["lib-gnu.a", "embed-elf-22.o", "multi-cat-22.bc", "wrapper-darwin-22.bc", "ctx.profile"]
)
def test_sizes_add_up(name: str) -> None:
    check_sums(data_of(collect([DATA / name])))
    check_sums(data_of(collect([HELLO, DATA / name, QUEUE])))


def test_streams_of_the_same_name_are_kept_apart() -> None:
    from containers.builders import gnu_archive  # noqa: PLC0415

    archive = gnu_archive(("a.o", HELLO.read_bytes()), ("a.o", QUEUE.read_bytes()), ("a.o", TAGGED.read_bytes()))
    data = data_of(Report([collect_file(archive, "lib.a")]))

    check_sums(data)
    assert [module["stream"] for module in data["modules"]] == [0, 1, 2]


def test_calls_lead_to_functions_of_other_modules() -> None:
    report = Report([collect_file(bytes_of("a", "b"), "1"), collect_file(bytes_of("a", "c"), "2")])
    data = data_of(report)
    names, calls = data["functions"]["name"], data["functions"]["calls"]

    for number, name in enumerate(names):
        for target in calls[number][::2]:
            assert names[target] == "a"
            assert data["functions"]["module"][target] == data["functions"]["module"][number]
        assert bool(calls[number]) is (name != "a")


def test_names_of_files_leave_out_the_common_folder(tmp_path: Path) -> None:
    for name in ("a/x.bc", "b/y.bc"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(HELLO.read_bytes())
    data = data_of(collect([tmp_path / "a/x.bc", tmp_path / "b/y.bc"]))

    assert [data["texts"][file["name"]] for file in data["files"]] == ["a/x.bc", "b/y.bc"]
    assert [module["name"] for module in data["modules"]] == ["a/x.bc", "b/y.bc"]


def test_the_smallest_functions_of_a_large_build_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitcodec.report.page_data._MAX_FUNCTIONS", 3)
    data = data_of(Report([collect_file(bytes_of(*"abcdefgh"), "m")]))

    check_sums(data)
    assert len(data["functions"]["name"]) == 3
    assert data["smaller"][0][0] == 5


def test_long_names_are_cut_off() -> None:
    data = data_of(Report([collect_file(bytes_of("x" * 100_000, "b"), "m")]))
    assert len(json.dumps(data)) < 20_000


def test_duplicates_have_the_same_group() -> None:
    report = Report([collect_file(bytes_of("a", "b"), "1"), collect_file(bytes_of("a", "b"), "2")])
    columns = data_of(report)["functions"]
    groups: dict[int, set[str]] = {}
    for name, group in zip(columns["name"], columns["group"], strict=True):
        groups.setdefault(group, set()).add(name)

    assert sorted(map(sorted, groups.values())) == [["a"], ["b"]]
    assert 0 not in groups
