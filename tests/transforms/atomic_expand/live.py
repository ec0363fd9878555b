"""What `opt` of LLVM 22 makes of cases."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

import bitcodec

from .building import module_of
from .cases import Case
from .comparing import comparable
from .targets import Tried

OPT = shutil.which("opt-22")


def opt(data: bytes, *options: str) -> bytes | None:
    """Return the bitcode that `opt` makes of bitcode, None if it crashes or refuses to."""
    assert OPT is not None
    done = subprocess.run([OPT, *options, "-o", "-", "-"], input=data, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def theirs(target: Tried, cases: Sequence[Case]) -> tuple[dict[str, str], list[str]] | None:
    """Return the texts of functions and the declarations that `opt` leaves, None if it leaves nothing sound."""
    module = module_of(cases, target.data_layout, target.triple)
    data = opt(bitcodec.dumps(module), "-passes=atomic-expand", *target.options)
    return None if data is None else comparable(bitcodec.loads(data))


def ours(target: Tried, cases: Sequence[Case]) -> tuple[dict[str, str], list[str]]:
    """Return what is made of cases here, after seeing to it that it is sound and that its bitcode says the same."""
    module = module_of(cases, target.data_layout, target.triple)
    assert target.expand(module) == len(cases)
    assert bitcodec.verify(module) == []
    return comparable(bitcodec.loads(bitcodec.dumps(module)))
