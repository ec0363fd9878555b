"""Reports: the contents of files of bitcode, to the bit, and the growth between two builds.

>>> from bitcodec.report import collect
>>> report = collect(["examples/queue.bc"])
>>> [function.name for function in report.functions[:2]]
['drain', 'push']
>>> report.files[0].share.bits == report.size * 8
True

`collect` reads files and returns plain data; `page` makes one HTML page of it, which needs nothing from elsewhere;
`compare` lists the growth.
"""

from typing import TYPE_CHECKING

from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.report.collecting import collect, collect_file
    from bitcodec.report.comparing import Comparison, Growth, Sizes, compare
    from bitcodec.report.contents import FileReport, FunctionReport, ModuleReport, Report, Share
    from bitcodec.report.drawing import page
    from bitcodec.report.fingerprints import fingerprint
    from bitcodec.report.shares import merged_shares

__all__ = [
    "Comparison",
    "FileReport",
    "FunctionReport",
    "Growth",
    "ModuleReport",
    "Report",
    "Share",
    "Sizes",
    "collect",
    "collect_file",
    "compare",
    "fingerprint",
    "merged_shares",
    "page",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "collecting": ("collect", "collect_file"),
        "comparing": ("Comparison", "Growth", "Sizes", "compare"),
        "contents": ("FileReport", "FunctionReport", "ModuleReport", "Report", "Share"),
        "drawing": ("page",),
        "fingerprints": ("fingerprint",),
        "shares": ("merged_shares",),
    },
)
