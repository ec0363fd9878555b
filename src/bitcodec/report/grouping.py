"""Groups of functions: namespaces, classes, templates and crates of demangled names, and folders of source files."""

from __future__ import annotations

import re

__all__ = ["name_path", "source_path"]

_MAX_PARTS = 12
"""Maximum number of parts of a path; the rest stays together."""
_OPENING, _CLOSING = "(<[{", ")>]}"
_PREFIX = re.compile(r"(?:(?:non-)?virtual thunk to |covariant return thunk to |guard variable for |\[clone [^]]*\] )+")
_ANONYMOUS = "(anonymous namespace)"
_HASH = re.compile(r"h[0-9a-f]{16}")
"""Hash that legacy mangling of Rust appends to a name."""
_OPERATOR = re.compile(r"operator(?: *(?:\(\)|\[\]|->\*?|<=>|<<=?|>>=?|[<>]=?)| (?=\S)|(?=\W))")


def name_path(demangled: str) -> tuple[str, ...]:
    """Return the namespaces, classes and crates around a function, and last its own name, without arguments.

    Arguments of templates are left out too, so all instances of a template have the same path.

    >>> from bitcodec.report.grouping import name_path
    >>> name_path("void std::vector<int, std::allocator<int>>::push_back(int&&)")
    ('std', 'vector<…>', 'push_back')
    >>> name_path("<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop")
    ('alloc', 'vec', 'Vec<…>', 'drop')
    """
    text = _PREFIX.sub("", demangled, count=1) if _PREFIX.match(demangled) else demangled
    parts = _parts(text)
    if len(parts) > 1 and _HASH.fullmatch(parts[-1]):
        parts.pop()
    if parts and parts[0].startswith("<"):
        parts[:1] = _parts(_implementing_type(parts[0]))
    found = [_without_arguments(part) for part in parts if part] or [demangled]
    return (*found[: _MAX_PARTS - 1], "::".join(found[_MAX_PARTS - 1 :])) if len(found) >= _MAX_PARTS else tuple(found)


def source_path(path: str) -> tuple[str, ...]:
    """Return the folders of a source file, and last its name; `.` and `..` are resolved.

    >>> from bitcodec.report.grouping import source_path
    >>> source_path("/home/build/../src/queue.c")
    ('home', 'src', 'queue.c')
    """
    found: list[str] = []
    for part in path.split("/"):
        if part == ".." and found:
            found.pop()
        elif part not in {"", ".", ".."}:
            found.append(part)
    return (*found[: _MAX_PARTS - 1], "/".join(found[_MAX_PARTS - 1 :])) if len(found) >= _MAX_PARTS else tuple(found)


def _parts(text: str) -> list[str]:
    """Return the parts between `::` outside of brackets, up to the parameters; a type in front is left out."""
    parts, start, depth, index = [], 0, 0, 0
    while index < len(text):
        found = _OPERATOR.match(text, index) if depth == 0 and text.startswith("operator", index) else None
        if found is not None and (index == start or not text[index - 1].isalnum()):
            index = found.end()
        elif text.startswith(_ANONYMOUS, index):
            index += len(_ANONYMOUS)
        elif text[index] == "(" and depth == 0 and text[start:index] != "decltype":
            break
        elif text[index] in _OPENING:
            depth += 1
            index += 1
        elif text[index] in _CLOSING:
            depth = max(depth - (text[index - 1 : index + 1] != "->"), 0)
            index += 1
        elif depth == 0 and text.startswith("::", index):
            parts.append(text[start:index])
            start = index = index + 2
        elif depth == 0 and text[index] == " " and not text.startswith(" <", index):
            parts, start, index = [], index + 1, index + 1  # before it is the type of the result
        else:
            index += 1
    return [*parts, text[start:index]]


def _implementing_type(text: str) -> str:
    """Return the type in a part such as `<Type as Trait>`."""
    inner = text[1:-1] if text.endswith(">") else text[1:]
    depth = 0
    for index, character in enumerate(inner):
        depth += (character in _OPENING) - (character in _CLOSING and inner[index - 1 : index + 1] != "->")
        if depth == 0 and inner.startswith(" as ", index + 1):
            inner = inner[: index + 1]
            break
    return inner.lstrip("&*").removeprefix("mut ").removeprefix("const ").removeprefix("dyn ")


def _without_arguments(part: str) -> str:
    """Return a part of a name with `…` for the arguments of a template."""
    opening = part.find("<")
    is_operator = part.startswith("operator")
    return f"{part[:opening]}<…>" if opening > 0 and part.endswith(">") and not is_operator else part
