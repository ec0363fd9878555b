"""A worker: reads ranges of numbers, runs those cases, and reports one line for each.

A line is a list in JSON: number, digest, whether it was refused, seconds; of a failure also kind, frame, message, name.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import sys
import warnings
from typing import Any

from bitcodec.bitcode import foreign, proving

from . import commands
from .cases import digest_of, make_case
from .causes import Cause, cause_of
from .limits import Meter, OutOfTimeError, OverLimitError, limit_address_space

COLLECT_EVERY = 16
"""Cases; garbage of earlier ones must not count as memory of a later one."""
_MAX_END = 500
PROVED = 16
"""One in so many cases proves that what it writes reads back as what was to be written."""


def _ends_of(message: str) -> str:
    """Return a message, and of a long one its beginning and its end: a traceback says most at its end."""
    return message if len(message) <= 2 * _MAX_END else f"{message[:_MAX_END]} ... {message[-_MAX_END:]}"


def run_case(number: int, families: tuple[str, ...], meter: Meter) -> list[Any]:
    """Run a case and return its line."""
    name = ""
    proving.IS_ON = number % PROVED == 0
    try:
        case = make_case(number, families)
        name = case.name
        meter.start(case.size)
        digest, refused = digest_of(case)
        seconds = meter.stop()
    except (Exception, OutOfTimeError, KeyboardInterrupt) as error:  # noqa: BLE001 - that is what is looked for
        meter.cancel()
        cause = cause_of(error)
        if isinstance(error, OverLimitError):
            kind = "time" if "processor" in str(error) else "memory"
            cause = Cause(f"over the limit of {kind}", name.partition("(")[0])
        return [number, "", False, 0.0, cause.kind, cause.frame, _ends_of(str(error)), name[:300]]
    return [number, digest, refused, round(seconds, 5)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", default="")
    parser.add_argument("--slowness", type=float, default=1.0)
    arguments = parser.parse_args()
    if not os.environ.get("ASAN_OPTIONS"):  # whose shadow takes terabytes of addresses
        limit_address_space()
    families = tuple(arguments.families.split(",")) if arguments.families else ()
    warnings.simplefilter("ignore")
    foreign.ARE_REFUSED = False  # what a boundary would turn into a refusal is a check that is missing
    # What the cases print must not get between the lines.
    lines = io.TextIOWrapper(os.fdopen(os.dup(1), "wb"), line_buffering=True)
    os.dup2(2, 1)
    meter = Meter(arguments.slowness)
    for warm in range(30):
        run_case(-1 - warm, families, meter)
    gc.collect()
    gc.freeze()
    for request in sys.stdin:
        first, last = map(int, request.split())
        for number in range(first, last):
            lines.write(json.dumps(run_case(number, families, meter)) + "\n")
            if number % COLLECT_EVERY == 0:
                gc.collect()
                gc.freeze()  # what is left is kept for good, and need not be gone through again
    commands.remove_folder()


if __name__ == "__main__":
    main()
