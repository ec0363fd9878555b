"""Small inputs that bitcodec once treated otherwise than LLVM 22: messages of `as` and `link`, text of `dis`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .known_inputs import FOLDER, answer_of_llvm, inputs, without_frame, without_identifier
from .running import run

if TYPE_CHECKING:
    from pathlib import Path


UNNUMBERED = {"dbg-value-empty.ll": "!9"}
"""Empty nodes in the place of an expression: LLVM does not number them, and prints their addresses in memory."""


@pytest.mark.parametrize("names", inputs())
def test_the_answer_is_the_one_of_llvm(names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    output = tmp_path / "output"
    if " " in names:
        result = run("link", "-S", *names.split(), "-o", output)
        text = output.read_text() if result.exit_code == 0 else ""
    elif names.endswith(".bc"):
        result = run("dis", names)
        text = result.stdout
    else:
        result = run("as", "--dialect", "22", names, "-o", output)
        text = run("dis", output).stdout if result.exit_code == 0 else ""
    messages = without_frame(result.stderr, names)
    if node := UNNUMBERED.get(names):
        messages = messages.replace(f"{node} = !{{}}\n", "").replace(node, "(null)")
    assert (messages, without_identifier(text)) == answer_of_llvm(names)
