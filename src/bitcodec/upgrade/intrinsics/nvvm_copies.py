"""Old intrinsics of NVIDIA GPUs that reach the shared memory of a cluster: it has a separate address space now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.upgrade.intrinsics.rows import OldIntrinsic

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["COPY_ROWS"]

_SHARED, _CLUSTER = "p3", "p7"


def _tensor_copy(name: str, coordinates: int, offsets: int) -> Sequence[OldIntrinsic]:
    """Return the rows of a copy of part of a tensor: the last parameter, a group of threads, is new too."""
    parameters = ["p3", "p0", *["i32"] * coordinates, *["i16"] * offsets, "i16", "i64", "i1", "i1"]
    count = len(parameters) + 1
    new = f"void({','.join([_CLUSTER, *parameters, 'i32'])})"
    kept = " ".join(map(str, range(count)))
    return tuple(
        OldIntrinsic(f"void({','.join([space, *parameters, *group])})", f"nvvm.{name}", new, arguments)
        for space, group, arguments in (
            (_SHARED, (), f"{kept} zero"),
            (_SHARED, ("i32",), f"{kept} {count}"),
            (_CLUSTER, (), f"{kept} zero"),
        )
    )


def _tensor_copies() -> dict[str, Sequence[OldIntrinsic]]:
    prefix = "cp.async.bulk.tensor.g2s"
    rows = {f"{prefix}.tile.{rank}d": _tensor_copy(f"{prefix}.tile.{rank}d", rank, 0) for rank in range(1, 6)}
    for rank in range(3, 6):
        rows[f"{prefix}.im2col.{rank}d"] = _tensor_copy(f"{prefix}.im2col.{rank}d", rank, rank - 2)
    return rows


COPY_ROWS: dict[str, OldIntrinsic | Sequence[OldIntrinsic]] = {
    **_tensor_copies(),
    "cp.async.bulk.global.to.shared.cluster": OldIntrinsic(
        "void(p3,p3,p1,i32,i16,i64,i1,i1)",
        "nvvm.cp.async.bulk.global.to.shared.cluster",
        "void(p7,p3,p1,i32,i16,i64,i1,i1)",
        "0 1 2 3 4 5 6 7",
    ),
    "cp.async.bulk.shared.cta.to.cluster": OldIntrinsic(
        "void(p3,p3,p3,i32)", "nvvm.cp.async.bulk.shared.cta.to.cluster", "void(p7,p3,p3,i32)", "0 1 2 3"
    ),
    "mapa.shared.cluster*": OldIntrinsic("p3(p3,i32)", "nvvm.mapa.shared.cluster", "p7(p3,i32)", "0 1"),
}
