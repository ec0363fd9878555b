"""`pcsections lookup`: addresses of a running and of a dumped process, found again in its program."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from answers import ask, recall
from bitcodec.containers.elf_file import ElfFile
from bitcodec.errors import BitcodecError
from bitcodec.pcsections.objects.memory_maps import Mapping, displacement, mappings_of

from .documents import document
from .running import fail, run, succeed

PATTERN = Path("/proc/sys/kernel/core_pattern")
SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
_Atomic int counter;
__attribute__((noinline)) int count(int by) {
  counter += by;
  return counter;
}
int main(int argc, char **argv) {
  char text[4096];
  FILE *maps = fopen("/proc/self/maps", "r"), *copy = fopen("maps.txt", "w");
  for (size_t n; (n = fread(text, 1, sizeof text, maps));) fwrite(text, 1, n, copy);
  fclose(copy);
  printf("%p\n", (void *)count);
  fflush(stdout);
  return argc > 1 ? (abort(), 1) : count(argc) - 1;
}
"""

pytestmark = pytest.mark.same_in_both


class Program(NamedTuple):
    path: Path
    maps: Path
    address: int
    """Of `count` in the process that `maps` is of."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("program")
    (folder / "program.c").write_text(SOURCE, encoding="utf-8")
    options = ["-O1", "-g", "-fPIE", "-pie", "-fexperimental-sanitize-metadata=covered,atomics"]
    options.append("-ffile-compilation-dir=src")
    path = folder / "program"
    ask(["clang-22", *options, "program.c", "-o", path], cwd=folder, check=True)
    path.chmod(0o755)

    def run_it() -> list[str]:
        done = subprocess.run([path], cwd=folder, check=True, capture_output=True, text=True)
        return [done.stdout, (folder / "maps.txt").read_text(encoding="utf-8").replace(f"{folder}/", "")]

    printed, maps = recall(["the maps of a process, and an address in it", path.read_bytes()], run_it, is_steady=False)
    (folder / "maps.txt").write_text(re.sub(r"(?<= )program$", str(path), maps, flags=re.MULTILINE), encoding="utf-8")
    return Program(path, folder / "maps.txt", int(printed, 16))


def look_up(program: Program, *arguments: str | Path, address: int | None = None) -> dict[str, Any]:
    at = program.address if address is None else address
    found = document(succeed("pcsections", "lookup", program.path, f"{at:#x}", *arguments, "--json"))
    (only,) = found["addresses"]
    return dict(only)


def test_the_maps_of_a_process_give_the_place(program: Program) -> None:
    found = look_up(program, "--maps", program.maps)
    assert (found["pc"]["symbol"], found["pc"]["offset"]) == ("count", 0)
    assert {entry["section"] for entry in found["entries"]} == {"sanmd_covered2", "sanmd_atomics2"}
    assert found["source_file"].endswith("/program.c")
    assert found["source_line"] in range(5, 8)


def test_the_base_gives_the_same(program: Program) -> None:
    base = program.maps.read_text(encoding="utf-8").partition("-")[0]
    assert look_up(program, "--base", base) == look_up(program, "--maps", program.maps)


def test_an_address_within_a_function_has_its_entry_in_brackets(program: Program) -> None:
    within = f"{program.address + 1:x}"
    _, line = succeed("pcsections", "lookup", program.path, within, "--maps", program.maps).decode().splitlines()
    assert line.split()[:3] == [f"0x{within}", "count+0x1", "(sanmd_covered2)"]
    found = look_up(program, "--maps", program.maps, address=program.address + 1)
    assert found["entries"] == []
    assert [entry["pc"]["symbol"] for entry in found["function_entries"]] == ["count"]


def test_an_address_of_nothing_is_that_of_nothing(program: Program) -> None:
    (found,) = document(run("pcsections", "lookup", program.path, "10", "--json").stdout)["addresses"]
    assert found["pc"] == {"symbol": None, "offset": None, "address": 0x10, "section": None}
    assert (found["entries"], found["function_entries"], found["source_file"]) == ([], [], None)
    result = run("pcsections", "lookup", program.path, "10", "11")
    advice = "those of a running program need --base or --maps"
    assert f"2 addresses are not in its code; {advice}" in result.stderr
    assert "1 address is not in its code\n" in run("pcsections", "lookup", program.path, "10", "--base", "0").stderr


def test_a_core_dump_gives_the_place(program: Program) -> None:
    if not PATTERN.exists() or PATTERN.read_text(encoding="utf-8").strip() != "core":
        pytest.skip("core dumps are not written to the working directory here")
    infinite = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)

    def allow() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, infinite)

    folder = program.path.parent
    done = subprocess.run(
        [program.path, "abort"], cwd=folder, capture_output=True, text=True, check=False, preexec_fn=allow
    )
    cores = sorted(folder.glob("core*"))
    if not cores:
        pytest.skip("the kernel wrote no core dump")
    found = look_up(program, "--maps", cores[0], address=int(done.stdout, 16))
    assert (found["pc"]["symbol"], found["pc"]["offset"]) == ("count", 0)
    data = cores[0].read_bytes()
    for size in range(0, min(len(data), 4096), 97):
        with pytest.raises(BitcodecError):
            mappings_of(data[:size])


def test_what_cannot_be_found_is_said(program: Program, tmp_path: Path) -> None:
    def refused(*arguments: str | Path) -> str:
        return fail("pcsections", "lookup", *arguments)

    other = tmp_path / "other"
    shutil.copy(program.path, other)
    assert "other is not mapped in this process; it maps program, " in refused(other, "1", "--maps", program.maps)
    assert "it maps no file" in refused(program.path, "1", "--maps", program.path.with_suffix(".c"))
    assert "but no core dump" in refused(program.path, "1", "--maps", program.path)
    assert "exclude each other" in run_usage(program.path, "1", "--base", "0", "--maps", program.maps)
    assert "expected a hexadecimal number, found 'zz'" in run_usage(program.path, "zz")
    assert "is not in 0..2**64-1" in run_usage(program.path, "1" + "0" * 16)
    unit = tmp_path / "unit.o"
    ask(["clang-22", "-c", program.path.with_suffix(".c"), "-o", unit], check=True)
    assert "an object has no addresses before it is linked" in refused(unit, "1")


def run_usage(*arguments: str | Path) -> str:
    result = run("pcsections", "lookup", *arguments)
    assert result.exit_code == 2
    return result.stderr


def test_another_build_of_the_file_is_noticed(program: Program) -> None:
    file = ElfFile(program.path.read_bytes())
    mapped = [Mapping(0x10000, 0, "/there/program")]
    assert displacement(file, "here/program", mapped) == 0x10000
    with pytest.raises(BitcodecError, match="is another file"):
        displacement(file, "program", [Mapping(0x10000, 0x7000, "/there/program")])
    with pytest.raises(BitcodecError, match="several files program"):
        displacement(file, "program", [*mapped, Mapping(0x90000, 0, "/elsewhere/program")])
