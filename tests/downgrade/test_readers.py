"""Real readers and verifiers of older versions accept what was written for them, and it means the same.

`python -m tests.downgrade --meaning` does this for all modules of the corpus.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import recall

from .files import NOT_SOUND, files
from .meaning import comparable, differences, disassembled
from .oracles import VERSIONS, verify

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("*.bc"))
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
def test_real_readers_accept_what_is_written_for_them(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the path of an old file becomes the name of its source
    output = Path("older.bc")
    for place in samples(version):
        path = Path(place.name)
        path.write_bytes(place.read_bytes())
        module = bitcodec.open(path)
        losses: list[bitcodec.Loss] = []
        try:
            bitcodec.save(module, output, llvm_version=version, on_loss=losses.append)
        except bitcodec.EncodingError:
            assert path.name.startswith(WITH_NEWER_CONSTRUCTS)
            continue
        assert (path.name, verify(version, output, module.target_triple)) == (path.name, "")
        assert (path.name, changes(path, output, losses, version)) == (path.name, [])


def changes(original: Path, written: Path, losses: list[bitcodec.Loss], version: int) -> list[str]:
    """Return the lines that mean something else to LLVM 22 in what is written for a version, apart from the losses."""

    def compare() -> list[str]:
        before = disassembled(comparable(original, written.parent, losses, version), version)
        return differences(before, disassembled(written, version), losses)

    parts = ["llvm-dis-22, llvm-as-22, opt-22", str(version), *map(str, losses)]
    found: list[str] = recall([*parts, original.read_bytes(), written.read_bytes()], compare)
    return found


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
