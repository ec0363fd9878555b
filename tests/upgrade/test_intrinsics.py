"""Old intrinsics read from bitcode, against what llvm-dis 22 prints."""

from __future__ import annotations

import pytest

from .listing import golden, listing, opened

FILES = ["aarch64", "arm", "bodies", "generic", "nvvm", "targets"]


@pytest.mark.parametrize("name", FILES)
def test_bodies_and_declarations_are_those_of_llvm(name: str) -> None:
    ours = listing(opened(name))
    assert ours == golden(name)
