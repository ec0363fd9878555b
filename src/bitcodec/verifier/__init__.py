"""Checks a module against the rules of LLVM IR that LLVM's own verifier checks, with its messages.

>>> import bitcodec
>>> from bitcodec.verifier import verify
>>> module = bitcodec.open("examples/hello.bc")
>>> verify(module)
[]

Reading checks little of this: a file that can be read may contain code that makes no sense, and so may a module that
was changed.  Tables contain the rules, one file for each subject; `verify` checks functions, globals and metadata, each
once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.host.collection import without_collection
from bitcodec.ir.findings import Finding, VerificationError
from bitcodec.ir.module_flags import MODULE_FLAGS
from bitcodec.verifier.aliases import check_alias, check_comdat, check_ifunc
from bitcodec.verifier.control_intrinsics import check_deoptimizers
from bitcodec.verifier.functions import check_function
from bitcodec.verifier.globals import check_variable
from bitcodec.verifier.module_flags import check_module_flags
from bitcodec.verifier.named_metadata import check_entries, check_named_metadata, check_tags_of_errno, check_units
from bitcodec.verifier.verifier import Verifier

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

__all__ = ["Finding", "VerificationError", "check", "verify"]


def verify(module: Module) -> list[Finding]:
    """Return the violated rules of LLVM IR in a module, in the order of LLVM's verifier; empty for a valid module.

    As in LLVM, only the first broken rule of each table is reported for an object.  The whole module is read.

    Raises:
        BitcodecError: something in the module is malformed.
    """
    with without_collection():
        module.materialize()
        return _findings(module)


def _findings(module: Module) -> list[Finding]:
    verifier = Verifier(module)
    for function in module.functions:
        check_function(function, verifier)
    verifier.frames.check(verifier)
    for variable in module.global_variables:
        check_variable(variable, verifier)
    for alias in module.aliases:
        check_alias(alias, verifier)
    for ifunc in module.ifuncs:
        check_ifunc(ifunc, verifier)
    for named in module.named_metadata.values():
        check_named_metadata(named, verifier)
    for comdat in module.comdats.values():
        check_comdat(comdat, verifier)
    flags = module.named_metadata.get(MODULE_FLAGS)
    if flags is not None:
        check_module_flags(flags, verifier)
    check_entries(verifier)
    check_tags_of_errno(verifier)
    check_units(verifier)
    check_deoptimizers(verifier)
    return verifier.findings


def check(module: Module) -> None:
    """Do nothing if a module keeps to the rules of LLVM IR.

    Raises:
        VerificationError: it does not; the error has all findings.
        BitcodecError: something in the module is malformed.
    """
    findings = verify(module)
    if findings:
        raise VerificationError(findings)
