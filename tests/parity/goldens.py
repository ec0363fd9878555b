"""What llvm-dis 22 printed of a module's globals: their heads, told apart into fields, and the same of our module.

Only lines at the top level are read; initializers, types and attributes are left to other tests.
Rules: docs/reference/text.md, 6 and 7.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bitcodec.tables import calling_conventions

from .views import Difference

Fields = dict[str, str]
"""What is said of one global, by field; what is not said has no field."""
TextOf = Callable[[Any], str]


class Head(NamedTuple):
    """One global: what it is, its name ("" if it has none), and what is said of it."""

    kind: str
    name: str
    fields: Fields


_NAME = r'@(?P<name>"[^"]*"|[-\w.$]+)'
_STRING = r'"[^"]*"'
_PREFIX = (
    ("external", r"external"),
    (
        "linkage",
        "private|internal|linkonce|linkonce_odr|weak|weak_odr|common|appending|extern_weak|available_externally",
    ),
    ("dso_local", "dso_local"),
    ("visibility", "hidden|protected"),
    ("dll_storage_class", "dllimport|dllexport"),
    ("thread_local", r"thread_local(?:\(\w+\))?"),
    ("unnamed_addr", "unnamed_addr|local_unnamed_addr"),
    ("address_space", r"addrspace\(\d+\)"),
    ("externally_initialized", "externally_initialized"),
    ("cc", r"\w+cc|cc\d+|(?:ptx|spir|amdgpu|aarch64)_\w+|riscv_vls_cc\(\d+\)"),
)
_TAIL = (
    ("unnamed_addr", r" (unnamed_addr|local_unnamed_addr)"),
    ("address_space", r" (addrspace\(\d+\))"),
    ("", r" #\d+"),
    ("section", rf",? section ({_STRING})"),
    ("partition", rf",? partition ({_STRING})"),
    ("code_model", rf", code_model ({_STRING})"),
    ("no_sanitize_address", r", (no_sanitize_address)"),
    ("no_sanitize_hwaddress", r", (no_sanitize_hwaddress)"),
    ("sanitize_memtag", r", (sanitize_memtag)"),
    ("sanitize_address_dyninit", r", (sanitize_address_dyninit)"),
    ("comdat", rf",? (comdat(?:\(\$(?:{_STRING}|[-\w.$]+)\))?)"),
    ("alignment", r",? align (\d+)"),
    ("gc", rf" gc ({_STRING})"),
)
_HELD = {"prefix", "prologue", "personality"}
"""Constants that a function may hold; which ones they are is not read."""
_IN_QUOTES = {"section", "partition", "code_model", "gc"}
_PREFIX_PATTERNS = [(field, re.compile(rf"({pattern}) +")) for field, pattern in _PREFIX]
_TAIL_PATTERNS = [(field, re.compile(pattern + r"(?![\w(])")) for field, pattern in _TAIL]
_ATTACHMENTS = re.compile(r"(?:,? ![-\w$.\\]+ !\d+)*(?: #\d+)?$")
_TAIL_OF_VARIABLE = re.compile("".join(f"(?:{pattern})?" for field, pattern in _TAIL if field) + "$")
_VARIABLE_START = re.compile(rf"{_NAME} = ")
_FUNCTION_NAME = re.compile(rf'(?:{_STRING}|[^"@])*?{_NAME}\(')
_KIND = re.compile(r"(global|constant|alias|ifunc) ")
_FUNCTION_START = re.compile(r"(define|declare)(?: ![-\w$.\\]+ !\d+)* ")
_STRINGS_AND_PARENTHESES = re.compile(rf"{_STRING}|[()]")
_STRING_PATTERN = re.compile(_STRING)
_ESCAPE = re.compile(rb"\\(\\|[0-9A-F]{2})")


def heads_of_text(text: str) -> list[Head]:
    """Return the heads of what llvm-dis printed, in its order."""
    return [head for line in text.split("\n") if (head := _head(line))]


def _head(line: str) -> Head | None:
    if line.startswith("@"):
        return _head_of_variable(line)
    if line.startswith(("define ", "declare ")):
        return _head_of_function(line)
    return None


def _head_of_variable(line: str) -> Head:
    start = _VARIABLE_START.match(line)
    assert start, line
    fields, place = _prefix(line, start.end())
    kind = _KIND.match(line, place)
    assert kind, line
    rest = line[kind.end() : _ATTACHMENTS.search(line).start()]  # type: ignore[union-attr]
    tail = _TAIL_OF_VARIABLE.search(rest)
    fields |= _tail(rest, tail.start() if tail else len(rest))
    return _finished(kind[1], unescaped(start["name"]), fields)


def _head_of_function(line: str) -> Head:
    start = _FUNCTION_START.match(line)
    assert start, line
    fields, place = _prefix(line, start.end())
    name = _FUNCTION_NAME.match(line, place)
    assert name, line
    end = _end_of_parentheses(line, name.end())
    fields |= _tail(line, end)
    fields |= {word: word for word in _STRING_PATTERN.sub("", line[end:]).split() if word in _HELD}
    return _finished(start[1], unescaped(name["name"]), fields)


def _prefix(line: str, place: int) -> tuple[Fields, int]:
    fields = {}
    for field, pattern in _PREFIX_PATTERNS:
        if found := pattern.match(line, place):
            fields[field] = found[1]
            place = found.end()
    return fields, place


def _tail(line: str, place: int) -> Fields:
    fields = {}
    for field, pattern in _TAIL_PATTERNS:
        if found := pattern.match(line, place):
            if field:
                fields[field] = unescaped(found[1]) if field in _IN_QUOTES else found[1]
            place = found.end()
    return fields


def _end_of_parentheses(line: str, place: int) -> int:
    depth = 1
    for found in _STRINGS_AND_PARENTHESES.finditer(line, place):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    raise AssertionError(line)


def unescaped(text: str) -> str:
    """Return a name or string as the model has it; a number stands for no name."""
    if not text.startswith('"'):
        return "" if text.isdigit() else text
    data = _ESCAPE.sub(lambda found: b"\\" if found[1] == b"\\" else bytes.fromhex(found[1].decode()), text.encode())
    return data[1:-1].decode("utf-8", "surrogateescape")


def _finished(kind: str, name: str, fields: Fields) -> Head:
    """Say what the text leaves implied: `dso_local`, the name of a comdat."""
    fields.pop("external", None)
    linkage = fields.get("linkage", "external")
    if linkage in {"private", "internal"} or ("visibility" in fields and linkage != "extern_weak"):
        fields["dso_local"] = "dso_local"
    if "comdat" in fields:
        comdat = fields["comdat"].removeprefix("comdat").removeprefix("($").removesuffix(")")
        fields["comdat"] = unescaped(comdat) or name
    return Head(kind, name, fields)


def is_of_one_module(file: Any) -> bool:
    """Whether a file of the corpus is one module that LLVM 22 reads, so that it has one golden."""
    golden = file.goldens.get("ll")
    return file.kind != "invalid" and isinstance(golden, dict) and golden["exit"] == 0


def text_of(path: Path) -> str:
    """Return what llvm-dis 22 printed of a file of the corpus."""
    return gzip.decompress(path.with_name(f"{path.name}.ll.gz").read_bytes()).decode("utf-8", "surrogateescape")


# The same of our module


def heads_of_module(module: Any) -> list[Head]:
    """Return the heads of our module's globals, in the order in which llvm-dis prints them."""
    module.materialize()
    return [
        *(_our_head(one, "constant" if one.is_constant else "global", _VARIABLE) for one in module.global_variables),
        *(_our_head(one, "alias", _VALUE) for one in module.aliases),
        *(_our_head(one, "ifunc", _VALUE) for one in module.ifuncs),
        *(_our_head(one, "declare" if one.is_declaration else "define", _FUNCTION) for one in module.functions),
    ]


def _our_head(value: Any, kind: str, texts: dict[str, TextOf]) -> Head:
    return Head(kind, value.name, {field: text for field, text_of in texts.items() if (text := text_of(value))})


def _spelling(attribute: str, default: str = "") -> TextOf:
    def spelling(value: Any) -> str:
        row = getattr(value, attribute)
        return "" if row is None or row.spelling == default else str(row.spelling)

    return spelling


def _text(attribute: str) -> TextOf:
    return lambda value: str(getattr(value, attribute) or "")


def _flag(attribute: str, word: str = "") -> TextOf:
    return lambda value: (word or attribute) if getattr(value, attribute) else ""


def _address_space(value: Any) -> str:
    return f"addrspace({value.address_space})" if value.address_space else ""


def _comdat(value: Any) -> str:
    return "" if value.comdat is None else str(value.comdat.name)


def _held(attribute: str, word: str) -> TextOf:
    return lambda value: "" if getattr(value, attribute) is None else word


def _calling_convention(value: Any) -> str:
    number = value.calling_convention
    return calling_conventions.spelling(number).strip() if number else ""


_VALUE = {
    "linkage": _spelling("linkage", "external"),
    "dso_local": _flag("is_dso_local", "dso_local"),
    "visibility": _spelling("visibility", "default"),
    "dll_storage_class": _spelling("dll_storage_class"),
    "thread_local": _spelling("thread_local_mode"),
    "unnamed_addr": _spelling("unnamed_address"),
    "partition": _text("partition"),
}
_OBJECT = _VALUE | {
    "address_space": _address_space,
    "section": _text("section"),
    "comdat": _comdat,
    "alignment": _text("alignment"),
}
_VARIABLE = _OBJECT | {
    "externally_initialized": _flag("is_externally_initialized", "externally_initialized"),
    "code_model": _spelling("code_model"),
    "no_sanitize_address": _flag("no_sanitize_address"),
    "no_sanitize_hwaddress": _flag("no_sanitize_hwaddress"),
    "sanitize_memtag": _flag("sanitize_memtag"),
    "sanitize_address_dyninit": _flag("sanitize_address_dyninit"),
}
_FUNCTION = _OBJECT | {
    "cc": _calling_convention,
    "gc": _text("garbage_collector"),
    "prefix": _held("prefix_data", "prefix"),
    "prologue": _held("prologue_data", "prologue"),
    "personality": _held("personality", "personality"),
}
"""Our text of each field, "" if there is nothing to say."""


def differences_of_heads(ours: list[Head], theirs: list[Head]) -> Iterator[Difference]:
    """Yield what two lists of heads say differently."""
    if len(ours) != len(theirs):
        yield Difference((), "number of globals", len(ours), len(theirs))
    for index, (our_head, their_head) in enumerate(zip(ours, theirs, strict=False)):
        place = (f"global {index} {their_head.name}".rstrip(),)
        for field in ("kind", "name"):
            if getattr(our_head, field) != getattr(their_head, field):
                yield Difference(place, field, getattr(our_head, field), getattr(their_head, field))
        for field in sorted(our_head.fields.keys() | their_head.fields.keys()):
            if our_head.fields.get(field) != their_head.fields.get(field):
                yield Difference(place, field, our_head.fields.get(field), their_head.fields.get(field))
