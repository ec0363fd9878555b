"""Triples of linked modules: of two that differ, that of Apple's newer system stays."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask

LINK = "llvm-link-22"
PAIRS = {
    ("x86_64-unknown-linux-gnu", "x86_64-apple-macosx10.12.0"): "x86_64-apple-macosx10.12.0",
    ("x86_64-apple-macosx10.12.0", "x86_64-unknown-linux-gnu"): "x86_64-apple-macosx10.12.0",
    ("x86_64-apple-macosx10.9", "x86_64-apple-macosx10.12.0"): "x86_64-apple-macosx10.12.0",
    ("x86_64-apple-macosx10.12.0", "x86_64-apple-macosx10.9"): "x86_64-apple-macosx10.12.0",
    ("arm64-apple-macosx10.15.7.1", "arm64-apple-macosx10.15.7.9"): "arm64-apple-macosx10.15.7.1",
    ("x86_64-apple-macosx10.9", "x86_64-apple-darwin"): "x86_64-apple-macosx10.9",
    ("x86_64-unknown-freebsd13.0", "x86_64-apple-macos11"): "x86_64-unknown-freebsd13.0",
    ("x86_64-unknown-system50.1", "x86_64-apple-macos11"): "x86_64-apple-macos11",
    ("x86_64-pc-win32", "arm64-apple-visionos1.0"): "arm64-apple-visionos1.0",
    ("i386-unknown-77", "arm64-apple-ios13.1"): "i386-unknown-77",
    ("x86_64-unknown-linux-gnu", "x86_64-unknown-linux6.1-gnu"): "x86_64-unknown-linux-gnu",
    ("x86_64-apple-macosx10.9", ""): "x86_64-apple-macosx10.9",
}


def text(triple: str, symbol: str) -> str:
    return f'target triple = "{triple}"\n@{symbol} = global i32 0\n'


@pytest.mark.parametrize("triples", PAIRS)
def test_triple(triples: tuple[str, str]) -> None:
    linked = bitcodec.link([text(triple, f"g{number}").encode() for number, triple in enumerate(triples)])
    assert linked.target_triple == PAIRS[triples]


@pytest.mark.parametrize("triples", PAIRS)
def test_triple_is_that_of_llvm_link(triples: tuple[str, str], tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.ll" for number in range(len(triples))]
    for number, (file, triple) in enumerate(zip(files, triples, strict=True)):
        file.write_text(text(triple, f"g{number}"))
    done = ask([LINK, "-S", *files, "-o", "-"], text=True, check=True)
    assert f'target triple = "{PAIRS[triples]}"' in done.stdout
