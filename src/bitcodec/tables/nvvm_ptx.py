"""PTX for intrinsics of NVPTX, from `nvvm_ptx.txt`, which describes its form."""

from __future__ import annotations

from functools import cache

__all__ = ["ptx_texts"]


@cache
def ptx_texts() -> dict[str, str]:
    """Return texts by name without `llvm.`; values of constants that a text depends on are in parentheses after it."""
    found = {}
    words: list[str] = []
    with open(f"{__file__.rpartition('.')[0]}.txt", encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes longer to import
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, _, text = line.rstrip("\n").partition("\t")
                shared, _, rest = name.partition(" ")
                words = [*words[: int(shared)], *rest.split(".")]
                found[".".join(words)] = text
    return found
