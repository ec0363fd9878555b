"""`bitcodec unwrap`: take the bitstream out of its wrapper."""

from __future__ import annotations

from bitcodec.cli.declaring import argument, command
from bitcodec.cli.inputs import streams
from bitcodec.cli.outputs import output_option, write
from bitcodec.cli.problems import Failure

__all__ = ["unwrap"]


@command(short_help="Remove a wrapper header.")
@argument("file")
@output_option
def unwrap(file: str, output: str) -> None:
    """Write the bitstream in FILE without its wrapper, and without the padding after it.

    \b
    Examples:
      bitcodec unwrap wrapped.bc -o module.bc
      bitcodec unwrap wrapped.bc -o - | llvm-dis
    """
    found = streams(file)
    if len(found) > 1:
        raise Failure(f"{file}: there are {len(found)} bitstreams; `bitcodec extract` takes them apart")
    if not found[0].stream.wrapper:
        raise Failure(f"{file}: the bitstream has no wrapper")
    write(output, found[0].stream.payload)
