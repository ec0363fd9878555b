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


def test_folding_of_addresses_and_casts_needs_no_arithmetic_of_floating_point() -> None:
    code = (
        "import sys\n"
        "from bitcodec.ir.context import Context\n"
        "context = Context()\n"
        "types, constants = context.types, context.constants\n"
        "null = constants.null(types.ptr)\n"
        "constants.get_element_ptr(types.integer(8), null, [constants.integer(types.integer(64), 3)])\n"
        "constants.cast('ptrtoint', null, types.integer(64))\n"
        "print(*sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "bitcodec.ir.folding.addresses" in found
    assert [
        name for name in ("fractions", "bitcodec.ir.folding.compare", "bitcodec.ir.folding.vectors") if name in found
    ] == []
