"""Transformations of modules: strip parts, expand atomic instructions, rewrite by the rules of metadata.

>>> import bitcodec
>>> from bitcodec.transforms import strip_debug_info
>>> module = bitcodec.open("examples/queue.bc")
>>> strip_debug_info(module)
>>> module.functions["pop"].subprogram is None
True

Functions that strip change the module in place, after reading all of it.  Summaries for link-time optimization
describe the original module, and so are removed.

`Rewriter` replaces, duplicates, merges, hoists and erases instructions, and keeps their metadata right; a
`Listener` is called with each `Event`, a `Recorder` counts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.propagation import Event, Listener, Outcome, Recorder
from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.transforms.atomic_expand.modules import expand_atomics
    from bitcodec.transforms.attachments import strip_metadata
    from bitcodec.transforms.debug_info import strip_debug_info
    from bitcodec.transforms.extraction import delete_functions, extract_functions
    from bitcodec.transforms.names import strip_names
    from bitcodec.transforms.rewriting.rewriter import Rewriter

__all__ = [
    "Event",
    "Listener",
    "Outcome",
    "Recorder",
    "Rewriter",
    "delete_functions",
    "expand_atomics",
    "extract_functions",
    "strip_debug_info",
    "strip_metadata",
    "strip_names",
]

_HOMES = {
    "atomic_expand.modules": ("expand_atomics",),
    "attachments": ("strip_metadata",),
    "debug_info": ("strip_debug_info",),
    "extraction": ("delete_functions", "extract_functions"),
    "names": ("strip_names",),
    "rewriting.rewriter": ("Rewriter",),
}
"""Where the names are that are imported when they are requested: one part need not wait for the others."""

__getattr__, __dir__ = names_on_demand(__name__, _HOMES)
