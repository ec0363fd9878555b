"""Makes `emitted.txt`, the module flags that each version of clang writes, for the test of the table of known flags.

`python -m tests.lint.flags.make_emitted FILE --collect` compiles for every target with every option, with every clang
that is installed, and writes the flags to FILE as JSON, in a quarter of an hour.  Without `--collect`, it makes the
table from FILE.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # as pytest does

from .compilers import installed, run_clang
from .options import AXES, EXTRA_TARGETS, LANGUAGES, TARGETS

OUTPUT = Path(__file__).parent / "emitted.txt"
EVERYWHERE = (
    "x86_64-linux-gnu",
    "x86_64-windows-msvc",
    "arm64-apple-macos12",
    "armv7-linux-gnueabihf",
    "x86_64-apple-macosx12",
)
"""Targets that options of all targets are tried with."""
LONG_DOUBLE = "long double wide_{name}(long double x) {{ return x + 1; }}\n"
MOST_VALUES = 8
"""Different values of a flag; of more, the table has none."""
HEADER = """\
# The module flags that clang {first} to {last} write, made by tests/lint/flags/make_emitted.py, which compiles
# for {targets} targets with {options} options.
#
# Each line is a flag: its key, the types of its values, for each behavior the versions that write it with that
# behavior, and the values as JSON, if there are few; with tabs between them.

"""
FLAG = re.compile(r'^(![0-9]+) = (?:distinct )?!\{i32 ([1-8]), !"((?:[^"\\]|\\.)*)", (.*)\}$', re.MULTILINE)
LIST = re.compile(r"^!llvm\.module\.flags = !\{(.*)\}$", re.MULTILINE)


def flags_of(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield behavior, key and value of the module flags in LLVM assembly, without help of the code under test."""
    listed = LIST.search(text)
    numbers = set() if listed is None else set(listed[1].replace(" ", "").split(","))
    for number, behavior, key, value in FLAG.findall(text):
        if number in numbers:
            yield int(behavior), key, value


def combinations() -> Iterator[tuple[str, str, str]]:
    """Yield targets, options and languages: each option by itself."""
    for target in (*TARGETS, *EXTRA_TARGETS):
        yield target, "", "c"
        yield target, "-fPIC -g", "c++"
        for axis in AXES:
            if re.search(axis.targets, target) if axis.targets else target in EVERYWHERE:
                for choice in axis.choices:
                    for language in axis.languages or ("c",):
                        yield target, choice, language


def collect(file: Path) -> None:
    """Compile everything, and write what was found."""
    found: dict[str, dict[str, dict[str, list[int]]]] = {}
    for version in installed():
        for target, options, language in combinations():
            for behavior, key, value in flags_of(text_of(version, target, options, language)):
                versions = found.setdefault(key, {}).setdefault(str(behavior), {}).setdefault(value, [])
                if version not in versions:
                    versions.append(version)
        print(version, len(found), file=sys.stderr, flush=True)
    file.write_text(json.dumps(found, indent=1, sort_keys=True))


def text_of(version: int, target: str, options: str, language: str) -> str:
    """Return what a clang compiles to, "" if it refuses."""
    source = (LANGUAGES[language] + LONG_DOUBLE).format(name="a", next="b", number=3)
    words = [f"--target={target}", *options.split(), "-w", "-x", language, "-S"]
    return run_clang(version, words, source).decode()


def spans(versions: Iterable[int]) -> str:
    """Return versions as ranges: `13-15 22-`; the last version goes on."""
    known = installed()
    numbers = sorted(known.index(version) for version in set(versions))
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    last = len(known) - 1
    return " ".join(
        f"{known[first]}-{'' if end == last else known[end]}" if first != end or end == last else str(known[first])
        for first, end in ranges
    )


def type_of(value: str) -> str:
    """Return the type of a value, as the table of known flags has it."""
    if value.startswith('!"'):
        return "string"
    if value.startswith("!"):
        return "tuple"
    found = re.match(r"i\d+(?= )", value)
    return found[0] if found else "array of i32"


def plain(value: str) -> str:
    """Return a number or a string as JSON."""
    if value.startswith("!"):
        return value[1:]
    number = value.split(" ", 1)[-1]
    return {"true": "1", "false": "0"}.get(number, number)


def lines(found: dict[str, dict[str, dict[str, list[int]]]]) -> Iterator[str]:
    """Yield the lines of the table."""
    for key, behaviors in sorted(found.items()):
        types = sorted({type_of(value) for values in behaviors.values() for value in values})
        forms = [
            f"{behavior}: {spans(version for versions in values.values() for version in versions)}"
            for behavior, values in sorted(behaviors.items())
        ]
        values = sorted({plain(value) for each in behaviors.values() for value in each})
        shown = values if len(values) <= MOST_VALUES and not {"tuple", "array of i32"} & set(types) else []
        yield "\t".join(
            [key, " ".join(types) if len(types) > 1 else types[0], "; ".join(forms), ", ".join(shown)]
        ).rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--collect", action="store_true")
    arguments = parser.parse_args()
    if arguments.collect:
        collect(arguments.file)
    found = json.loads(arguments.file.read_text())
    targets = len({target for target, _, _ in combinations()})
    options = len({options for _, options, _ in combinations()})
    header = HEADER.format(first=installed()[0], last=installed()[-1], targets=targets, options=options)
    OUTPUT.write_text(header + "".join(f"{line}\n" for line in lines(found)))


if __name__ == "__main__":
    main()
