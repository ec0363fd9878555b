"""Links whole modules, as llvm-link of LLVM 22 does: `bitcodec.link`, and `bitcodec.Linker` for one after another.

`resolution`, `comdats` and `appending` are the rules, `selection` the symbols that are linked, `mover`, `references`
and `metadata` move them, `records` and `problems` report the results. `survey` finds conflicts without linking.
"""

from typing import TYPE_CHECKING

from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.linker.linker import Linker, link
    from bitcodec.linker.problems import LinkError, LinkProblem, ProblemKind
    from bitcodec.linker.records import Candidate
    from bitcodec.linker.survey import Survey

__all__ = ["Candidate", "LinkError", "LinkProblem", "Linker", "ProblemKind", "Survey", "link"]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "linker": ("Linker", "link"),
        "problems": ("LinkError", "LinkProblem", "ProblemKind"),
        "records": ("Candidate",),
        "survey": ("Survey",),
    },
)
