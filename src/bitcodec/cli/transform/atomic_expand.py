"""`bitcodec transform atomic-expand`: atomic instructions as code that a target supports."""

from __future__ import annotations

import sys

from bitcodec.cli.declaring import IntRange, argument, command, option
from bitcodec.cli.inputs import label
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure
from bitcodec.cli.rewriting import encode, modules_to_change, place_options, require_one_place, write_changed
from bitcodec.printing import one_line

__all__ = ["atomic_expand"]


@command(short_help="Lower atomic instructions for a target.")
@argument("file")
@place_options
@option("--target", "triple", metavar="TRIPLE", default="", help="Target triple. Default: that of the module.")
@option("--cpu", metavar="NAME", default="", help="Processor for functions without a known target-cpu: haswell.")
@option("--features", metavar="LIST", default="", help="Features to add or remove: +lse,-cx16.")
@option(
    "--codegen-opt-level",
    "level",
    type=IntRange(0, 3),
    default=2,
    show_default=True,
    help="Optimization level of code generation; at 0, some targets use no LL/SC.",
)
def atomic_expand(
    file: str, output: str | None, triple: str, cpu: str, features: str, level: int, *, in_place: bool
) -> None:
    """Write the module in FILE with its atomic instructions expanded, as `opt -passes=atomic-expand` of LLVM 22 does.

    An operation that the target does not support becomes a loop of `cmpxchg` or of load-linked and store-conditional,
    an access of a word with a mask, or a call of `__atomic_*`; ordered accesses get barriers.  All instructions that
    replace an instruction get its `!pcsections`, except library calls.

    Targets are x86, AArch64, Arm, RISC-V, PowerPC of 64 bits, MIPS, SPARC, SystemZ, LoongArch, Hexagon, WebAssembly,
    BPF, NVPTX, AMDGPU, Xtensa, M68k, AVR, MSP430, Lanai and XCore.  --cpu and --features are written into each
    function, as `opt -mcpu` and `-mattr` write them.

    \b
    Examples:
      bitcodec transform atomic-expand module.bc -o expanded.bc
      bitcodec transform atomic-expand module.bc --target aarch64-linux-gnu --features +lse -o - | bitcodec dis -
      bitcodec transform atomic-expand lib.a --in-place
    """
    from bitcodec.transforms import expand_atomics  # noqa: PLC0415 - `--help` need not wait for it

    require_one_place(file, output, in_place=in_place)
    features_changed = [change for change in features.split(",") if change]
    changed, count = [], 0
    for opened in modules_to_change(file, in_place=in_place):
        module = opened.module
        try:
            count += expand_atomics(module, triple, processor=cpu, features=features_changed, is_optimized=level > 0)
        except ValueError as error:
            raise Failure(f"{label(file, opened.found.path)}: {error}") from error
        changed.append((opened, encode(opened)))
    write_changed(changed, output)
    if sys.stderr.isatty():
        echo(one_line(f"{file}: {count:,} atomic instructions"), err=True)
