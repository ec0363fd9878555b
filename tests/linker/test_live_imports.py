"""Functions imported by a summary index, here and by llvm-link 22: the same text.

`python -m linker.test_live_imports 200`, run in `tests`, compares as many generated sets.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import tempfile
from difflib import unified_diff
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import bitcodec
from answers import recall
from answers.store import packed, unpacked
from answers.tools import path_of
from bitcodec.linker import Linker, LinkError

from .generating import generate_set

if TYPE_CHECKING:
    from collections.abc import Sequence

SETS = 12
LINK = "llvm-link-22"
INDEX, OUTPUT = "index.bc", "linked.ll"


def test_text_is_that_of_llvm(tmp_path: Path) -> None:
    found = [difference(seed, tmp_path) for seed in range(SETS)]
    assert not any(found)
    assert len([each for each in found if each is not None]) >= SETS // 4


def difference(seed: int, folder: Path) -> str | None:
    """Return how a generated set differs from what llvm-link makes of it, "" if not, None if LLVM's tools crash."""
    texts = [adapted(text) for text in generate_set(seed)]
    random = Random(seed)
    names = [f"{number}.bc" for number in range(len(texts))]
    imports = [f"{name}:{file}" for text, file in zip(texts, names, strict=True) for name in defined(text)]
    imports = random.sample(imports, min(len(imports), random.randint(1, 4)))
    inputs = names[: random.randint(1, len(names))]
    answer = recall([LINK, *texts, *imports, *inputs], lambda: answer_of_llvm(texts, imports, inputs))
    if answer is None:
        return None
    for name, content in answer.items():
        (folder / name).write_bytes(unpacked(content))
    expected = (folder / OUTPUT).read_text()
    with contextlib.chdir(folder):
        text = linked(inputs, imports, INDEX)
    lines = unified_diff(expected.splitlines(), text.splitlines(), "expected", "found", n=0, lineterm="")
    return "" if text == expected else "\n".join([" ".join([*inputs, *imports]), *lines])


def answer_of_llvm(texts: list[str], imports: list[str], inputs: list[str]) -> dict[str, Any] | None:
    """Return bitcode with summaries, their index, and what llvm-link makes of them; None if a tool crashes."""
    names = [f"{number}.bc" for number in range(len(texts))]
    commands: list[tuple[str, ...]] = [
        ("opt-22", "-disable-verify", "-module-summary", "-module-hash", f"{number}.ll", "-o", name)
        for number, name in enumerate(names)
    ]
    commands.append(("llvm-lto-22", "-thinlto-action=thinlink", "-o", INDEX, *names))
    options = [f"-summary-index={INDEX}", *[f"-import={each}" for each in imports]]
    commands.append((LINK, "-S", "--disable-verify", "-o", OUTPUT, *inputs, *options))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, OUTPUT).touch()  # It stays empty if llvm-link refuses.
        for number, text in enumerate(texts):
            Path(folder, f"{number}.ll").write_text(text)
        for tool, *arguments in commands:
            command = [path_of(tool) or tool, *arguments]
            if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode < 0:
                return None
        return {name: packed(Path(folder, name).read_bytes()) for name in [*names, INDEX, OUTPUT]}


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
