"""Compares texts of LLVM 4 to 21 with bitcode of the same LLVM: `python -m tests.asm.dialects --llvm 10 --keep DIR`.

Modules of the corpus are written for that LLVM.  Its reader prints them, and it assembles what it printed.  Bitcodec
parses the text, with the version named (`--dialect`) or detected, and reads the bitcode: both must be the same.  Up to
LLVM 14 this holds for detected text, too; newer text without old forms is read as `llvm-as` 22 reads it, which is what
`--as` compares with.  Differences are printed, and counted for each version.  Two kinds are expected: text of
LLVM 10 that has nothing to tell it from that of LLVM 11, whose subranges without a lower bound mean something else; and
names of the instructions that constants become, where the text has the name `constexpr` already.  `--keep` writes texts
and bitcode to a folder and takes those that are there.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import bitcodec
from bitcodec.bitcode.saving import dumps

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
MAX_BYTES = 400_000
"""Of texts that are compared."""
SAMPLE = 4
"""Of compiled modules, one of so many is taken: another one for each version."""
_NAMES = (b"; ModuleID", b"source_filename", b"^0 = module")
"""Lines that name the file."""


def sources(version: int) -> list[Path]:
    """Return the modules that are written for a version: those with rare constructs, and a sample of the others."""
    rare = sorted((CORPUS / "legacy").glob("*.bc")) + sorted((CORPUS / "modules").glob("ir_*.bc"))
    rest = [path for path in sorted((CORPUS / "modules").glob("*.bc")) if not path.name.startswith("ir_")]
    return rare + rest[version % SAMPLE :: SAMPLE]


def make(version: int, folder: Path) -> None:
    """Write `NAME.ll` and `NAME.bc`, both by one version of LLVM, for all modules that it takes, if it is installed."""
    sys.path.append(str(CORPUS.parent / "oracles"))
    from all_llvm import available, judge  # noqa: PLC0415 - only where it is

    if version not in available():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for path in sources(version):
        written, text, again = (folder / f"{path.stem}.{end}" for end in ("in", "ll", "bc"))
        try:
            is_old = path.parent.name == "legacy"
            written.write_bytes(path.read_bytes() if is_old else dumps(bitcodec.open(path), llvm_version=version))
            status, printed, _ = judge("read", version, str(written))
            if status or len(printed) > MAX_BYTES:
                continue
            text.write_bytes(printed)
            if judge("assemble", version, str(text), str(again))[0]:
                text.unlink()
        except (bitcodec.BitcodecError, ValueError):
            continue
        finally:
            written.unlink(missing_ok=True)


def lines(module: bitcodec.Module) -> list[bytes]:
    """Return the text of a module without the lines that name its file."""
    text = str(module).encode("utf-8", "surrogateescape")
    return [line for line in text.split(b"\n") if not line.startswith(_NAMES)]


def wanted(text: Path, *, as_today: bool) -> list[bytes] | None:
    """Return what a text is to be parsed to, None if there is nothing to compare with."""
    try:
        if not as_today:
            return lines(bitcodec.open(text.with_suffix(".bc")))
        command = ["llvm-as-22", "-disable-verify", "-o", "-", str(text)]
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)
        return None if done.returncode else lines(bitcodec.loads(done.stdout))
    except bitcodec.BitcodecError:
        return None


def found(text: Path, dialect: int | None, want: list[bytes]) -> list[bytes]:
    """Return what a text is parsed to; written and read if that makes it what is wanted."""
    try:
        module = bitcodec.parse_assembly(text.read_bytes(), dialect=dialect)
        direct = lines(module)
        return direct if direct == want else lines(bitcodec.loads(dumps(module)))
    except bitcodec.BitcodecError as error:
        return [str(error).encode()]


def differences(folder: Path, version: int | None, *, as_today: bool, counts: Counter[str]) -> Iterator[str]:
    """Yield a line for each text that differs, and count all."""
    for text in sorted(folder.glob("*.ll")):
        want = wanted(text, as_today=as_today)
        if want is None:
            continue
        got = found(text, version, want)
        counts["compared"] += 1
        counts["same"] += got == want
        if got != want:
            pair = next(pair for pair in zip([*want, b""], [*got, b""], strict=False) if pair[0] != pair[1])
            yield f"{text.name}: {pair[0].decode(errors='replace')[:150]} | {pair[1].decode(errors='replace')[:150]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm", type=int, nargs="*", default=range(4, 22), help="versions (default: 4 to 21)")
    parser.add_argument("--dialect", action="store_true", help="name the version to the parser")
    parser.add_argument("--as", dest="as_today", action="store_true", help="compare with what llvm-as 22 makes of it")
    parser.add_argument("--keep", type=Path, help="folder of texts and bitcode, with one folder for each version")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for version in arguments.llvm:
            folder = (arguments.keep or Path(scratch)) / str(version)
            if not folder.is_dir():
                make(version, folder)
            if not folder.is_dir():
                print(f"LLVM {version}: its tools are not installed", flush=True)
                continue
            counts: Counter[str] = Counter()
            named = version if arguments.dialect else None
            for line in differences(folder, named, as_today=arguments.as_today, counts=counts):
                print(f"{version} {line}")
            print(f"LLVM {version}: {counts['same']} of {counts['compared']} texts are the same", flush=True)


if __name__ == "__main__":
    main()
