"""Differences of two modules: by symbol and by function, whatever numbers their texts have.

>>> import bitcodec
>>> from bitcodec.diff import differences, unified_diff
>>> before, after = bitcodec.open("examples/queue.bc"), bitcodec.open("examples/queue.bc")
>>> after.global_variables["tail"].name = "end"
>>> [(str(one.change), str(one.category), one.name) for one in differences(before, after)][:2]
[('removed', 'variable', 'tail'), ('changed', 'function', 'push')]

Ignored are numbers of metadata, attribute groups and values without names; the order of globals; summaries and
symbol tables, which are derived from the rest; the producer of the file.
"""

from __future__ import annotations

from bitcodec.diff.categories import Category
from bitcodec.diff.comparison import Change, Difference, differences, unified_diff

__all__ = ["Category", "Change", "Difference", "differences", "unified_diff"]
