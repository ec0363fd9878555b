"""Settings of all tests: hypothesis is repeatable; some tests do not run by default."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from amounts import amount, is_whole
from bitcodec.bitstream import COMPILED

pytest_plugins = ["answers.plugin", "quick", "skips.plugin", "workers"]

settings.register_profile(
    "bitcodec",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=amount(24, 100),
    # The fixture `form` gives the same modules to every example; nothing in them is changed.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("bitcodec")

SAME_IN_BOTH = (
    "asm/test_goldens.py",
    "asm/test_use_lists.py",
    "bitcode/editing/test_copying.py",
    "bitcode/editing/test_flag_changes.py",
    "bitcode/editing/test_unusual_forms.py",
    "bitcode/reader/test_attributes.py",
    "bitcode/test_metadata_corpus.py",
    "bitcode/test_nothing_is_skipped.py",
    "upgrade/",
    "bitcode/writer/test_corpus.py",
    "cli/test_analyze.py::test_text_is_that_of_llvm",
    "cli/test_dump.py::test_options_live",
    "cli/test_dump.py::test_text_is_that_of_llvm",
    "cli/test_hostile_text.py",
    "cli/test_info.py::test_every_file_has_a_screen",
    "cli/test_info.py::test_facts_are_those_of_the_dump",
    "cli/test_nm.py",
    "cli/test_paths.py",
    "cli/test_table.py",
    "cli/test_termination.py",
    "corpus_tables/test_daft.py",
    "corpus_tables/test_llvm.py",
    "corpus_tables/test_querying.py",
    "corpus_tables/test_run.py",
    "diff/",
    "hostile/",
    "lint/",
    "mir/",
    "parity/test_details.py",
    "parity/test_goldens.py::test_heads_are_those_llvm_prints",
    "pcsections/test_elf_",
    "pcsections/test_modules.py",
    "pcsections/schemas/test_sanitizers.py",
    "pcsections/test_schemas.py",
    "strictness/",
    "symbols/",
    "transforms/test_described_values.py",
    "transforms/test_live.py",
    "transforms/test_verbs_live.py",
    "typing/",
    "verifier/",
)
"""Tests that prove no more where nothing is compiled.

They take streams, dumps, statistics, modules as they are read, text as it is printed and bitcode as it is written:
`bitstream/test_both_forms.py` and `asm/test_forms.py` prove that these are the same in both forms, for every file of
the corpus, and `pcsections/test_forms.py` that sections are read the same.  The model is compiled too;
the tests in `ir` run in both forms.
"""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        place = place_of(item)
        if place.startswith(SAME_IN_BOTH):
            item.add_marker(pytest.mark.same_in_both)
    if not config.option.markexpr:
        deselect(config, items)


def place_of(item: pytest.Item) -> str:
    return item.nodeid.removeprefix("tests/")


def deselect(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked `whole`, and in the interpreted form what proves no more there; not what is named."""
    named = tuple(argument.rpartition("tests/")[2] for argument in config.args if "::" in argument)
    left_out = ("whole",) if COMPILED else ("whole", "same_in_both")
    kept: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        is_left_out = any(item.get_closest_marker(name) for name in left_out) and not is_whole(str(item.path))
        (others if is_left_out and not place_of(item).startswith(named or ("\0",)) else kept).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = kept
