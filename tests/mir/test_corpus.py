"""Whatever llc-22 makes of the corpus is read and written byte for byte, and llc-22 takes it again.

`BITCODEC_MIR` says how many modules are tried, or `all`: for two targets, at -O0 and -O2, after three passes.  Modules
that llc does not compile for a target are passed over.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from tests import corpus

from bitcodec import mir
from bitcodec.ir.pcsections import PCSection, PCSections

from .tools import AARCH64, LLC, X86

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

REFUSED_BY_LLC = {
    "symbol '' is already defined": "labels of the back end have lost their names",
    "expected a cfi offset": "such a label stands before a number",
    "expected end of string after the metadata node": "several variables share a stack slot",
    "unknown machine instruction name 'nomerge'": "a flag that is printed and not read",
    "missing implicit register operand": "an operand of the opcode was dropped by a pass",
    "isn't defined in the provided LLVM IR": "a function without a name",
    "Found [0-9]+ machine code errors": "what the pass itself left",
    "<inline asm>": "assembly that the target does not know",
    "only supported on AArch64 Android": "what the target does not know",
}
"""What llc says when it refuses what it has just written itself, and what is behind it."""

pytestmark = [
    pytest.mark.live,  # `test_goldens.py` has what llc wrote for a few modules
    pytest.mark.skipif(not MODULES, reason=f"no corpus at {corpus.FOLDER}"),
]


def llc(source: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [LLC, *options, source]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)


@pytest.mark.parametrize("triple", [X86, AARCH64])
@pytest.mark.parametrize(("level", "stage"), STAGES)
@pytest.mark.parametrize("module", MODULES[::STEP], ids=lambda path: path.name)
def test_round_trip(module: Path, level: str, stage: str, triple: str, tmp_path: Path) -> None:
    source, changed = tmp_path / "of-llc.mir", tmp_path / "changed.mir"
    if llc(module, f"-mtriple={triple}", level, f"-stop-after={stage}", "-o", str(source)).returncode:
        pytest.skip("llc does not compile it for this target")
    text = source.read_bytes()

    assert mir.loads(text).dumps(reprint=True).encode() == text

    changed.write_bytes(marked(mir.loads(text)).dumps().encode())
    before, after = (llc(path, level, f"-start-after={stage}", "-filetype=null") for path in (source, changed))
    if before.returncode:
        assert any(re.search(message, before.stderr) for message in REFUSED_BY_LLC), before.stderr
    else:
        assert after.returncode == 0, after.stderr


def marked(module: mir.MachineModule) -> mir.MachineModule:
    """Ask for the PCs of all instructions that make code."""
    asked = PCSections([PCSection.of("marked!C", [])])
    for function in module.functions:
        for instruction in function.instructions:
            if not instruction.is_debug and instruction.opcode not in {"PHI", "CFI_INSTRUCTION"}:
                instruction.set_pcsections(asked)
    return module
