"""`bitcodec as`: bitcode of LLVM assembly, as `llvm-as` makes it."""

from __future__ import annotations

from bitcodec.cli.declaring import argument, command
from bitcodec.cli.inputs import assembled, read
from bitcodec.cli.outputs import output_option, write
from bitcodec.cli.problems import Failure
from bitcodec.containers import is_assembly

__all__ = ["as_"]


@command(short_help="Make bitcode of LLVM assembly, like llvm-as.", name="as")
@argument("file")
@output_option
def as_(file: str, output: str) -> None:
    """Write the LLVM assembly in FILE as bitcode of LLVM 22.

    The text is that of LLVM 22. Old intrinsics, attributes and module flags are upgraded as llvm-as does it.  All other
    commands take text, too.

    An error names file, line and column, and shows the line, in the words of llvm-as.

    \b
    Examples:
      bitcodec as module.ll -o module.bc
      bitcodec as module.ll -o - | bitcodec verify -
      bitcodec dis module.bc | sed s/i32/i64/ | bitcodec as - -o changed.bc
    """
    data = read(file)
    if not is_assembly(data):
        raise Failure(f"{file}: this is no LLVM assembly")
    write(output, assembled(file, data))
