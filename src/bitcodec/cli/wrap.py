"""`bitcodec wrap`: put a wrapper around a bitstream."""

from __future__ import annotations

from bitcodec.bitstream import Wrapper
from bitcodec.cli.declaring import IntRange, argument, command, option
from bitcodec.cli.inputs import streams
from bitcodec.cli.outputs import output_option, write
from bitcodec.cli.problems import Failure, UsageError, reported

__all__ = ["wrap"]

_CPU_TYPES = {
    "unknown": Wrapper.UNKNOWN_CPU,
    "x86": 7,
    "x86_64": 0x0100_0007,
    "arm": 12,
    "arm64": 0x0100_000C,
    "ppc": 18,
    "ppc64": 0x0100_0012,
}
"""As Mach-O numbers them (docs/reference/records.md, 1.1)."""


@command(short_help="Add a wrapper header.")
@argument("file")
@output_option
@option(
    "--cpu",
    default="unknown",
    show_default=True,
    metavar="NAME|NUMBER",
    help=f"CPU type: {', '.join(_CPU_TYPES)}, or a number.",
)
@option(
    "--align",
    default=16,
    show_default=True,
    type=IntRange(1, 1 << 20),
    metavar="BYTES",
    help="Pad the file with zeros to a multiple of this, as Apple's tools do to 16.",
)
def wrap(file: str, output: str, cpu: str, align: int) -> None:
    """Put the 20-byte wrapper header (magic 0x0B17C0DE) around the bitstream in FILE.

    \b
    Examples:
      bitcodec wrap module.bc -o wrapped.bc --cpu arm64
      bitcodec wrap - -o - < module.bc > wrapped.bc
    """
    cpu_type = _cpu_type(cpu)
    found = streams(file)
    if len(found) > 1:
        raise Failure(f"{file}: there are {len(found)} bitstreams; `bitcodec extract` takes them apart")
    stream = found[0].stream
    if stream.wrapper:
        raise Failure(f"{file}: the bitstream has a wrapper already; `bitcodec unwrap` takes it off")
    with reported(file):
        wrapped = Wrapper(len(stream.payload), cpu_type=cpu_type).encode() + bytes(stream.payload)
    write(output, wrapped + bytes(-len(wrapped) % align))


def _cpu_type(text: str) -> int:
    if text in _CPU_TYPES:
        return _CPU_TYPES[text]
    try:
        number = int(text, 0)
    except ValueError:
        number = -1
    if not 0 <= number <= Wrapper.UNKNOWN_CPU:
        raise UsageError(f"Invalid value for --cpu: {text!r} is not one of {', '.join(_CPU_TYPES)}, nor 32 bits")
    return number
