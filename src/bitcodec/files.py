"""Writing files so that nothing is lost: all or nothing."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], data: bytes | memoryview) -> None:
    """Write `data` to a temporary file beside `path` and rename it, so that `path` is never half written.

    An existing file keeps its permissions; a link is followed; a device or a pipe is written to directly.

    Raises:
        OSError: it cannot be written; `path` is then as it was.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            device.write(data)
        return
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).chmod(_permissions(target))
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _permissions(target: Path) -> int:
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
