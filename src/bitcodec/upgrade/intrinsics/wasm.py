"""Old intrinsics of WebAssembly: relaxed SIMD got its final names.  Rules: docs/reference/upgrades.md, 10.5."""

from __future__ import annotations

from bitcodec.upgrade.intrinsics.rows import IntrinsicTable, OldIntrinsic

__all__ = ["TABLE"]

_LANEWISE = {"fma.*": "madd", "fms.*": "nmadd", "laneselect.*": "laneselect"}
_DOT = {"signed": "v8i16(v16i8,v16i8)", "add.signed": "v4i32(v16i8,v16i8,v4i32)"}

TABLE = IntrinsicTable(
    {
        **{old: OldIntrinsic("A:v(A,A,A)", f"wasm.relaxed.{new} A") for old, new in _LANEWISE.items()},
        **{
            f"dot.i8x16.i7x16.{name}": OldIntrinsic(signature, f"wasm.relaxed.dot.i8x16.i7x16.{name}")
            for name, signature in _DOT.items()
        },
    }
)
