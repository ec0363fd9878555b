"""A change of the syntax of the IR, and small modules to show it with."""

from __future__ import annotations

from bitcodec.named_tuple import NamedTuple


class Change(NamedTuple):
    """A change of syntax.

    Attributes:
        release: the LLVM in whose release notes it is.
        name: of the change.
        dialect: the last LLVM that wrote the old text, for a new form the first.
        old: the text of that time.
        today: the text of LLVM 22 of the same module.
    """

    release: str
    name: str
    dialect: str
    old: str
    today: str


def body(text: str, parameters: str = "ptr %p") -> str:
    """Return a module of one function that contains an instruction."""
    return f"define void @f({parameters}) {{\n  {text}\n  ret void\n}}\n"


def old_body(text: str) -> str:
    """Return a module of one function with a typed pointer that contains an instruction."""
    return body(text, "i32* %p")


LANDING_PAD = """declare i32 @personality(...)
declare void @g()
define void @f() {own}{{
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %x = landingpad {{ {pointer}, i32 }} {clause}catch {pointer} null
  resume {{ {pointer}, i32 }} %x
}}
"""
