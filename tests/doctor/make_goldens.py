"""Makes `goldens.json.gz`: `python -m tests.doctor.make_goldens FILE...`.

It records the files themselves, and what every real reader says of them.
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from .readers import ask, available

GOLDENS = Path(__file__).with_name("goldens.json.gz")


def main() -> None:
    recorded = {}
    for path in map(Path, sys.argv[1:]):
        answers = {version: ask(version, path) for version in available()}
        recorded[path.name] = {
            "data": base64.b64encode(path.read_bytes()).decode(),
            "answers": {version: tuple(answer) for version, answer in answers.items()},
        }
    GOLDENS.write_bytes(gzip.compress(json.dumps(recorded).encode(), mtime=0))


if __name__ == "__main__":
    main()
