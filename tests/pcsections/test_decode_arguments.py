"""Arguments of `decode` that no section can have: refused alike by both forms, before a loop in C sees them."""

from __future__ import annotations

from typing import Any

import pytest

from bitcodec.pcsections import decode

DATA = bytes(range(1, 41))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"address": -1}, "address -1 is not in"),
        ({"address": 1 << 64}, "address 18446744073709551616 is not in"),
        ({"pc_size": 0}, "a PC field of 0 bytes"),
        ({"pc_size": -1}, "a PC field of -1 bytes"),
        ({"pc_size": 9}, "a PC field of 9 bytes"),
        ({"pc_size": 1 << 70}, "a PC field of"),
        ({"pointer_size": 0}, "expected a pointer size of 4 or 8 bytes, got 0"),
        ({"pointer_size": 16}, "expected a pointer size of 4 or 8 bytes, got 16"),
        ({"byte_order": "middle"}, "expected the byte order 'little' or 'big', got 'middle'"),
    ],
)
def test_impossible_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decode(DATA, arguments.pop("address", 0x1000), "hot=instruction", **arguments)


@pytest.mark.parametrize("address", [0, (1 << 64) - 1])
@pytest.mark.parametrize("pc_size", [None, 1, 4, 8])
def test_the_limits_themselves(address: int, pc_size: int | None) -> None:
    entries = list(decode(DATA, address, "hot=instruction", pc_size=pc_size))
    assert len(entries) == len(DATA) // (pc_size or 4)
    assert all(0 <= entry.pc.address < 1 << 64 for entry in entries)
