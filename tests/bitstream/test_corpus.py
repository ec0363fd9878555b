"""Real files: the text of `llvm-bcanalyzer` 22, byte for byte, and the files' own bytes again."""

from __future__ import annotations

import hashlib

import pytest

from bitcodec import bitstream
from bitcodec.errors import BitstreamError
from corpus import File, accepted_streams, needs_corpus, parameters, streams

from .forms import installed
from .reference import analyzer_text

NOT_ENCODED_ALIKE = {
    "invalid/invalid-load-ptr-type.bc": "its only block states 110 words, more than the file has, and ends after 101",
    "invalid/invalid-insertval-array-idx.bc": "its only block states 110 words and ends after 109",
}
"""Files with a sound stream that come out otherwise when every field is written anew, and why."""


def decodable() -> list[File]:
    """Return the files whose streams are sound, as far as this library sees."""
    return [file for file in streams() if _columns(file) is not None]


def _columns(file: File) -> bitstream.Columns | None:
    try:
        return bitstream.loads(file.data).columns
    except BitstreamError:
        return None


@pytest.mark.parametrize("file", parameters([file for file in accepted_streams() if file.goldens]))
def test_dump_and_summary_are_what_llvm_prints(file: File) -> None:
    dump, summary = analyzer_text(installed(), file.data, file.name)
    assert dump == file.golden_dump()
    assert hashlib.sha256(summary).hexdigest() == file.goldens["summary"]["sha256"]
    assert len(summary) == file.goldens["summary"]["bytes"]


@needs_corpus
def test_goldens_are_there_for_every_kind_of_file() -> None:
    """Guard the test above against a manifest whose goldens went missing."""
    compared = [file for file in accepted_streams() if file.goldens]
    assert len(compared) >= 532
    assert {file.path.split("/")[0] for file in compared} == {"modules", "legacy", "containers"}


@pytest.mark.parametrize("file", parameters(decodable()))
def test_bytes_come_back(file: File) -> None:
    data = file.data
    stream = bitstream.loads(data)
    assert stream.dumps() == data
    assert file.path in NOT_ENCODED_ALIKE or stream.edit().dumps() == data


@pytest.mark.parametrize("file", parameters(decodable()))
def test_every_field_written_anew_gives_the_same_bytes(file: File) -> None:
    stream = bitstream.loads(file.data)
    encoded = bitstream.encode(stream.payload, stream.columns)
    assert (encoded == stream.payload) == (file.path not in NOT_ENCODED_ALIKE)


@pytest.mark.parametrize("file", parameters([file for file in decodable() if file.path not in NOT_ENCODED_ALIKE]))
def test_a_draft_with_every_block_opened_gives_the_same_bytes(file: File) -> None:
    data = file.data
    draft = bitstream.loads(data).edit()
    pending = list(draft.blocks)
    while pending:
        pending.extend(pending.pop().blocks)
    assert draft.dumps() == data


@needs_corpus
def test_the_exceptions_are_still_in_the_corpus() -> None:
    assert NOT_ENCODED_ALIKE.keys() <= {file.path for file in decodable()}


def test_trailing_bytes_are_kept_and_shown() -> None:
    file = next((file for file in streams() if file.name == "padding-garbage.bc"), None)
    if file is None:
        pytest.skip("no corpus")
    stream = bitstream.loads(file.data)
    assert bytes(stream.trailing) == b"garbage\n"
    assert stream.dumps().endswith(b"garbage\n")
    assert stream.edit().dumps().endswith(b"garbage\n")
