"""Finds bitstreams in files: wrappers, object sections, archives, universal files, offload binaries.

This package answers one question, "where in these bytes is a bitstream?".  It knows magic numbers and section names,
but neither records nor the contents of a bitstream.
"""

from typing import TYPE_CHECKING

from bitcodec.containers.detection import FileKind, detect
from bitcodec.containers.streams import (
    ASSEMBLY_SUFFIX,
    FoundStream,
    check_head,
    check_module_head,
    is_assembly,
    open_streams,
    split,
)
from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.containers.archive_writing import replace_members
    from bitcodec.containers.embedded import Embedded, Findings, Hollow, find, require, scan
    from bitcodec.containers.replacing import replace_streams

__all__ = [
    "ASSEMBLY_SUFFIX",
    "Embedded",
    "FileKind",
    "Findings",
    "FoundStream",
    "Hollow",
    "check_head",
    "check_module_head",
    "detect",
    "find",
    "is_assembly",
    "open_streams",
    "replace_members",
    "replace_streams",
    "require",
    "scan",
    "split",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "archive_writing": ("replace_members",),
        "embedded": ("Embedded", "Findings", "Hollow", "find", "require", "scan"),
        "replacing": ("replace_streams",),
    },
)
