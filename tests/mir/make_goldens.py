"""Makes the files in `tests/data/mir`: `python -m tests.mir.make_goldens`, with llc-22 and the corpus.

They are what llc writes, so that it needs no LLVM to prove that nothing is lost between reading and writing.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))  # as pytest does

from .tools import LLC

DATA = Path(__file__).parents[1] / "data"
CORPUS = DATA.parents[2] / "shared" / "corpus" / "modules"
FOLDER = DATA / "mir"

GENERIC = "-global-isel -global-isel-abort=0"


class Golden(NamedTuple):
    """A file: of which module, for which target, after which pass, and with which other options."""

    module: str
    triple: str
    stop_after: str
    options: str = "-O2"

    @property
    def name(self) -> str:
        return f"{self.module.removesuffix('.bc')}.{self.triple.partition('-')[0]}.{self.stop_after}.mir"


GOLDENS = (
    Golden("atomics-O2-22.bc", "x86_64-linux-gnu", "finalize-isel"),
    Golden("atomics-O2-22.bc", "aarch64-linux-gnu", "finalize-isel"),
    Golden("control-O2-16.bc", "x86_64-linux-gnu", "machine-scheduler"),
    Golden("control-O2-16.bc", "aarch64-linux-gnu", "prologepilog"),
    Golden("exceptions-O2-19.bc", "x86_64-linux-gnu", "prologepilog"),
    Golden("asm-O0g-22.bc", "x86_64-linux-gnu", "finalize-isel", "-O0"),
    Golden("seh-win-22.bc", "x86_64-windows-msvc", "finalize-isel"),
    Golden("indirect-O2-22.bc", "x86_64-linux-gnu", "machine-scheduler"),
    Golden("sve-sve-22.bc", "aarch64-linux-gnu", "prologepilog"),
    Golden("vectors-O2-22.bc", "x86_64-linux-gnu", "legalizer", f"-O2 {GENERIC}"),
    Golden("kernel-spir-22.bc", "x86_64-linux-gnu", "irtranslator", f"-O2 {GENERIC}"),
    Golden("varargs-armv7-22.bc", "armv7-linux-gnueabihf", "finalize-isel"),
    Golden("varargs-hexagon-22.bc", "hexagon-unknown-elf", "hexagon-packetizer"),
    Golden("kernel-amdgpu-22.bc", "amdgcn-amd-amdhsa", "finalize-isel"),
)


def make(golden: Golden) -> None:
    folder = DATA if (DATA / golden.module).exists() else CORPUS
    command = [LLC, f"-mtriple={golden.triple}", f"-stop-after={golden.stop_after}", *golden.options.split()]
    result = subprocess.run([*command, golden.module, "-o", "-"], cwd=folder, check=True, capture_output=True)
    (FOLDER / f"{golden.name}.gz").write_bytes(gzip.compress(result.stdout, mtime=0))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in GOLDENS:
        make(each)
