"""Text is the same whether the loops that make it are compiled or interpreted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import bitcodec
from bitcodec.asm import bodies

EXAMPLES = Path(__file__).parents[2] / "examples"

INTERPRETED = """
import sys
from importlib.machinery import FileFinder, SourceFileLoader

class SourceOnly:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.startswith("bitcodec.asm.") and path:
            return FileFinder(path[0], (SourceFileLoader, [".py"])).find_spec(name)

sys.meta_path.insert(0, SourceOnly)
import bitcodec
from bitcodec.asm import bodies
assert bodies.__file__.endswith(".py")
sys.stdout.write(bitcodec.print_assembly(bitcodec.open(sys.argv[1])))
"""


@pytest.mark.skipif(bodies.__file__.endswith(".py"), reason="this install has no compiled modules")
@pytest.mark.parametrize("name", ["hello.bc", "queue.bc"])
def test_both_forms_give_the_same_text(name: str) -> None:
    path = str(EXAMPLES / name)
    done = subprocess.run([sys.executable, "-c", INTERPRETED, path], capture_output=True, text=True, check=True)
    assert done.stdout == bitcodec.print_assembly(bitcodec.open(path))
