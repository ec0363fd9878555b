"""What all tests share: hypothesis is told to be repeatable and to leave no files behind."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "bitcodec",
    deadline=None,
    derandomize=True,
    database=None,
    # The fixture `form` gives the same modules to every example; nothing in them is changed.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("bitcodec")
