"""The core of the model knows features by name, and imports their modules when they are used."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

from bitcodec import features
from bitcodec.features import feature

LAZY = ("bitcodec.ir.folding", "bitcodec.ir.module_flags", "bitcodec.ir.pcsections", "bitcodec.ir.strings")


def test_every_feature_is_where_it_is_said_to_be() -> None:
    assert features._homes
    for name, home in features._homes.items():
        assert feature(name) is getattr(import_module(home), name)


def test_features_are_not_imported_with_the_model() -> None:
    code = "import sys, bitcodec.ir; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "bitcodec.ir.module" in found
    assert [name for name in LAZY if name in found] == []
