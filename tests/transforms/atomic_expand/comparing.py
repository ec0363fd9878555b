"""Text of functions as it can be compared: without numbers of metadata and attributes."""

from __future__ import annotations

import re

from bitcodec.asm import print_assembly
from bitcodec.ir.module import Module

_NODE = re.compile(r"^!(\d+) = (.*)$", re.MULTILINE)
_GROUP = re.compile(r"^attributes #(\d+) = (.*)$", re.MULTILINE)
_COMMENT = re.compile(r" *;.*$", re.MULTILINE)
_FUNCTION = re.compile(r"^define [^\n]*@(\w+)\([^\n]*\n.*?^}\n", re.MULTILINE | re.DOTALL)
_DECLARATION = re.compile(r"^declare .*$", re.MULTILINE)


def comparable(module: Module) -> tuple[dict[str, str], list[str]]:
    """Return the text of each function of a module, by name, and its declarations."""
    text = print_assembly(module)
    nodes = dict(_NODE.findall(text))
    groups = dict(_GROUP.findall(text))
    text = _COMMENT.sub("", text)
    text = re.sub(r" #(\d+)\b", lambda found: "" if groups[found[1]] == "{ }" else " " + groups[found[1]], text)
    for _ in range(3):
        text = re.sub(r"!(\d+)\b", lambda found: nodes.get(found[1], found[0]), text)
    functions = {found[1]: found[0] for found in _FUNCTION.finditer(text)}
    return functions, sorted(_DECLARATION.findall(text))
