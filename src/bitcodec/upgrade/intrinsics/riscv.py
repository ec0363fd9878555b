"""Old intrinsics of RISC-V: cryptography works on `i32` alone.  Rules: docs/reference/upgrades.md, 10.5."""

from __future__ import annotations

from bitcodec.upgrade.intrinsics.rows import IntrinsicTable, OldIntrinsic

__all__ = ["TABLE"]

_TERNARY = "i32(i32,i32,i32)"


def _narrowed(name: str, *signatures: str) -> tuple[OldIntrinsic, ...]:
    return tuple(OldIntrinsic(signature, f"riscv.{name}", _TERNARY, "0 1 2") for signature in signatures)


_AES = ("aes32dsi", "aes32dsmi", "aes32esi", "aes32esmi")
_SM4 = ("sm4ed", "sm4ks")
_UNARY = ("sha256sig0", "sha256sig1", "sha256sum0", "sha256sum1", "sm3p0", "sm3p1")

TABLE = IntrinsicTable(
    {
        **{name: _narrowed(name, "i32(i32,i32,#i8)") for name in _AES},
        **{f"{name}*": _narrowed(name, "i32(i32,i32,#i8)", "i64(i64,i64,#i8)", "i64(i64,i64,#i32)") for name in _SM4},
        **{f"{name}*": OldIntrinsic("i64(i64)", f"riscv.{name}", "i32(i32)", "0") for name in _UNARY},
    }
)
