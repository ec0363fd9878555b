"""Records the answers of LLVM 22: `python -m tests.cli.known_inputs`."""

from __future__ import annotations

import json

from . import ANSWERS, answer_of_llvm, inputs

tools = {name: f"{name}-22" for name in ("llvm-as", "llvm-dis", "llvm-link")}
ANSWERS.write_text(json.dumps({names: answer_of_llvm(names, tools) for names in inputs()}, indent=1) + "\n")
