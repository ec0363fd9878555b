"""Finds the versions of LLVM that read a bitcode file, and the reasons why the others do not.

`rules` is the table of the constructs that each version does not read.  `observing` finds these constructs in single
records, `relations` in combinations of records, `walking` the errors of readers in a damaged stream;
`examining` puts them into the order of reading, and `diagnosing` adds the producer of the file and its damage.
"""

from bitcodec.doctor.diagnosing import diagnose, diagnose_stream
from bitcodec.doctor.findings import Damage, Diagnosis, Obstacle, Verdict
from bitcodec.doctor.rule import Effect, Remedy, Rule
from bitcodec.doctor.rules import NEWEST, OLDEST, RULES, VERSIONS

__all__ = [
    "NEWEST",
    "OLDEST",
    "RULES",
    "VERSIONS",
    "Damage",
    "Diagnosis",
    "Effect",
    "Obstacle",
    "Remedy",
    "Rule",
    "Verdict",
    "diagnose",
    "diagnose_stream",
]
