"""Debug information that has a name: compared by itself, under its name, and not again wherever something refers to it.

Without that one more field of a struct would change each function that knows the struct.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.names import quoted
from bitcodec.ir import debug_info
from bitcodec.ir.construction.deferring import read_content
from bitcodec.tables.debug_info_flags import DIFlag, DISPFlag

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.metadata import MDNode

__all__ = ["Entities"]

_MOST_SCOPES = 8
"""Maximum number of scopes in a name."""
_LONGEST_NAME = 200
"""Characters; names that are the same so far are distinguished by numbers."""


class Entities:
    """The named debug information of a module, as far as it was found.

    Attributes:
        nodes: the nodes by the texts of references to them.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, MDNode] = {}
        self._texts: dict[MDNode, str] = {}
        self._counts: dict[str, int] = {}

    def reference(self, node: MDNode) -> str | None:
        """Return the text of a reference to a node, such as `DISubprogram("main")`; None if it has no name.

        Of several with the same text, the second one found gets `#2` behind its name, and so on.
        """
        known = self._texts.get(node)
        if known is not None:
            return known
        read_content(node)
        describe = _DESCRIPTIONS.get(type(node))
        words = [] if describe is None else describe(node)
        if not words or not words[0]:
            return None
        text = f"{type(node).__name__}({', '.join(quoted(word) for word in words if word)})"
        count = self._counts[text] = self._counts.get(text, 0) + 1
        if count > 1:
            text = f"{text} #{count}"
        self.nodes[text] = node
        self._texts[node] = text
        return text


def _qualified(node: Any) -> str:
    """Return a name with the names of its scopes in front; "" if absent."""
    names = [_text(node, "name")]
    scope = node.scope
    while names[0] and isinstance(scope, _NAMED_SCOPES) and len(names) <= _MOST_SCOPES:
        names.append(_text(scope, "name") or "(anonymous)")
        scope = getattr(scope, "scope", None)
    return "::".join(reversed(names))


def _file(node: Any) -> list[str]:
    return [_text(node, "filename")]


def _unit(unit: Any) -> list[str]:
    return [_text(unit.file, "filename")]


def _composite(type_: Any) -> list[str]:
    identifier = _text(type_, "identifier")
    declared = "declaration" if type_.flags & DIFlag.FwdDecl else ""
    return [_qualified(type_) or identifier, identifier, declared]


def _subprogram(subprogram: Any) -> list[str]:
    flags = subprogram.sp_flags
    file = _text(subprogram.file, "filename") if flags & DISPFlag.LocalToUnit else ""
    declared = "" if flags & DISPFlag.Definition else "declaration"
    return [_qualified(subprogram), _text(subprogram, "linkage_name"), file, declared]


def _variable(variable: Any) -> list[str]:
    file = _text(variable.file, "filename") if variable.is_local else ""
    return [
        _qualified(variable),
        _text(variable, "linkage_name"),
        file,
        "" if variable.is_definition else "declaration",
    ]


def _text(node: object, attribute: str) -> str:
    found = getattr(node, attribute, "")
    return found[:_LONGEST_NAME] if isinstance(found, str) else ""


_NAMED_SCOPES = (
    debug_info.DICompositeType,
    debug_info.DIModule,
    debug_info.DINamespace,
    debug_info.DISubprogram,
)
_DESCRIPTIONS: dict[type, Callable[[Any], list[str]]] = {
    debug_info.DIFile: _file,
    debug_info.DICompileUnit: _unit,
    debug_info.DICompositeType: _composite,
    debug_info.DISubprogram: _subprogram,
    debug_info.DIGlobalVariable: _variable,
}
"""By class of named node: the words that distinguish it from others."""
