"""Old intrinsics that 32-bit and 64-bit ARM have in common."""

from __future__ import annotations

from bitcodec.upgrade.intrinsics.rows import OldIntrinsic

__all__ = ["family_rows"]


def family_rows(target: str) -> dict[str, OldIntrinsic]:
    """Return the rows of `arm` or `aarch64`."""
    rows = {
        "rbit*": OldIntrinsic("A:i(A)", "bitreverse A", arguments="0"),
        "thread.pointer": OldIntrinsic("A:p()", "thread.pointer A", arguments=""),
        "neon.bfdot.v2f32.v8i8": _dot(target, "v2f32", "v8i8", "v4bf16"),
        "neon.bfdot.v4f32.v16i8": _dot(target, "v4f32", "v16i8", "v8bf16"),
    }
    for name in ("bfmmla", "bfmlalb", "bfmlalt"):
        rows[f"neon.{name}.v4f32.v16i8"] = OldIntrinsic(
            "v4f32(v4f32,v16i8,v16i8)", f"{target}.neon.{name}", "v4f32(v4f32,v8bf16,v8bf16)", "0 1 2"
        )
    return rows


def _dot(target: str, sums: str, bits: str, factors: str) -> OldIntrinsic:
    return OldIntrinsic(
        f"{sums}({sums},{bits},{bits})",
        f"{target}.neon.bfdot {sums} {factors}",
        f"{sums}({sums},{factors},{factors})",
        "0 1 2",
    )
