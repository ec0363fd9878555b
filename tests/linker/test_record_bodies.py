"""Bodies that are linked without being read: what is written of them, and what they are when somebody reads them.

`python -m linker.test_record_bodies 5000`, run in `tests`, compares as many sets.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import bitcodec
from bitcodec.linker import Linker, LinkError

from .generating import generate_set

LINK, DIS = "llvm-link-22", "llvm-dis-22"
SETS = 120
NEEDS_TOOLS = pytest.mark.skipif(shutil.which(LINK) is None, reason="LLVM's tools are not installed")


def assembled(texts: list[str], folder: Path) -> list[str]:
    """Write texts as bitcode, and return the files."""
    files = []
    for number, text in enumerate(texts):
        files.append(str(folder / f"{number}.bc"))
        bitcodec.save(bitcodec.parse_assembly(text), files[-1])
    return files


def link(files: list[str], option: str = "", *, reads_bodies: bool = False) -> bitcodec.Module:
    """Link files with an option of llvm-link."""
    linker = Linker(only_needed=option == "only-needed", internalize=option == "internalize", reads_bodies=reads_bodies)
    for file in files[:-1]:
        linker.add(file)
    (linker.override if option == "override" else linker.add)(files[-1])
    return linker.finish()


def disassembled(data: bytes) -> str:
    """Return what llvm-dis prints of bitcode, without the line that names the file."""
    done = subprocess.run([DIS, "-o", "-"], input=data, capture_output=True, check=True)
    return done.stdout.decode().partition("\n")[2]


def expected(files: list[str], option: str, *flags: str) -> bytes:
    """Return what llvm-link makes of files, nothing if it refuses."""
    *others, last = files
    arguments = [*others, f"--override={last}"] if option == "override" else [*files, *[f"--{option}"] * bool(option)]
    done = subprocess.run([LINK, "--disable-verify", "-o", "-", *flags, *arguments], capture_output=True, check=False)
    return b"" if done.returncode else done.stdout


def difference(seed: int, option: str, folder: Path) -> str:
    """Return which form of a set is not what llvm-link makes of it, "" if none."""
    files = assembled(generate_set(seed), folder)
    theirs = expected(files, option)
    try:
        module = link(files, option)
    except LinkError:
        return "refused" if theirs else ""
    if disassembled(bitcodec.dumps(module)) != disassembled(theirs):
        return "written"
    same = bitcodec.print_assembly(module) == expected(files, option, "-S").decode()
    return "" if same else "read late"


@NEEDS_TOOLS
@pytest.mark.parametrize("first", range(0, SETS, 40))
def test_sets_are_those_of_llvm(first: int, tmp_path: Path) -> None:
    found = {seed: difference(seed, "", tmp_path) for seed in range(first, first + 40)}
    assert {seed: what for seed, what in found.items() if what} == {}


@NEEDS_TOOLS
@pytest.mark.parametrize("option", ["only-needed", "internalize", "override"])
def test_options(option: str, tmp_path: Path) -> None:
    found = {seed: difference(seed, option, tmp_path) for seed in range(1000, 1012)}
    assert {seed: what for seed, what in found.items() if what} == {}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        for number in range(int(sys.argv[1])):
            what = difference(number, "", Path(made))
            if what:
                print(number, what, flush=True)
