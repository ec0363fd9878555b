"""Makes `tables/intrinsic_history.txt` by asking the readers of LLVM 4 to 24.

python -m tests.tables.make_intrinsic_history

All of them must be here (`shared/oracles`, and `BITCODEC_NEW_LLVMS` for LLVM 23 and 24); it takes about a quarter of
an hour on an idle machine. `--only` makes the rows of some intrinsics again, and `--version` asks some versions again;
all else is kept.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import bitcodec.tables
from bitcodec.downgrade.intrinsic_forms import kinds_of, sized_kinds_of
from bitcodec.ir.context import Context
from bitcodec.ir.intrinsic_signatures import Misfit, matched
from bitcodec.ir.types import Type
from bitcodec.tables.intrinsic_history import letters_of
from bitcodec.tables.intrinsics import intrinsic_rows
from bitcodec.tables.versions import MODEL, NEWEST, OLDEST

from .intrinsic_instances import Instance
from .intrinsic_readers import (
    FEWER_TYPES,
    IMMEDIATE,
    KNOWN,
    OTHER_FORM,
    UNKNOWN,
    accepted_instances,
    known_names,
    verdicts,
)

TABLE = Path(bitcodec.tables.__file__).with_name("intrinsic_history.txt")
VERSIONS = range(OLDEST, NEWEST + 1)
BY_TYPES = "m"
FIRST_TRIES = 3
"""How many instances are tried first, with one of each other kind of types; all are if these differ."""
MAX_SHARED = 9

HEAD = """\
# The versions of LLVM that have the intrinsics of LLVM 22, made by tests/tables/make_intrinsic_history.py: real readers
# and verifiers were given calls of each, and the names of intrinsics were looked for in their programs.
#
# A row holds for its name and all that follow it in `intrinsics.txt` up to the name of the next row.  A digit says how
# many words (they end with dots) the name shares with that of the row before it; only the others follow.
#
# Behind it are letters with the first version from which on they hold (the first letter: from LLVM 4):
#   k   the version has the intrinsic in this form
#   f   it has the intrinsic in another form, and its verifier refuses this one
#   i   it has the intrinsic in this form if all arguments that are integers are constants
#   u   it does not have the intrinsic, and keeps the call
#   o   it takes the name for that of another intrinsic, or refuses it as such
#   m   it has the intrinsic for some types, which follow behind "=", separated by "|": for each type in the name
#       f (floating-point numbers), i (integers) or p (pointers), with a v in front for vectors
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="TEXT", help="beginning of a name, without `llvm.`")
    parser.add_argument("--version", action="append", type=int, metavar="N", help="a version to ask")
    given = parser.parse_args()
    asked = given.version or [*VERSIONS]
    context = Context()
    chosen = tuple(given.only or [""])
    names = [name for name in intrinsic_rows() if name.startswith(chosen)]
    instances = accepted_instances(context, names)
    answers = {}
    for version in asked:
        answers[version] = answers_of(instances, version, context)
        print(f"LLVM {version}", flush=True)
    rows = {name: row_of(name, instances.get(name, []), answers, letters_of(name)) for name in names}
    kept = {name: letters_of(name) for name in intrinsic_rows() if name not in rows}
    TABLE.write_text(table(rows | {name: ",".join(_runs(letters)) for name, letters in kept.items()}), encoding="utf-8")


def answers_of(instances: Mapping[str, list[Instance]], version: int, context: Context) -> dict[Instance, str]:
    """Return the verdicts of a version, about all instances of intrinsics that it has for some types only."""
    if version == MODEL:
        return {each: KNOWN for some in instances.values() for each in some}
    if version > MODEL:
        return with_constants([each for some in instances.values() for each in some], version, context)
    tried = {base: first_tries(some) for base, some in instances.items()}
    found = verdicts([each for some in tried.values() for each in some], version, context)
    mixed = [
        each
        for base, some in instances.items()
        if len({found[one] for one in tried[base]} - {FEWER_TYPES}) > 1
        for each in some
        if each not in found
    ]
    return with_constants(mixed, version, context, found)


def with_constants(
    instances: Sequence[Instance], version: int, context: Context, known: Mapping[Instance, str] | None = None
) -> dict[Instance, str]:
    """Return known verdicts and those about instances; what is refused is tried with constants for integers, too."""
    found = {**(known or {}), **verdicts(instances, version, context)}
    refused = [each for each, letter in found.items() if letter == OTHER_FORM]
    again = verdicts(refused, version, context, are_immediate=True)
    return found | {each: IMMEDIATE for each, letter in again.items() if letter == KNOWN}


def first_tries(instances: list[Instance]) -> list[Instance]:
    """Return the first instances of an intrinsic, and the first with types of each kind that these have not."""
    by_kind: dict[str, Instance] = {}
    for each in instances:
        by_kind.setdefault(kinds_of(_types(each)), each)
    return list(dict.fromkeys([*instances[:FIRST_TRIES], *by_kind.values()]))


def table(rows: Mapping[str, str]) -> str:
    """Return the text of the table, given the row of each intrinsic."""
    lines, words, last = [], [], ""
    for name in sorted(rows, key=words_of):
        if rows[name] != last:
            last = rows[name]
            equal = [one == other for one, other in zip(words[:MAX_SHARED], words_of(name), strict=False)]
            shared = [*equal, False].index(False)
            words = words_of(name)
            lines.append(f"{shared}{'.'.join(words[shared:])} {last}\n")
    return f"{HEAD}\n{''.join(lines)}"


def words_of(name: str) -> list[str]:
    return name.split(".")


def row_of(
    name: str, instances: list[Instance], answers: Mapping[int, Mapping[Instance, str]], known: Sequence[str]
) -> str:
    """Return the letters of an intrinsic; those of versions that have not been asked are known.

    LLVM 22 accepts instances of types, and with arguments, that newer verifiers know to be wrong. So a version that
    refuses some of the same kinds as others has the intrinsic in the form of LLVM 22, and if it refuses all of them,
    the table keeps its letter: a person has to judge the messages.
    """
    letters: dict[int, str] = {}
    for version in reversed(VERSIONS):
        if version not in answers:
            letters[version] = known[version - OLDEST]
            continue
        by_letter = _kinds_by_letter(instances, answers[version], kinds_of)
        if not instances:
            letters[version] = KNOWN if name in known_names(version) else UNKNOWN
        elif not by_letter:
            letters[version] = letters.get(version + 1, KNOWN)
        elif len(by_letter) == 1:
            letters[version] = next(iter(by_letter))
        elif KNOWN not in by_letter and by_letter.get(IMMEDIATE):
            letters[version] = IMMEDIATE
        else:
            sized = _kinds_by_letter(instances, answers[version], sized_kinds_of)
            accepted = _accepted(by_letter) or _accepted(sized)
            letters[version] = f"{BY_TYPES}={'|'.join(sorted(accepted))}" if accepted or version <= MODEL else KNOWN
        if version > MODEL and letters[version] == OTHER_FORM:
            letters[version] = known[version - OLDEST]
    return ",".join(_runs([letters[version] for version in VERSIONS]))


def _kinds_by_letter(
    instances: list[Instance], answers: Mapping[Instance, str], kinds: Callable[[Sequence[Type]], str]
) -> dict[str, set[str]]:
    by_letter = defaultdict(set)
    for each in instances:
        letter = answers.get(each, FEWER_TYPES)
        if letter != FEWER_TYPES:
            by_letter[letter].add(kinds(_types(each)))
    return by_letter


def _accepted(by_letter: Mapping[str, set[str]]) -> set[str]:
    """Return the kinds of types that only accepted instances have."""
    refused = [kinds for letter, kinds in by_letter.items() if letter != KNOWN]
    return by_letter.get(KNOWN, set()).difference(*refused)


def _types(instance: Instance) -> Sequence[Type]:
    types = matched(instance.base, instance.type)
    return () if isinstance(types, Misfit) else types


def _runs(letters: list[str]) -> Iterator[str]:
    before = ""
    for version, letter in zip(VERSIONS, letters, strict=True):
        if letter != before:
            yield letter if version == OLDEST else f"{letter[0]}{version}{letter[1:]}"
        before = letter


if __name__ == "__main__":
    main()
