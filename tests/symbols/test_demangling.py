"""Demangled names: which demangler a name is for, and LLVM's own tools as the measure."""

from __future__ import annotations

import subprocess
import sys

import pytest

from answers import ask
from bitcodec.symbols import demangling
from bitcodec.symbols.demangling import MissingDemanglerError, demangle, is_mangled

NAMES = {
    "_ZN5queue4pushEi": "queue::push(int)",
    "_ZNK1S1mEv.llvm.12": "S::m() const (.llvm.12)",
    "__ZN5queue4pushEi": "queue::push(int)",
    "\x01__ZN5queue4pushEi": "queue::push(int)",
    "._ZN5queue4pushEi": ".queue::push(int)",
    "___Z3foov_block_invoke": "invocation function for block in foo()",
    "_ZN4core3fmt9Formatter3new17h0123456789abcdefE": "core::fmt::Formatter::new::h0123456789abcdef",
    "_RNvC6_123foo3bar": "123foo::bar",
    "__RNvC6_123foo3bar": "123foo::bar",
    "?foo@ns@@YAHH@Z": "int __cdecl ns::foo(int)",
}
PLAIN = ["", "main", "_main", "_Zebra", "_Run", "?", "_Z", "..", "_Z3fo\udcff", "_Z3fo\x00o", "llvm.memcpy.p0.p0.i64"]


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    pytest.importorskip("pycxxfilt")
    assert is_mangled(name)
    assert demangle(name) == NAMES[name]


@pytest.mark.parametrize("name", PLAIN)
def test_names_that_are_not_mangled(name: str) -> None:
    pytest.importorskip("pycxxfilt")
    assert demangle(name) is None


def test_names_that_are_not_mangled_need_no_library() -> None:
    code = "import sys; sys.modules['pycxxfilt'] = None; from bitcodec.symbols.demangling import demangle\n"
    code += "print(demangle('main'))\ntry: demangle('_Z3foov')\nexcept Exception as error: print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"None\n{MissingDemanglerError()}\n"
    assert "pip install 'bitcodec[demangle]'" in done.stdout


def test_the_library_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demangling, "_demanglers", lambda: None)
    assert not demangling.has_demangler()
    with pytest.raises(MissingDemanglerError):
        demangling.require_demangler()


def test_names_are_those_of_llvm_cxxfilt() -> None:
    pytest.importorskip("pycxxfilt")
    # It leaves names of Microsoft's compiler, and those of Rust with an underscore in front, alone.
    names = [name for name in NAMES if not name.startswith(("?", "\x01", "__R"))]
    theirs = ask(["llvm-cxxfilt-22", *names], text=True, check=True).stdout.splitlines()
    assert [demangle(name) for name in names] == theirs
