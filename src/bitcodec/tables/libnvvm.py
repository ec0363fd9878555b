"""The intrinsics of LLVM 22 that libNVVM knows, from `libnvvm.txt`, which explains its format."""

from __future__ import annotations

from functools import cache

from bitcodec.tables.intrinsics import base_in, intrinsic_rows

__all__ = ["OTHER_TARGETS", "is_known"]

OTHER_TARGETS = frozenset({
    "aarch64", "amdgcn", "arm", "bpf", "dx", "hexagon", "loongarch", "mips", "ppc", "r600", "riscv", "s390", "spv",
    "ve", "wasm", "x86", "xcore",
})  # fmt: skip
"""How the names of intrinsics of other targets begin, without `llvm.`."""


def is_known(name: str) -> bool:
    """Return whether libNVVM knows an intrinsic.

    Args:
        name: its name without `llvm.`, with or without types.
    """
    return base_in(name, intrinsic_rows()) in _names()


@cache
def _names() -> frozenset[str]:
    found = []
    words: list[str] = []
    with open(f"{__file__.rpartition('.')[0]}.txt", encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes longer to import
        for line in file:
            if not line.strip() or line.startswith("#"):
                continue
            shared, _, rest = line.strip().partition(" ")
            words = [*words[: int(shared)], *rest.split(".")]
            found.append(".".join(words))
    return frozenset(found)
