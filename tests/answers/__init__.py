"""Recorded answers of reference tools: tests replay them, and ask the real tools where `--live` requests it.

A test calls `ask` as it would call `subprocess.run`, `recall` for a result that takes several steps, or `build` for
files that commands make:

    printed = ask(["llvm-dis-22", path, "-o", "-"], check=True).stdout

The answer comes from `answers.jsonl` in the folder of the test, so no tool is needed.  A question is addressed by its
content: the tool with its version, the arguments, and the bytes of each file that they name.  The options of pytest:

- `--record` asks the tools the questions without a recorded answer, and records the answers; with `--live` it also
  replaces answers that differ;
- `--live` asks the tools all questions and fails where an answer differs from the record; `--live-day=DATE` asks one
  question in thirty, other questions on each day;
- `--forget` removes the answers that no test of a folder asked for (with `-n 0` and all tests of the folder).

A script that a person starts without pytest asks the tools, and so does a test with the marker `live`.
"""

from .asking import ask, recall
from .building import build
from .store import Digest

__all__ = ["Digest", "ask", "build", "recall"]
