"""What is printed and written is the same whether the loops that make it are compiled or interpreted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bitcodec.asm import bodies

from . import digests
from .test_goldens import FILES

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.bc"))
GROUPS = 8

pytestmark = pytest.mark.skipif(str(bodies.__file__).endswith(".py"), reason="this install has no compiled modules")


def assert_both_forms_agree(paths: list[Path]) -> None:
    command = [sys.executable, str(digests.__file__), *map(str, paths)]
    interpreted = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert interpreted == [digests.digests(path) for path in paths]


def test_the_examples() -> None:
    assert EXAMPLES
    assert_both_forms_agree(EXAMPLES)


@pytest.mark.parametrize("group", range(GROUPS))
def test_the_corpus(group: int) -> None:
    """Tests that are marked `same_in_both` build on this one."""
    assert_both_forms_agree(FILES[group::GROUPS])
