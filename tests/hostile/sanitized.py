"""Runs the harness on a build with AddressSanitizer and UBSan: `python -m tests.hostile.sanitized --cases 1000`.

The compiled modules are built with gcc's sanitizers, and every buffer has memory of its own (`BITCODEC_GUARD_ZONES`).
Before that, a copy of one module with a wrong access proves that such an access ends the process.  Needs gcc, Cython
and the headers of Python; all other options are those of the harness.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLAGS = "-w -fno-wrapv -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1 -O0"
COMPILER = os.environ.get("SANITIZED_CC", "gcc")
VARIABLES = {"CFLAGS": FLAGS, "LDFLAGS": "-fsanitize=address,undefined", "CC": COMPILER}
ADVICE = "install gcc and its libraries; on Debian `apt-get install gcc` brings both"
SLOWNESS = 5
"""How much slower than without sanitizers, and larger: limits are multiplied by it."""
FAULTS = {
    "past the end of a large buffer": ("figures[cell + 2] += 1", "figures[len(figures)] += 1", "heap-buffer-overflow"),
    "before the beginning": ("figures[cell + 2] += 1", "figures[-1] += 1", "heap-buffer-overflow"),
    "a shift that is too wide": (
        "figures[cell + 2] += 1",
        "figures[cell + 2] += 1 << (code[row] + 70)",
        "shift exponent",
    ),
}
"""Wrong accesses: the text in `tally.py`, what takes its place, and what the sanitizer says of it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="where to build, and where an earlier build is used again")
    parser.add_argument("--no-proof", action="store_true", help="do not prove that wrong accesses are seen")
    arguments, options = parser.parse_known_args()
    libraries()
    with tempfile.TemporaryDirectory(prefix="sanitized-") as temporary:
        folder = (arguments.folder or Path(temporary)).resolve()
        if not (folder / "src").is_dir():
            build(folder / "src")
        if not arguments.no_proof:
            prove(Path(temporary) / "proof")
        command = [sys.executable, "-m", "tests.hostile", "--slowness", str(SLOWNESS), "--source", str(folder / "src")]
        sys.exit(
            subprocess.run([*command, *options], cwd=ROOT, env=environment(folder / "src"), check=False).returncode
        )


def build(target: Path) -> None:
    """Copy the package to `target` and compile it with sanitizers, as an installation from source compiles it."""
    copy_package(target)
    command = [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", str(target)]
    subprocess.run(command, cwd=ROOT, env=os.environ | VARIABLES, check=True, stdout=subprocess.DEVNULL)
    (compiled,) = (target / "bitcodec").glob("_native.*")
    assert b"__asan_report" in compiled.read_bytes(), "compiled without sanitizers"


def copy_package(target: Path) -> None:
    """Copy the Python files of the package to `target`."""
    shutil.copytree(ROOT / "src", target, ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info"))


def compile_one(target: Path, file: str) -> None:
    """Compile one file of the package at `target` with sanitizers, in place."""
    code = "import sys; from Cython.Build.Cythonize import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, "-q", "-i", "-3", str(target / file)]
    variables = VARIABLES | {"PYTHONPATH": str(target)}
    subprocess.run(command, cwd=target, env=os.environ | variables, check=True, stdout=subprocess.DEVNULL)


def libraries() -> list[str]:
    """Return the paths of the libraries of the sanitizers; end the process if gcc or one of them is missing."""
    if shutil.which(COMPILER) is None:
        sys.exit(f"there is no {COMPILER}: {ADVICE}")
    found = []
    for name in ("libasan.so", "libubsan.so"):
        command = [COMPILER, f"-print-file-name={name}"]
        path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        if not Path(path).is_file():  # the bare name stands for a file that gcc does not have
            sys.exit(f"{COMPILER} has no {name}: {ADVICE}")
        found.append(path)
    return found


def environment(source: Path) -> dict[str, str]:
    """Return the environment in which a build with sanitizers runs."""
    return os.environ | {
        "PYTHONPATH": str(source),
        "LD_PRELOAD": " ".join(libraries()),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=16:handle_segv=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONMALLOC": "malloc",
        "BITCODEC_GUARD_ZONES": "1",
    }


def prove(folder: Path) -> None:
    """Prove that wrong accesses in a compiled module end the process with the word of a sanitizer."""
    code = (
        "from pathlib import Path; from bitcodec import bitstream; from bitcodec.bitstream import tally;"
        "from bitcodec.bitstream.statistics import block_statistics; assert tally.COMPILED;"
        "block_statistics(bitstream.open('examples/queue.bc').columns)"
    )

    def check(number: int, fault: str) -> None:
        text, wrong, word = FAULTS[fault]
        target = folder / str(number)
        copy_package(target)
        file = target / "bitcodec/bitstream/tally.py"
        content = file.read_text(encoding="utf-8")
        assert text in content
        file.write_text(content.replace(text, wrong), encoding="utf-8")
        compile_one(target, "bitcodec/bitstream/tally.py")
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment(target), capture_output=True, text=True, check=False
        )
        assert run.returncode != 0, f"{fault}: not seen"
        assert word in run.stderr, f"{fault}: {run.stderr[-2000:]}"
        print(f"seen: {fault}", flush=True)

    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(check, range(len(FAULTS)), FAULTS))


if __name__ == "__main__":
    main()
