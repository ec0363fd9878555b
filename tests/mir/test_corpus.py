"""Whatever llc-22 makes of the corpus is read and written byte for byte, and llc-22 takes it again.

`BITCODEC_MIR` says how many modules are tried, or `all`: for two targets, at -O0 and -O2, after three passes.  Modules
that llc does not compile for a target are passed over.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from bitcodec import mir
from tests import corpus

from .tools import AARCH64, LLC, X86, needs_llc

MODULES = sorted((corpus.FOLDER / "modules").glob("*.bc"))
COUNT = os.environ.get("BITCODEC_MIR", "6")
STEP = 1 if COUNT == "all" else max(1, len(MODULES) // int(COUNT))

STAGES = (
    ("-O2", "finalize-isel"),
    ("-O2", "machine-scheduler"),
    ("-O2", "prologepilog"),
    ("-O0", "finalize-isel"),
    ("-O0", "prologepilog"),
)

UNREADABLE = (
    "expected a comma",
)

pytestmark = [
    needs_llc,
    pytest.mark.skipif(not MODULES, reason=f"no corpus at {corpus.FOLDER}"),
]


@pytest.mark.parametrize("triple", [X86, AARCH64])
@pytest.mark.parametrize(("level", "stage"), STAGES)
@pytest.mark.parametrize("module", MODULES[::STEP], ids=lambda path: path.name)
def test_round_trip(module: Path, level: str, stage: str, triple: str, tmp_path: Path) -> None:
    source = tmp_path / "of-llc.mir"
    made = compiled(module, source, f"-mtriple={triple}", level, f"-stop-after={stage}")
    if made.returncode:
        pytest.skip("llc does not compile it for this target")
    text = source.read_bytes()

    written = mir.loads(text).dumps(reprint=True).encode()

    assert written == text
