"""Where bitstreams hide: wrappers, object sections, archives, universal files, offload binaries.

This package answers one question, "where in these bytes is a bitstream?".  It knows magic numbers and section names,
but neither records nor what a bitstream says.
"""

from bitcodec.containers.detection import FileKind, detect
from bitcodec.containers.embedded import Embedded, Findings, Hollow, find, require, scan
from bitcodec.containers.streams import FoundStream, open_streams, split

__all__ = [
    "Embedded",
    "FileKind",
    "Findings",
    "FoundStream",
    "Hollow",
    "detect",
    "find",
    "open_streams",
    "require",
    "scan",
    "split",
]
