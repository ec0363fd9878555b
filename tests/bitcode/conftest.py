"""Fixtures for tests of bitcode."""

from __future__ import annotations

import pytest

from bitcodec.bitcode import proving


@pytest.fixture
def proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have everything that is written read back and compared."""
    monkeypatch.setattr(proving, "IS_ON", True)
