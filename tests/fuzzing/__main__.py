"""Runs a target under atheris: `python -m tests.fuzzing metadata --corpus FOLDER --seconds 3600`.

Atheris instruments Python bytecode, so the package on PYTHONPATH has to be interpreted where coverage is wanted:

    cp -r src /tmp/interpreted && find /tmp/interpreted -name '*.so' -delete
    PYTHONPATH=/tmp/interpreted python -m tests.fuzzing bitstream --corpus /tmp/found --seconds 3600

FOLDER is filled with seeds made of `tests/data` and of the shared corpus, if they are there, and with inputs that reach
new code.  What raises anything but a `BitcodecError` is left in FOLDER-crashes.  `--pack` puts a small choice of FOLDER
into `tests/data/fuzz`, from where `test_corpus` reads it again.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import resource
import sys
import tarfile
from pathlib import Path

from tests.hostile.causes import Cause, cause_of

TESTS = Path(__file__).parents[1]
SEEDS = [TESTS / "data", TESTS.parents[1] / "shared" / "corpus" / "modules", TESTS.parents[1] / "shared/corpus/legacy"]
LIMIT = 4 << 30
"""Bytes of address space."""
MAX_PACKED = 100_000
"""Bytes of the inputs that are kept of a target, before they are packed."""
MAX_INPUT = 1000
"""Bytes of one of them."""
MAX_FAILED = 1 << 14


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=["bitstream", "metadata", "constants"])
    parser.add_argument("--corpus", type=Path, required=True, help="folder of the inputs found")
    parser.add_argument("--seconds", type=int, default=60, help="how long to run; default: 60")
    parser.add_argument("--pack", action="store_true", help="put a choice of the folder into tests/data/fuzz")
    arguments = parser.parse_args()
    if arguments.pack:
        pack(arguments.target, arguments.corpus)
    else:
        fuzz(arguments.target, arguments.corpus, arguments.seconds)


def fuzz(name: str, folder: Path, seconds: int) -> None:
    """Run a target until the time is up or an input fails."""
    import atheris  # type: ignore[import-untyped] # noqa: PLC0415 - replaying the inputs that were found does not need it

    with atheris.instrument_imports(include=["bitcodec"]):
        from . import targets  # noqa: PLC0415 - what is imported here is instrumented

    folder.mkdir(parents=True, exist_ok=True)
    crashes = _crashes_of(folder)
    for source in SEEDS:
        for seed in targets.seeds(name, source):
            (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    failures: set[Cause] = set()

    def run(data: bytes) -> None:
        try:
            targets.run_input(name, data)
        except Exception as error:  # noqa: BLE001 - the first of each cause is told, and fuzzing goes on
            cause = cause_of(error)
            if cause not in failures:
                failures.add(cause)
                path = crashes / hashlib.sha1(data).hexdigest()
                path.write_bytes(data)
                print(f"FAILURE {cause}: {path}", file=sys.stderr)

    options = [
        f"-max_len={targets.LARGEST}",
        f"-max_total_time={seconds}",
        "-timeout=20",
        "-rss_limit_mb=3000",
        "-print_final_stats=1",
        "-report_slow_units=5",
        f"-artifact_prefix={crashes}/",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder)], run)
    atheris.Fuzz()


def pack(name: str, folder: Path) -> None:
    """Keep what failed, and of the rest the newest inputs that are small, until there are enough bytes."""
    failed = [path.read_bytes() for path in sorted(_crashes_of(folder).iterdir())]
    kept = [data[:MAX_FAILED] for data in failed]
    size = sum(map(len, kept))
    for path in sorted(folder.iterdir(), key=lambda path: (-path.stat().st_mtime, path.name)):
        data = path.read_bytes()
        if 0 < len(data) <= MAX_INPUT and size + len(data) <= MAX_PACKED:
            size += len(data)
            kept.append(data)
    target = TESTS / "data" / "fuzz" / f"{name}.tar.xz"
    target.parent.mkdir(exist_ok=True)
    with tarfile.open(target, "w:xz", preset=9) as archive:
        for number, data in enumerate(sorted(kept, key=lambda data: (len(data), data))):
            entry = tarfile.TarInfo(str(number))
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    print(f"{len(kept)} inputs, {size} bytes, {target.stat().st_size} bytes packed")


def _crashes_of(folder: Path) -> Path:
    crashes = folder.with_name(folder.name + "-crashes")
    crashes.mkdir(exist_ok=True)
    return crashes


if __name__ == "__main__":
    main()
