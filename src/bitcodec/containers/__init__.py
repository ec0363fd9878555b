"""Where bitstreams hide: wrappers, object sections, archives, universal files, offload binaries.

This package answers one question, "where in these bytes is a bitstream?".  It knows magic numbers and section names,
but neither records nor what a bitstream says.
"""

from typing import TYPE_CHECKING

from bitcodec.containers.detection import FileKind, detect
from bitcodec.containers.streams import FoundStream, check_head, open_streams, split

if TYPE_CHECKING:
    from bitcodec.containers.embedded import Embedded, Findings, Hollow, find, require, scan

__all__ = [
    "Embedded",
    "FileKind",
    "Findings",
    "FoundStream",
    "Hollow",
    "check_head",
    "detect",
    "find",
    "open_streams",
    "require",
    "scan",
    "split",
]


def __getattr__(name: str) -> object:
    """Import the readers of container formats when one is asked for: most files are bitcode, and no container."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bitcodec.containers import embedded  # noqa: PLC0415

    return getattr(embedded, name)
