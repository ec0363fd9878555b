"""What all tests share: hypothesis is told to be repeatable and to leave no files behind."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("bitcodec", deadline=None, derandomize=True, database=None)
settings.load_profile("bitcodec")
