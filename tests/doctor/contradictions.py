"""Compares what `doctor` advises with what `downgrade` does: `python -m tests.doctor.contradictions FILE...`

Each file is diagnosed once, and written for every version; the results are diagnosed again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import bitcodec
from bitcodec import BitcodecError
from bitcodec.doctor import Verdict, diagnose

__all__ = ["VERSIONS", "contradictions"]

VERSIONS = range(4, 23)
_REFUSES = "bitcodec downgrade refuses it: "


def contradictions(data: bytes, versions: Iterable[int] = VERSIONS) -> Iterator[str]:
    """Yield what `doctor` and `downgrade` disagree on about a file with one module.

    A version that reads the file as it is meant can be written for. Where `downgrade` is advised, it writes a file that
    the version reads as it is meant, and where it is refused, the verdict names the construct.
    """
    diagnosis = diagnose(data, versions, profiles=())[0]
    if len(diagnosis.modules) != 1:
        return  # downgrade takes one
    for verdict in diagnosis.verdicts:
        version = verdict.version
        try:
            written = bitcodec.dumps(bitcodec.loads(data), llvm_version=version)
        except BitcodecError as error:
            yield from _about_refusal(verdict, str(error))
            continue
        if not verdict.is_clean and f"bitcodec downgrade --llvm {version}" not in verdict.advice:
            yield f"LLVM {version}: downgrade writes the file, but is not advised: {verdict.advice}"
        again = diagnose(written, [version], profiles=())[0].verdicts[0]
        if not again.is_clean:
            found = (*again.obstacles, *again.misread, *again.rejected)
            yield f"LLVM {version}: what downgrade writes has {', '.join(each.construct for each in found)}"


def _about_refusal(verdict: Verdict, error: str) -> Iterator[str]:
    if verdict.is_clean:
        yield f"LLVM {verdict.version} reads the file, but downgrade refuses it: {error}"
        return
    if any(line.startswith("bitcodec downgrade --llvm ") for line in verdict.advice):
        yield f"LLVM {verdict.version}: downgrade is advised, but refuses the file: {error}"
    stated = [line.removeprefix(_REFUSES) for line in verdict.advice if line.startswith(_REFUSES)]
    first, _, construct = stated[0].partition(" is the first that has ") if stated else ("", "", "")
    if not stated or first not in error or construct not in error:
        yield f"LLVM {verdict.version}: the verdict has {verdict.advice}, downgrade says {error}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    given = parser.parse_args()
    count = found = 0
    for path in given.files:
        try:
            data = path.read_bytes() if path.suffix == ".bc" else bitcodec.dumps(bitcodec.open(path))
            bitcodec.loads(data).materialize()
        except BitcodecError:
            continue
        count += 1
        for each in contradictions(data):
            found += 1
            print(f"{path.name}: {each}", flush=True)
    print(f"{count} modules, {found} contradictions")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
