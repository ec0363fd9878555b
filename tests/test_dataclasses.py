"""Dataclasses: instances cannot change, but for those of listed classes, and have no attributes but their fields."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from find import SOURCES, name_of

FILLED_STEP_BY_STEP = {
    "BlockStatistics",
    "FileReport",
    "Info",
    "ModuleInfo",
    "ModuleReport",
    "ModuleSummary",
    "Report",
}
"""Results whose parts are added as a file is read."""
OF_SUMMARIES = {
    "AliasSummary",
    "Devirtualization",
    "FunctionSummary",
    "GlobalValueSummary",
    "GlobalVarSummary",
    "SummarizedModule",
    "TypeIdSummary",
}
"""Entries of a module summary index, which refer to each other: they can change, and are compared by identity."""


def dataclasses_of_the_package() -> Iterator[type[Any]]:
    files = [file for file in SOURCES.rglob("*.py") if "@dataclass(" in file.read_text(encoding="utf-8")]
    for module in (import_module(name_of(file)) for file in files):
        for _, each in inspect.getmembers(module, inspect.isclass):
            if dataclasses.is_dataclass(each) and each.__module__ == module.__name__:
                yield each


def test_values_cannot_change() -> None:
    found = {each.__name__: each for each in dataclasses_of_the_package()}
    frozen = {name for name, each in found.items() if each.__dataclass_params__.frozen}

    assert len(found) > 60
    assert found.keys() - frozen == FILLED_STEP_BY_STEP | OF_SUMMARIES
    assert {name for name, each in found.items() if not each.__dataclass_params__.eq} == OF_SUMMARIES


def test_no_instance_has_other_attributes_than_its_fields() -> None:
    assert [each.__name__ for each in dataclasses_of_the_package() if "__slots__" not in vars(each)] == []
