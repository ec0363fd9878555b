"""Compilation of a module to an object file, by LLVM's own code generator from llvmlite.

LLVM aborts the process on unsupported input, so it gets a separate one (`backend`).
"""

from __future__ import annotations

import importlib.util
import json
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bitcodec.bitcode.loading import loads
from bitcodec.bitcode.saving import dumps
from bitcodec.errors import PCSectionsError
from bitcodec.ir.module import Module
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.codegen.lost_nodes import LOST_NODES, without_nodes
from bitcodec.pcsections.encoding.targets import Target
from bitcodec.pcsections.metadata.checking import Severity, check

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CODE_MODELS", "RELOCATION_MODELS", "CodeGenerator", "OptLevel", "compile_module"]

CODE_MODELS = ("small", "kernel", "medium", "large")
"""Code models that llvmlite offers; `tiny` it does not."""
RELOCATION_MODELS = ("static", "pic")

OptLevel = Literal[0, 1, 2, 3]

_BACKEND = Path(__file__).with_name("backend.py")
_DEFAULT = "default"
_ERROR = re.compile(
    r"^(?:LLVM ERROR|(?:.*: )?error|.*: Assertion): *(.*)$|^.*(Assertion `.*' failed)\.?$", re.MULTILINE
)
_PIC_LEVEL = "PIC Level"
_ABI = "target-abi"


def compile_module(
    module: Module | bytes,
    *,
    triple: str | None = None,
    code_model: str | None = None,
    opt_level: OptLevel = 2,
    optimize: bool = False,
    relocation_model: str | None = None,
    cpu: str = "",
    features: str = "",
    said: Callable[[str], object] | None = None,
) -> bytes:
    """Return the object file of a module.

    Needs llvmlite 0.50 or newer: `pip install "bitcodec[codegen]"`.

    Args:
        module: the module, or its bitcode.
        triple: the target, None for the module's own.
        code_model: one of `CODE_MODELS`; None for the one of the module flag `Code Model`, if the processor is that of
            the module, or else the target's.
        opt_level: optimization level of the code generator, 0 to 3.
        optimize: whether LLVM's pass pipeline of that level runs on the module first.
        relocation_model: one of `RELOCATION_MODELS`; None for `pic` if the module flag `PIC Level` requires it, else
            the target's.
        cpu: the processor, "" for any.  Functions that name a processor are compiled for that.
        features: of it, as LLVM spells them: `+a,-b`.
        said: called with each line that LLVM prints, such as warnings.

    Raises:
        PCSectionsError: llvmlite is missing, LLVM refuses the module or cannot compile it, or would crash.
        BitcodecError: the module is malformed.
    """
    if not isinstance(module, Module):
        module = loads(module)
    generator = CodeGenerator.of(
        module, triple=triple, code_model=code_model, relocation_model=relocation_model, cpu=cpu, features=features
    )
    generator.refuse_what_crashes(module)
    return generator.emitted(dumps(module), opt_level, optimize=optimize, said=said)


class CodeGenerator(NamedTuple):
    """LLVM's code generator, for one target.

    Attributes:
        triple: the target.
        target: the facts about it that PC sections depend on, None if it has no PC sections.
        code_model: as llvmlite takes it; so is the rest.
        relocation_model: how code refers to symbols.
        cpu: the processor.
        features: of it.
        abi: name of the ABI, "" for the usual one.
    """

    triple: str
    target: Target | None
    code_model: str
    relocation_model: str
    cpu: str = ""
    features: str = ""
    abi: str = ""

    @classmethod
    def of(
        cls,
        module: Module,
        *,
        triple: str | None = None,
        code_model: str | None = None,
        relocation_model: str | None = None,
        cpu: str = "",
        features: str = "",
    ) -> CodeGenerator:
        """Return the generator for a module; arguments as for `compile_module`.

        Raises:
            PCSectionsError: it is missing.
        """
        if importlib.util.find_spec("llvmlite") is None:
            raise PCSectionsError('llvmlite, which brings LLVM, is not installed: pip install "bitcodec[codegen]"')
        abi = module.flags.get(_ABI) if triple is None else None
        triple = triple or module.target_triple
        if not triple:
            raise PCSectionsError("the module has no target triple: name a target, such as x86_64-linux-gnu")
        target = _target(module, triple, code_model)
        code_model = target.code_model if target else code_model or _DEFAULT
        if code_model not in (*CODE_MODELS, _DEFAULT):
            raise PCSectionsError(f"llvmlite has no code model {code_model}: there are {', '.join(CODE_MODELS)}")
        if relocation_model is None:
            relocation_model = "pic" if module.flags.integer(_PIC_LEVEL) else _DEFAULT
        abi_name = "" if abi is None or abi.string is None else abi.string
        return cls(triple, target, code_model, relocation_model, cpu, features, abi_name)

    def refuse_what_crashes(self, module: Module) -> None:
        """Check the PC sections that a module requests.

        Raises:
            PCSectionsError: LLVM would crash over one, or write an unreadable section.
        """
        errors = [
            problem for problem in check(module, self.target or self.triple) if problem.severity is Severity.ERROR
        ]
        if errors:
            more = f" (and {len(errors) - 1} more: `bitcodec pcsections show` lists them)" if len(errors) > 1 else ""
            raise PCSectionsError(f"{errors[0]}{more}")

    def emitted(
        self, bitcode: bytes, opt_level: OptLevel, *, optimize: bool, said: Callable[[str], object] | None = None
    ) -> bytes:
        """Return the object file of a module's bitcode; arguments as for `compile_module`.

        Raises:
            PCSectionsError: LLVM refuses it, or crashes.
        """
        untried = list(LOST_NODES)
        while True:
            done = self._run(bitcode, opt_level, optimize=optimize)
            text = done.stderr.decode("utf-8", "replace")
            if not done.returncode:
                break
            row = next((row for row in untried if row.mark in text), None)
            if row is None:
                raise PCSectionsError(_reason(text, done.returncode))
            untried.remove(row)
            bitcode, count = without_nodes(bitcode, row.holds)
            if said is not None and count:
                said(f"{count} instructions lose their !pcsections when LLVM selects machine instructions")
        if said is not None:
            for line in text.splitlines():
                said(line)
        return done.stdout

    def _run(self, bitcode: bytes, opt_level: OptLevel, *, optimize: bool) -> subprocess.CompletedProcess[bytes]:
        options = self._asdict() | {"opt_level": opt_level, "optimize": optimize}
        del options["target"]
        command = [sys.executable, "-P", str(_BACKEND), json.dumps(options)]
        return subprocess.run(command, input=bitcode, capture_output=True, check=False)  # noqa: S603 - all is ours


def _target(module: Module, triple: str, code_model: str | None) -> Target | None:
    """Return the facts that PC sections depend on, None for a target without them: the module must not request any.

    Raises:
        PCSectionsError: the target does not have the code model that is requested.
    """
    try:
        machine = Target.of(triple).machine
    except PCSectionsError:
        return None
    if triple == module.target_triple:
        return Target.of_module(module, code_model)
    if code_model is None:
        with suppress(PCSectionsError):
            own = Target.of_module(module)
            code_model = own.code_model if own.machine is machine else None
    return Target.of(triple, code_model)


def _reason(text: str, code: int) -> str:
    """Return one line about LLVM's failure, from its output and the exit code of its process."""
    found = _ERROR.search(text)
    if found is not None:
        return f"LLVM cannot compile it: {found[1] or found[2]}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    end = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return f"LLVM crashed ({end}){': ' + lines[0] if lines else ''}"
