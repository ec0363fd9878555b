"""Parity with the corpus: real files of many producers, and what its manifest says they hold."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bitcodec.containers import FileKind, detect, find, scan

from .conftest import CORPUS, corpus_files

MODULES = ("module", "thinlto", "split-lto-unit", "multi-module", "wrapper", "combined-index")
OTHER_BITSTREAMS = ("pch", "diagnostics", "remarks", "profile")


@pytest.mark.parametrize("entry", corpus_files(*MODULES, *OTHER_BITSTREAMS))
def test_bare_files_are_found_whole(entry: dict[str, Any]) -> None:
    data = (CORPUS / entry["file"]).read_bytes()
    (found,) = find(data)
    assert (found.path, found.offset, len(found.data)) == ("", 0, len(data))
    assert (detect(data) is FileKind.WRAPPER) == data.startswith(b"\xde\xc0\x17\x0b")


@pytest.mark.parametrize("entry", corpus_files("embedded-object"))
def test_objects(entry: dict[str, Any]) -> None:
    findings = scan((CORPUS / entry["file"]).read_bytes())
    if entry.get("members") is None:
        assert [part.path for part in findings.found] == ["__LLVM,__remarks"]
        assert bytes(findings.found[0].data[:4]) == b"RMRK"
        return
    stored = [wanted for wanted in entry["members"] if wanted["size"]]
    assert [sha256(part.data).hexdigest() for part in findings.found] == [wanted["sha256"] for wanted in stored]
    for part, wanted in zip(findings.found, stored, strict=True):
        assert part.offset == wanted.get("offset", part.offset)
        assert part.path == wanted.get("section", part.path)
    empty = [wanted["section"] for wanted in entry["members"] if not wanted["size"]]
    assert [place.path for place in findings.hollow] == empty


@pytest.mark.parametrize("entry", corpus_files("archive"))
def test_archives(entry: dict[str, Any], corpus: Path, tmp_path: Path) -> None:
    data = (CORPUS / entry["file"]).read_bytes()
    if detect(data) is FileKind.THIN_ARCHIVE:
        beside = {part.path: bytes(part.data) for part in find((corpus / "lib-gnu.a").read_bytes())}
        for wanted in entry["members"]:
            (tmp_path / wanted["name"]).write_bytes(beside[wanted["name"]])
    found = find(data, path=tmp_path / "lib.a")
    bare = {part.path: part for part in found if ":" not in part.path}
    inner = {part.path.partition(":")[0]: part for part in found if ":" in part.path}
    assert len(found) == len(entry["members"])
    names = ["x86_64", "arm64"] if detect(data) is FileKind.UNIVERSAL else [w["name"] for w in entry["members"]]
    for name, wanted in zip(names, entry["members"], strict=True):
        if name in bare:
            assert sha256(bare[name].data).hexdigest() == wanted["sha256"]
            assert bare[name].offset == wanted.get("offset")
        else:
            offset = inner[name].offset
            assert offset is not None
            assert wanted["offset"] < offset < wanted["offset"] + wanted["size"]


@pytest.mark.parametrize("entry", corpus_files("invalid"))
def test_malformed_bitstreams_are_none_of_our_business(entry: dict[str, Any]) -> None:
    data = (CORPUS / entry["file"]).read_bytes()
    assert len(find(data)) == (detect(data) in {FileKind.BITSTREAM, FileKind.WRAPPER})
