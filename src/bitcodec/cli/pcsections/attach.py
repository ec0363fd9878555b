"""`bitcodec pcsections attach`: PC sections requested, without compiling again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.inputs import label
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure, UsageError, reported
from bitcodec.cli.rewriting import encode, modules_to_change, place_options, require_one_place, write_changed
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.module import Module
    from bitcodec.ir.pcsections import PCSection
    from bitcodec.pcsections.metadata.attaching import Attached

__all__ = ["attach"]

_ORDER = "bitcodec.cli.pcsections.attach.order"


class _InOrder(click.Command):
    """A command that keeps the order of its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the arguments, and note the names of the parameters that they are for."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[_ORDER] = [parameter.name for parameter in order]
        return super().parse_args(ctx, args)


class _Asked(NamedTuple):
    """A section as the options have it: its name, and texts of the constants that follow."""

    spelling: str
    constants: list[str]


@command(passes_context=True, cls=_InOrder, short_help="Request PC sections.")
@argument("file")
@place_options
@option(
    "--select", required=True, multiple=True, metavar="WHAT", help="Instructions and functions to choose; repeatable."
)
@option(
    "--section", "sections", required=True, multiple=True, metavar="NAME[!C]", help="Section to request; repeatable."
)
@option(
    "--aux",
    multiple=True,
    metavar="TYPE:VALUE,...",
    help="Constants that follow each PC in the preceding --section; repeatable.",
)
def attach(
    ctx: click.Context,
    file: str,
    output: str | None,
    select: tuple[str, ...],
    sections: tuple[str, ...],
    aux: tuple[str, ...],
    *,
    in_place: bool,
) -> None:
    """Let chosen instructions and functions of the module in FILE request PC sections.

    WHAT is a list, separated by commas, of: `functions`; `loads`, `stores`, `calls`, `atomics` or `all` instructions;
    an opcode such as `fence`; the name of a function, for its entry; or FUNCTION:loads and so on.  `@` marks the name
    of a function.

    `!C` compresses integers of 2 to 8 bytes and sizes of functions.  Types are i1 to i8388607, half, float, double,
    ..., and ptr with the values null and @NAME.  Existing requests are kept.

    \b
    Examples:
      bitcodec pcsections attach module.bc --select atomics --section hot -o tagged.bc
      bitcodec pcsections attach module.bc --select functions,main:loads --section 'cold!C' --aux i32:7,i64:-1 -o out.bc
      bitcodec pcsections attach lib.a --select atomics --section hot --in-place
      bitcodec pcsections attach module.bc --select @load --section a --aux i8:1 --section b --aux ptr:@table -o -
    """
    require_one_place(file, output, in_place=in_place)
    asked = _in_order(ctx.meta[_ORDER], sections, aux)
    changed, counts = [], [0, 0]
    for opened in modules_to_change(file, in_place=in_place, reads_all=False):
        with reported(label(file, opened.found.path)):
            attached = _attach(opened.module, select, asked)
        counts = [sum(each) for each in zip(counts, attached, strict=True)]
        changed.append((opened, encode(opened)))
    if not any(counts):
        listing = _listing(changed[0][0].module)
        raise Failure(f"{file}: nothing in the module is {','.join(select)}; there are {listing}")
    write_changed(changed, output)
    _report(counts, asked)


def _in_order(order: Iterable[str | None], sections: Iterable[str], aux: Iterable[str]) -> list[_Asked]:
    """Return the sections, each with the constants that were named behind it."""
    spellings, texts = iter(sections), iter(aux)
    asked: list[_Asked] = []
    for name in order:
        if name == "sections":
            asked.append(_Asked(next(spellings), []))
        elif name == "aux":
            if not asked:
                raise UsageError("--aux adds constants to the section named before it: give --section first")
            asked[-1].constants.append(next(texts))
    return asked


def _section(asked: _Asked, module: Module) -> PCSection:
    from bitcodec.pcsections import PCSection  # noqa: PLC0415 - `--help` need not wait for it
    from bitcodec.pcsections.metadata.constant_text import constants_of_text  # noqa: PLC0415

    return PCSection.of(asked.spelling, *(constants_of_text(text, module) for text in asked.constants))


def _attach(module: Module, select: tuple[str, ...], asked: Iterable[_Asked]) -> Attached:
    from bitcodec.pcsections.metadata.attaching import attach as attach_to  # noqa: PLC0415

    return attach_to(module, ",".join(select), [_section(each, module) for each in asked])


def _listing(module: Module) -> str:
    from bitcodec.pcsections.metadata.selecting import listing_of  # noqa: PLC0415

    return listing_of(module)


def _report(counts: Iterable[int], asked: Iterable[_Asked]) -> None:
    """Print on standard error how many functions and instructions request the sections now."""
    parts = zip(counts, ("function", "instruction"), strict=True)
    words = " and ".join(f"{count:,} {word}{'s' * (count != 1)}" for count, word in parts if count)
    echo(one_line(f"{words}: {', '.join(each.spelling for each in asked)}"), err=True)
