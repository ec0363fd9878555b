"""Two readers of bitcode behind one face, so that one test asks both: ours, and LLVM 22's for the truth of the test."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pytest

import bitcodec
from bitcode.streams import llvm_dis, llvm_dis_error

from . import bitcodec_view, llvmlite_view
from .goldens import Head, heads_of_module, heads_of_text, unescaped
from .views import ModuleView

_MODULE_ASM = re.compile(r'^module asm (".*")$', re.MULTILINE)
_RETURN_ATTRIBUTES = re.compile(r"^(?:declare|define) (.*?)(?:ptr|i\d+|void) @", re.MULTILINE)
_FUNCTION_ATTRIBUTES = re.compile(r"^; Function Attrs: (.*)$", re.MULTILINE)
_NAMED_METADATA = re.compile(r"^!([-\w$.]+) = !\{(.*)\}$", re.MULTILINE)
_ATTACHMENT = re.compile(r", !([a-zA-Z][-\w$.]*) !\d+")


class Reader(Protocol):
    """What tests ask of a reader."""

    def heads(self, data: bytes) -> list[Head]:
        """Return the heads of the globals."""

    def view(self, data: bytes) -> ModuleView:
        """Return the view of the whole module."""

    def refuses(self, data: bytes) -> bool:
        """Return whether it refuses the module, in words."""

    def module_asm(self, data: bytes) -> list[str]:
        """Return the lines of the module's assembly text."""

    def function_attributes(self, data: bytes) -> str:
        """Return the attributes of the first function itself, those that are strings left out."""

    def return_attributes(self, data: bytes) -> str:
        """Return the attributes of what the first function returns."""

    def named_metadata(self, data: bytes) -> dict[str, int]:
        """Return how many nodes each named metadata has."""

    def attachments(self, data: bytes) -> list[str]:
        """Return the kinds of metadata attached to the instructions, in order."""


class Ours:
    """bitcodec."""

    def heads(self, data: bytes) -> list[Head]:
        return heads_of_module(self.module(data))

    def view(self, data: bytes) -> ModuleView:
        return bitcodec_view.view_of(data)

    def refuses(self, data: bytes) -> bool:
        try:
            self.view(data)
        except bitcodec.BitcodecError as error:
            return str(error) != ""
        return False

    def module_asm(self, data: bytes) -> list[str]:
        return str(self.module(data).module_asm).splitlines()

    def function_attributes(self, data: bytes) -> str:
        attributes = self.module(data).functions[0].attributes.for_function
        return " ".join(text for text in map(str, attributes) if not text.startswith('"'))

    def return_attributes(self, data: bytes) -> str:
        return str(self.module(data).functions[0].attributes.for_return)

    def named_metadata(self, data: bytes) -> dict[str, int]:
        return {name: len(found.operands) for name, found in self.module(data).named_metadata.items()}

    def attachments(self, data: bytes) -> list[str]:
        functions = self.module(data).functions
        return [
            kind for function in functions for instruction in function.instructions for kind in instruction.metadata
        ]

    def module(self, data: bytes) -> Any:
        return bitcodec.loads(data, "")


class LLVM:
    """LLVM 22: llvm-dis, and llvmlite for what its text does not tell apart.

    llvmlite's LLVM has its assertions on: what it must not be asked for is asked of llvm-dis.
    """

    def heads(self, data: bytes) -> list[Head]:
        return heads_of_text(llvm_dis(data))

    def view(self, data: bytes) -> ModuleView:
        if not llvmlite_view.is_there():
            pytest.skip("llvmlite is not installed")
        return llvmlite_view.view_of(data)

    def refuses(self, data: bytes) -> bool:
        return llvm_dis_error(data) != ""

    def module_asm(self, data: bytes) -> list[str]:
        return [unescaped(line) for line in _MODULE_ASM.findall(llvm_dis(data))]

    def function_attributes(self, data: bytes) -> str:
        found = _FUNCTION_ATTRIBUTES.search(llvm_dis(data))
        return found[1] if found else ""

    def return_attributes(self, data: bytes) -> str:
        found = _RETURN_ATTRIBUTES.search(llvm_dis(data))
        assert found
        return found[1].strip()

    def named_metadata(self, data: bytes) -> dict[str, int]:
        return {name: nodes.count("!") for name, nodes in _NAMED_METADATA.findall(llvm_dis(data)) if not name.isdigit()}

    def attachments(self, data: bytes) -> list[str]:
        body = llvm_dis(data).partition("{\n")[2].partition("\n}")[0]
        return _ATTACHMENT.findall(body)


READERS = [pytest.param(Ours(), id="bitcodec"), pytest.param(LLVM(), id="LLVM 22")]
