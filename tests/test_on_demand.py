"""Packages whose names are imported when they are first used."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ["bitcodec", "bitcodec.bitstream", "bitcodec.containers", "bitcodec.pcsections"]


def imports_for_type_checkers(package: str) -> dict[str, tuple[str, str]]:
    """Return module and original name of each name that a package imports under `TYPE_CHECKING`."""
    file = importlib.import_module(package).__file__
    assert file is not None
    blocks = [node for node in ast.parse(Path(file).read_text(encoding="utf-8")).body if isinstance(node, ast.If)]
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for block in blocks
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_names_are_those_that_type_checkers_see(package: str) -> None:
    module = importlib.import_module(package)
    seen = imports_for_type_checkers(package)
    assert set(seen) <= set(module.__all__)
    for name, (home, original) in seen.items():
        assert getattr(module, name) is getattr(importlib.import_module(home), original)


@pytest.mark.parametrize("package", PACKAGES)
def test_star_imports_all(package: str) -> None:
    names: dict[str, object] = {}
    exec(f"from {package} import *", names)
    assert set(importlib.import_module(package).__all__) <= set(names)


@pytest.mark.parametrize("package", PACKAGES)
def test_other_names_are_refused(package: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nonsense'"):
        _ = importlib.import_module(package).nonsense


def test_a_name_is_looked_up_once() -> None:
    code = (
        "import bitcodec.bitstream as b; before = 'loads' in vars(b); b.loads; "
        "print(before, 'loads' in vars(b), 'bitcodec.bitstream.writer' in __import__('sys').modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True False\n"
