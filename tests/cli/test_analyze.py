"""`analyze`: the statistics of llvm-bcanalyzer, byte for byte, and as JSON."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest

from bits import Bits
from corpus import FOLDER, File, accepted_streams, parameters

from .documents import document
from .running import llvm_process, process, succeed

GOLDEN = [file for file in accepted_streams() if "summary" in file.goldens]


@pytest.mark.parametrize("file", parameters(GOLDEN))
def test_text_is_that_of_llvm(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir((FOLDER / file.path).parent)
    text = succeed("analyze", file.name)
    golden = file.goldens["summary"]
    assert (len(text), sha256(text).hexdigest()) == (golden["bytes"], golden["sha256"])


@pytest.mark.parametrize("file", parameters(GOLDEN[::120]))
def test_text_of_a_process_is_the_same(file: File) -> None:
    done = process("analyze", file.name, folder=(FOLDER / file.path).parent)
    assert (done.returncode, done.stderr) == (0, b"")
    assert sha256(done.stdout).hexdigest() == file.goldens["summary"]["sha256"]


@pytest.mark.parametrize("file", parameters(GOLDEN[::9]))
def test_no_histogram_live(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = (FOLDER / file.path).parent
    expected = llvm_process("llvm-bcanalyzer", "--disable-histogram", file.name, folder=folder, keeps="digest")
    monkeypatch.chdir(folder)
    assert succeed("analyze", "--no-histogram", file.name) == expected.stdout


@pytest.mark.parametrize("file", parameters(GOLDEN[::40]))
def test_json_says_what_the_text_says(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir((FOLDER / file.path).parent)
    head, *sections = file.golden_dump().decode("latin-1").partition("\nSummary of ")[2].split("  Block ID #")
    (stream,) = document(succeed("analyze", "--json", file.name))["streams"]
    assert f"Total size: {stream['bits']}b/" in head
    assert f"# Toplevel Blocks: {stream['top_level_blocks']}\n" in head
    assert [block["id"] for block in stream["blocks"]] == [int(re.match(r"\d+", text)[0]) for text in sections]
    for block, text in zip(stream["blocks"], sections, strict=True):
        assert f"Num Instances: {block['count']}\n         Total Size: {block['bits']}b/" in text
        assert re.search(rf"SubBlocks: {block['blocks']}\b", text)
        assert re.search(rf"Abbrevs: {block['abbreviations']}\b", text)
        assert re.search(rf"Records: {sum(record['count'] for record in block['records'])}\b", text)
        rows = re.findall(r"^\t\t *(\d+) +(\d+) .* (\S+)$", text, re.MULTILINE)
        shown = [(record["count"], record["bits"], record["name"]) for record in block["records"]]
        assert sorted(shown, key=repr) == sorted(
            ((int(count), int(bits), None if name.startswith("UnknownCode") else name) for count, bits, name in rows),
            key=repr,
        )


def test_json_of_a_stream_in_words(tmp_path: Path) -> None:
    fields = (7, ("fixed", 8))
    bits = Bits().enter_block(8).unabbreviated(1, [2]).define(*fields).abbreviated(4, fields, [7, 200])
    inner = bits.size + 3 + 8  # LLVM counts a block from behind its id
    bits.enter_block(77).end_block()
    inner_bits = bits.size - inner
    outer_bits = bits.end_block().size - (32 + 2 + 8) - inner_bits
    (tmp_path / "a.bc").write_bytes(bits.stream())
    assert document(succeed("analyze", "--json", tmp_path / "a.bc")) == {
        "schema": "bitcodec/analyze/1",
        "streams": [
            {
                "file": str(tmp_path / "a.bc"),
                "member": None,
                "kind": "LLVM IR",
                "bits": len(bits.stream()) * 8,
                "top_level_blocks": 1,
                "blocks": [
                    {
                        "id": 8,
                        "name": "MODULE_BLOCK",
                        "count": 1,
                        "bits": outer_bits,
                        "blocks": 1,
                        "abbreviations": 1,
                        "records": [
                            {"code": 1, "name": "VERSION", "count": 1, "bits": 3 + 18, "abbreviated": 0},
                            {"code": 7, "name": "GLOBALVAR", "count": 1, "bits": 3 + 8, "abbreviated": 1},
                        ],
                    },
                    {
                        "id": 77,
                        "name": None,
                        "count": 1,
                        "bits": inner_bits,
                        "blocks": 0,
                        "abbreviations": 0,
                        "records": [],
                    },
                ],
            }
        ],
    }


def test_standard_input(small: bytes) -> None:
    text = succeed("analyze", "-", stdin=small)
    assert text.startswith(b"Summary of -:\n")
    assert b"  Block ID #8 (MODULE_BLOCK):\n      Num Instances: 1\n" in text
