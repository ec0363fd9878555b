"""Instructions with metadata that LLVM's passes change alone.

In a function `hoists...` one goes to where it happens though it may not have (`simplifycfg`); in one `retypes...` a
load becomes one of another type (`instcombine`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .nodes import DEFINITIONS, HEAD, PARAMETERS, POOLS, TEMPLATES, attached

__all__ = ["PASSES", "Alone", "all_alone", "module_text"]

PASSES = {"hoists": "simplifycfg", "retypes": "instcombine"}


class Alone(NamedTuple):
    """An instruction of a template with a node."""

    how: str
    template: str
    pool: str
    node: str

    def text(self, name: str) -> str:
        """Return the function of a name that it stands in."""
        template = TEMPLATES[self.template]
        line = f"%a = {template.text}{attached(self.pool, self.node)}"
        lines = [line, "%r = bitcast i32 %a to float", "call void (...) @use(float %r)", "ret void"]
        if self.how == "hoists":
            lines = ["br i1 %c, label %then, label %end", "then:", line, "br label %end", "end:"]
            lines.append(f"%r = phi {template.type} [ %a, %then ], [ zeroinitializer, %0 ]")
            lines += [f"call void (...) @use({template.type} %r)", "ret void"]
        body = "".join(f"  {line}\n" for line in lines)
        return f"define void @{name}{PARAMETERS} {{\n{body}}}\n"


def all_alone() -> Iterator[Alone]:
    """Yield each node of each kind of each template."""
    for name, template in TEMPLATES.items():
        hows = [*(how for how in template.hows if how in PASSES), *["retypes"] * template.text.startswith("load i32")]
        for how in hows:
            yield from (Alone(how, name, pool, node) for pool in template.pools for node in POOLS[pool])


def module_text() -> str:
    """Return the text of a module with a function for each case: its name is how it goes, and its number."""
    functions = (case.text(f"{case.how}.{number}") for number, case in enumerate(all_alone()))
    return "".join((HEAD, *functions, DEFINITIONS))
