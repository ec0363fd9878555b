"""Merging is what `llvm-link` does, of modules that are made up.

`BITCODEC_MERGES` says how many; a thousand take about a minute.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings

from .cases import modules
from .outcomes import ours, theirs
from .text import Flags

MERGES = int(os.environ.get("BITCODEC_MERGES", "200"))

pytestmark = pytest.mark.live


@given(modules())
@settings(max_examples=MERGES)
def test_merging_is_what_llvm_link_does(tmp_path_factory: pytest.TempPathFactory, flags: list[Flags]) -> None:
    folder = Path(tmp_path_factory.getbasetemp())
    assert ours(flags) == theirs(flags, folder)
