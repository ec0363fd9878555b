"""Functions imported by a summary index, here and by llvm-link 22: the same text.

`python -m tests.linker.test_live_imports 200` compares as many generated sets.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from difflib import unified_diff
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcodec.linker import Linker, LinkError

from .generating import generate_set

if TYPE_CHECKING:
    from collections.abc import Sequence

SETS = 12
LINK = "llvm-link-22"

pytestmark = pytest.mark.skipif(shutil.which(LINK) is None, reason="LLVM's tools are not installed")


def test_text_is_that_of_llvm(tmp_path: Path) -> None:
    found = [difference(seed, tmp_path) for seed in range(SETS)]
    assert not any(found)
    assert len([each for each in found if each is not None]) >= SETS // 4


def difference(seed: int, folder: Path) -> str | None:
    """Return how a generated set differs from what llvm-link makes of it, "" if not, None if LLVM's tools crash."""
    texts = [adapted(text) for text in generate_set(seed)]
    random = Random(seed)
    files = [str(folder / f"{number}.bc") for number in range(len(texts))]
    for text, file in zip(texts, files, strict=True):
        if tool("opt-22", "-disable-verify", "-module-summary", "-module-hash", "-o", file, text=text) is None:
            return None
    index = str(folder / "index.bc")
    if tool("llvm-lto-22", "-thinlto-action=thinlink", "-o", index, *files) is None:
        return None
    imports = [f"{name}:{file}" for text, file in zip(texts, files, strict=True) for name in defined(text)]
    imports = random.sample(imports, min(len(imports), random.randint(1, 4)))
    inputs = files[: random.randint(1, len(files))]
    options = [f"-summary-index={index}", *[f"-import={each}" for each in imports]]
    expected = tool(LINK, "-S", "--disable-verify", "-o", "-", *inputs, *options)
    if expected is None:
        return None
    text = linked(inputs, imports, index)
    lines = unified_diff(expected.splitlines(), text.splitlines(), "expected", "found", n=0, lineterm="")
    return "" if text == expected else "\n".join([" ".join([*inputs, *imports]), *lines])


def tool(*command: str, text: str = "") -> str | None:
    """Return what a command prints, None if it crashes."""
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    return done.stdout.decode() if done.returncode >= 0 else None


def adapted(text: str) -> str:
    """Return a text with a data layout, which llvm-lto needs, and without assembly, at which llvm-link crashes."""
    kept = re.sub(r"^(target|module asm) .*\n", "", text, flags=re.MULTILINE)
    return f'target datalayout = "e-m:e-i64:64"\ntarget triple = "x86_64-unknown-linux-gnu"\n{kept}'


def defined(text: str) -> list[str]:
    return re.findall(r"^define .*?@(s\d+)\(", text, re.MULTILINE)


def linked(inputs: Sequence[str], imports: Sequence[str], index: str) -> str:
    linker = Linker(summary_index=index)
    try:
        for file in inputs:
            linker.add(file)
        requests: dict[str, list[str]] = {}
        for each in imports:
            name, _, file = each.partition(":")
            requests.setdefault(file, []).append(name)
        for file, names in requests.items():
            linker.import_functions(file, names)
        return bitcodec.print_assembly(linker.finish())
    except LinkError:
        return ""


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        found = {number: difference(number, Path(made)) for number in range(int(sys.argv[1]))}
    for number, text in found.items():
        if text:
            print(number, text)
    print("compared:", sum(text is not None for text in found.values()))
