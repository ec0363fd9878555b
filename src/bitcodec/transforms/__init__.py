"""What changes a module: takes out debug information, names, metadata, all but a few functions; expands atomics.

>>> import bitcodec
>>> from bitcodec.transforms import strip_debug_info
>>> module = bitcodec.open("examples/queue.bc")
>>> strip_debug_info(module)
>>> module.functions["pop"].subprogram is None
True

Each changes the module in place, after reading it to the end.  Summaries for link-time optimization tell of a module as
it was, and so none are left.
"""

from bitcodec.transforms.atomic_expand import expand_atomics
from bitcodec.transforms.attachments import strip_metadata
from bitcodec.transforms.debug_info import strip_debug_info
from bitcodec.transforms.extraction import extract_functions
from bitcodec.transforms.names import strip_names

__all__ = ["expand_atomics", "extract_functions", "strip_debug_info", "strip_metadata", "strip_names"]
