"""Real files: the text of `llvm-bcanalyzer` 22, byte for byte, and the files' own bytes again."""

from __future__ import annotations

import hashlib
from functools import cache

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


@cache
def decodable() -> list[File]:
    """Return the files whose streams are sound, as far as this library sees."""
    return [file for file in streams() if _is_decodable(file)]


def _is_decodable(file: File) -> bool:
    try:
        return bitstream.loads(file.data).columns is not None
    except BitstreamError:
        return False


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
    """As they were, every field written anew, and from drafts: of no block opened, and of every block."""
    data = file.data
    stream = bitstream.loads(data)
    is_alike = file.path not in NOT_ENCODED_ALIKE
    assert stream.dumps() == data
    assert (bitstream.encode(stream.payload, stream.columns) == stream.payload) is is_alike
    if is_alike:
        assert stream.edit().dumps() == data
        assert opened_everywhere(stream).dumps() == data


def opened_everywhere(stream: bitstream.Bitstream) -> bitstream.Draft:
    draft = stream.edit()
    pending = list(draft.blocks)
    while pending:
        pending.extend(pending.pop().blocks)
    return draft


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
