"""Real readers and verifiers of older versions accept what was written for them, and it means the same.

`python -m tests.bitcode.downgrade --meaning` does this for all modules of the corpus.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import bitcodec

from .files import NOT_SOUND, files
from .meaning import comparable, differences, disassembled
from .oracles import VERSIONS, has, verify

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").rglob("*.bc"))
SAMPLES = 3
"""Modules of the corpus for each version, others for each."""
WITH_NEWER_CONSTRUCTS = ("asm-", "cuda-nvptxg-", "ir_", "sve-")
"""How names of files begin that have something that some version has no other form for."""
CONSTRUCTS_OF_NEW_VERSIONS = "ir_new-22.bc"
REFUSED = 19
"""The first version that needs nothing of a newer one for that file."""


def samples(version: int) -> list[Path]:
    found = [path for path in files() if path.name not in NOT_SOUND and path.parent.name != "bench"]
    step = len(found) // SAMPLES
    return [*EXAMPLES, *(found[(version - VERSIONS[-1]) :: step] if step else [])]


@pytest.mark.parametrize("version", VERSIONS)
def test_real_readers_accept_what_is_written_for_them(version: int, tmp_path: Path) -> None:
    if not has(version):
        pytest.skip(f"LLVM {version} is not installed")
    output = tmp_path / "older.bc"
    for path in samples(version):
        module = bitcodec.open(path)
        losses: list[bitcodec.Loss] = []
        try:
            bitcodec.save(module, output, llvm_version=version, on_loss=losses.append)
        except bitcodec.EncodingError:
            assert path.name.startswith(WITH_NEWER_CONSTRUCTS)
            continue
        assert (path.name, verify(version, output, module.target_triple)) == (path.name, "")
        if shutil.which("llvm-dis-22"):
            original = disassembled(comparable(path, tmp_path, losses, version), version)
            assert differences(original, disassembled(output, version), losses) == []


def test_what_only_newer_versions_have_is_refused() -> None:
    found = [path for path in files() if path.name == CONSTRUCTS_OF_NEW_VERSIONS]
    if not found:
        pytest.skip("there is no corpus")
    module = bitcodec.open(found[0])
    assert bitcodec.dumps(module, llvm_version=REFUSED)
    for version in VERSIONS:
        if version < REFUSED:
            with pytest.raises(
                bitcodec.EncodingError, match=rf"^constant ptrauth(?: in @pa)? cannot be written for LLVM {version}"
            ):
                bitcodec.dumps(module, llvm_version=version)
