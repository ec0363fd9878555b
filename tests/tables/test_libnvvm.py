"""Names of targets are those of the headers of LLVM 22."""

from __future__ import annotations

import re
from pathlib import Path

from answers import recall
from bitcodec.tables.libnvvm import OTHER_TARGETS

HEADERS = Path("/usr/lib/llvm-22/include/llvm/IR")


def targets() -> list[str]:
    """Return how the names of intrinsics of targets begin."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(HEADERS.glob("Intrinsics?*.h"))]
    return sorted({name for text in texts for name in re.findall(r"// llvm\.(\w+)", text)})


def test_targets() -> None:
    assert sorted({*OTHER_TARGETS, "nvvm"}) == recall(["beginnings of names in the headers of LLVM 22"], targets)
