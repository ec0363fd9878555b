"""`bitcodec as`: bitcode of LLVM assembly, as `llvm-as` makes it."""

from __future__ import annotations

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.inputs import assembled, read
from bitcodec.cli.outputs import output_option, write
from bitcodec.cli.problems import Failure, UsageError
from bitcodec.containers import is_assembly

__all__ = ["as_"]


@command(short_help="Make bitcode of LLVM assembly, like llvm-as.", name="as")
@argument("file")
@option(
    "--dialect",
    metavar="N",
    help="The LLVM that wrote the text, such as 7 or 3.4; 22 refuses old forms.  Default: what the text shows.",
)
@output_option
def as_(file: str, output: str, dialect: str | None) -> None:
    """Write the LLVM assembly in FILE as bitcode of LLVM 22.

    The text is that of LLVM 22. Old intrinsics, attributes and module flags are upgraded as llvm-as does it.  Text of
    LLVM 3.0 and later with typed pointers and other old forms becomes what LLVM 22 makes of bitcode of that time.

    Entries of ThinLTO summaries are written as llvm-as writes them: the summary of the module, or an index of several
    modules if the text has no functions and variables.  Module hashes are written in an index only.

    Other commands that take a module take text, too, but for report, table, doctor and pcsections decode.

    An error names file, line and column, and shows the line, in the words of llvm-as.

    \b
    Examples:
      bitcodec as module.ll -o module.bc
      bitcodec as module.ll -o - | bitcodec verify -
      bitcodec as old.ll --dialect 3.4 -o new.bc
      bitcodec dis module.bc | sed s/i32/i64/ | bitcodec as - -o changed.bc
    """
    data = read(file)
    if not is_assembly(data):
        raise Failure(f"{file}: this is no LLVM assembly")
    try:
        bitcode = assembled(file, data, dialect)
    except ValueError as error:
        raise UsageError(str(error)) from None
    write(output, bitcode)
