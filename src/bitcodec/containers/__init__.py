"""Where bitstreams hide: wrappers, object sections, archives, universal files, offload binaries.

This package answers one question, "where in these bytes is a bitstream?".  It knows magic numbers and section names,
but neither blocks nor records, and not what a bitstream says; it imports nothing of bitcodec but the errors.
"""

from bitcodec.containers.detection import FileKind, detect
from bitcodec.containers.embedded import Embedded, Findings, Hollow, find, require, scan

__all__ = ["Embedded", "FileKind", "Findings", "Hollow", "detect", "find", "require", "scan"]
