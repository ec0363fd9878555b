"""`bitcodec pcsections compile`: an object file, by LLVM's own code generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.declaring import IntRange, argument, command, option
from bitcodec.cli.outputs import output_option, write
from bitcodec.cli.pcsections.generating import Said, generator_options
from bitcodec.cli.problems import reported
from bitcodec.cli.rewriting import only_module

if TYPE_CHECKING:
    from bitcodec.pcsections.codegen.compiling import OptLevel

__all__ = ["compile"]


@command(short_help="Compile a module to an object file.")
@argument("file")
@output_option
@option("-O", "opt_level", type=IntRange(0, 3), default=2, show_default=True, help="Optimization level.")
@generator_options
def compile(  # noqa: A001 - the name of the command
    file: str,
    output: str,
    opt_level: OptLevel,
    code_model: str | None,
    relocation_model: str | None,
    triple: str | None,
    *,
    optimize: bool,
) -> None:
    """Compile the module in FILE to an object file, with its PC sections.

    LLVM's code generator comes with llvmlite: pip install "bitcodec[codegen]".  Requests that would crash it, or that
    the target does not support, are rejected first; `bitcodec pcsections show` lists them all.

    \b
    Examples:
      bitcodec pcsections compile tagged.bc -o tagged.o
      bitcodec pcsections compile tagged.bc -O 0 --target aarch64-linux-gnu -o tagged.o
      bitcodec pcsections compile tagged.bc --code-model large --optimize -o - | bitcodec pcsections decode -
    """
    from bitcodec.pcsections.codegen.compiling import compile_module  # noqa: PLC0415 - `--help` need not wait for it

    opened = only_module(file)
    with reported(file):
        data = compile_module(
            opened.module,
            triple=triple,
            code_model=code_model,
            opt_level=opt_level,
            optimize=optimize,
            relocation_model=relocation_model,
            said=Said(file),
        )
    write(output, data)
