"""`bitcodec as`: bitcode of LLVM assembly, as `llvm-as` makes it."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.inputs import assembled, read
from bitcodec.cli.outputs import output_option, write
from bitcodec.cli.problems import Failure, UsageError, warn
from bitcodec.containers import FileKind, detect, is_assembly
from bitcodec.containers.other_files import explain

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

__all__ = ["as_"]

_HEAD_SIZE = 1 << 12
"""How much of a file is searched for NUL, which text does not contain."""
_64_BIT = 0x0100_0000
_CPU_TYPES = (
    ("x86_64h?|amd64", 7 | _64_BIT),
    ("i[3-9]86", 7),
    ("(?:powerpc|ppc)", 18),
    ("(?:powerpc|ppc)64", 18 | _64_BIT),
    ("arm(?!64).*|thumb.*", 12),
)
"""Types of processors in wrappers, as Mach-O numbers them, as far as LLVM states them."""


@command(short_help="Assemble LLVM assembly into bitcode, like llvm-as.", name="as")
@argument("file", or_standard_input=True)
@option(
    "--dialect",
    metavar="N",
    help="The LLVM that wrote the text, such as 7 or 3.4; 22 refuses old forms.  Default: what the text shows.",
)
@option("--data-layout", metavar="LAYOUT", help="Data layout of the module.  Default: the layout in the text.")
@option("--no-verify", is_flag=True, help="Write a module that breaks rules of LLVM IR, too.")
@output_option
def as_(file: str, output: str, dialect: str | None, data_layout: str | None, *, no_verify: bool) -> None:
    """Write the LLVM assembly in FILE as bitcode of LLVM 22.

    The text is in LLVM 22's syntax. Old intrinsics, attributes and module flags are upgraded as llvm-as does.  Text of
    LLVM 3.0 and later with typed pointers and other old forms is upgraded as LLVM 22 upgrades bitcode of that time.

    Entries of ThinLTO summaries are written as llvm-as writes them: the summary of the module, or an index of several
    modules if the text has no functions and variables.  Module hashes are written in an index only.

    Other commands that take a module take text, too.

    Bitcode for Apple's systems is written in a wrapper header.

    A module that breaks rules of LLVM's verifier is not written; every violation is printed as llvm-as prints it.  If
    only debug information breaks rules, it is left out, with a warning.

    An error names file, line and column, and shows the line, in the words of llvm-as.

    Without FILE, standard input is read, unless it is a terminal.

    \b
    Examples:
      bitcodec as module.ll -o module.bc
      bitcodec as module.ll -o - | bitcodec verify -
      bitcodec as old.ll --dialect 3.4 -o new.bc
      bitcodec dis module.bc | sed s/i32/i64/ | bitcodec as - -o changed.bc
    """
    data = read(file, may_be_empty=True)  # for LLVM, an empty text is an empty module
    is_binary = b"\0" in bytes(data[:_HEAD_SIZE]) and not is_assembly(data, file)
    if is_binary or detect(data) is not FileKind.UNKNOWN:
        raise Failure(f"{file}: {explain(data) or 'expected LLVM assembly'}")
    try:
        check = None if no_verify else partial(_require_sound, file)
        bitcode = assembled(file, data, dialect, check, data_layout)
    except ValueError as error:
        raise UsageError(str(error)) from None
    write(output, _wrapped(bitcode))


def _wrapped(bitcode: bytes) -> bytes:
    """Return bitcode in the wrapper that Apple's tools expect, if it is for one of their systems."""
    from bitcodec.bitcode.loading import loads  # noqa: PLC0415 - `--help` need not wait for the model
    from bitcodec.bitstream.wrapper import Wrapper, wrapped  # noqa: PLC0415
    from bitcodec.symbols.targets import TripleTarget  # noqa: PLC0415

    target = TripleTarget.of(loads(bitcode).target_triple)
    if not (target.is_darwin or target.environment.endswith("macho")):
        return bitcode
    found = (number for pattern, number in _CPU_TYPES if re.fullmatch(pattern, target.architecture))
    return wrapped(bitcode, next(found, Wrapper.UNKNOWN_CPU))


def _require_sound(path: str, module: Module) -> None:
    """Take out debug information that breaks rules, as llvm-as does; refuse a module that breaks others.

    Raises:
        BrokenModule: it breaks a rule.
    """
    from bitcodec.cli.findings import BrokenModule, is_broken, print_findings  # noqa: PLC0415 - `--help` need not wait for it
    from bitcodec.transforms.debug_info import strip_debug_info  # noqa: PLC0415 - few modules need it
    from bitcodec.verifier import verify  # noqa: PLC0415

    findings = verify(module)
    if findings and not is_broken(findings):
        print_findings(module, findings)
        warn(f"ignoring invalid debug info in {module.identifier}")
        strip_debug_info(module)
        # Debug information that other metadata refers to remains.
        findings = verify(module)
    if findings:
        raise BrokenModule(f"{path}: assembly parsed, but does not verify as correct!", module, findings)
