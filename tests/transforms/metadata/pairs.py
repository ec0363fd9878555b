"""Pairs of instructions with metadata, of which LLVM's passes make one.

In a function `stays...` the second of two equal instructions goes and the first one stays where it is (`gvn`); in one
`moves...` two branches begin with them, and one of them goes in front of the branch (`simplifycfg`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Instruction

from .nodes import DEFINITIONS, HEAD, PARAMETERS, POOLS, TEMPLATES, attached

__all__ = ["PASSES", "Case", "all_pairs", "module_text", "pair_in"]

PASSES = {"stays": "gvn", "moves": "simplifycfg<hoist-common-insts>"}


class Case(NamedTuple):
    """Two instructions of a template, with references to nodes by pool."""

    how: str
    template: str
    kept: Mapping[str, str]
    gone: Mapping[str, str]

    def text(self, name: str) -> str:
        """Return the function of a name that the two stand in."""
        template = TEMPLATES[self.template]
        result = [f"%{one} = " if template.type else "" for one in "ab"]
        kept, gone = (
            f"{result[index]}{template.text}{_attached(nodes)}" for index, nodes in enumerate((self.kept, self.gone))
        )
        used = [f"{template.type} %{one}" if template.type else "i32 0" for one in "ab"]
        if self.how == "stays":
            lines = [kept, gone, f"call void (...) @use({', '.join(used)})", "ret void"]
        else:
            lines = ["br i1 %c, label %first, label %second", "first:", kept]
            lines += [f"call void (...) @use({used[0]}, i32 1)", "ret void", "second:", gone]
            lines += [f"call void (...) @use({used[1]}, i32 2)", "ret void"]
        body = "".join(f"  {line}\n" for line in lines)
        return f"define void @{name}{PARAMETERS} {{\n{body}}}\n"


def _attached(nodes: Mapping[str, str]) -> str:
    return "".join(attached(pool, node) for pool, node in nodes.items())


def all_pairs() -> Iterator[Case]:
    """Yield each pair of nodes of each kind of each template, either of which may be missing."""
    for name, template in TEMPLATES.items():
        for how, pool in itertools.product([how for how in PASSES if how in template.hows], template.pools):
            choices: list[dict[str, str]] = [{}, *({pool: node} for node in POOLS[pool])]
            for kept, gone in itertools.product(choices, repeat=2):
                if kept or gone:
                    yield Case(how, name, kept, gone)


def module_text(cases: Iterable[Case]) -> str:
    """Return the text of a module with a function for each case: its name is how it goes, and its number."""
    functions = (case.text(f"{case.how}.{number}") for number, case in enumerate(cases))
    return "".join((HEAD, *functions, DEFINITIONS))


def pair_in(function: Function) -> tuple[Instruction, Instruction]:
    """Return the two instructions of a function that nothing has changed."""
    blocks = list(function.blocks)
    if function.name.startswith("stays"):
        first, second, *_ = blocks[0].instructions
        return first, second
    return blocks[1].instructions[0], blocks[2].instructions[0]
