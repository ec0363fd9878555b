"""What all tests share: hypothesis is told to be repeatable, and tests are marked that prove as much in either form."""

from __future__ import annotations

import pytest
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

SAME_IN_BOTH = (
    "asm/test_goldens.py",
    "asm/test_use_lists.py",
    "bitcode/test_attributes.py",
    "bitcode/test_metadata_corpus.py",
    "bitcode/upgrade/",
    "bitcode/writer/test_copying.py",
    "bitcode/writer/test_corpus.py",
    "cli/test_nm.py",
    "diff/",
    "ir/",
    "parity/test_details.py",
    "parity/test_goldens.py::test_heads_are_those_llvm_prints",
    "symbols/",
    "transforms/test_live.py",
    "typing/",
    "verifier/",
)
"""Tests that prove no more where nothing is compiled.

They take modules as they are read, text as it is printed and bitcode as it is written: `asm/test_forms.py` and
`bitstream/test_both_forms.py` prove for the whole corpus that these are the same in both forms.  What they test
besides is never compiled.
"""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.removeprefix("tests/").startswith(SAME_IN_BOTH):
            item.add_marker(pytest.mark.same_in_both)
