"""Which versions of LLVM read a bitcode file, and why the others do not.

`rules` is the table of what each version does not read.  `observing` finds these constructs in single records,
`relations` those that several records show together, `walking` what readers stumble over in a damaged stream;
`examining` puts them into the order of reading, and `diagnosing` adds who wrote the file and where it is damaged.
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
