"""Small streams that several tests look into."""

from __future__ import annotations

from pathlib import Path

import pytest

from bits import Bits


def module(version: int = 2) -> Bits:
    return Bits().enter_block(8).unabbreviated(1, [version]).end_block()


@pytest.fixture
def small() -> bytes:
    """Return the smallest module: a version, nothing else."""
    return module().stream()


@pytest.fixture
def small_file(small: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "small.bc"
    path.write_bytes(small)
    return path
