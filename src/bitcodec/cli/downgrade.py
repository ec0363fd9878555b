"""`bitcodec downgrade`: a module for an older version of LLVM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import IntRange, WordChoice, argument, command, option
from bitcodec.cli.doctor import PROFILES
from bitcodec.cli.inputs import reported_in
from bitcodec.cli.json_documents import json_option, schema_name
from bitcodec.cli.outputs import STANDARD_OUTPUT, output_option, write, write_text
from bitcodec.cli.problems import UsageError, warn
from bitcodec.cli.progress import shown_while
from bitcodec.cli.rewriting import only_module
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from bitcodec import Loss

__all__ = ["downgrade"]

_OLDEST, _NEWEST = 4, 22
"""The versions that bitcode can be written for; a test compares them with the library's."""


@command(short_help="Write a module for an older version of LLVM.")
@argument("file")
@option(
    "--llvm",
    "version",
    type=IntRange(_OLDEST, _NEWEST),
    metavar="N",
    help=f"Major version of the LLVM that reads the output: {_OLDEST} to {_NEWEST}.",
)
@option(
    "--for",
    "profile",
    type=WordChoice(PROFILES),
    metavar="READER",
    help=f"Reader with rules of its own, instead of --llvm: {', '.join(PROFILES)}.",
)
@output_option
@option("--strict", is_flag=True, help="Fail if anything is lost.")
@option("--report", metavar="FILE", help="List what LLVM N lacks in FILE; - is standard output.")
@json_option
def downgrade(
    file: str,
    version: int | None,
    profile: str | None,
    output: str,
    report: str | None,
    *,
    strict: bool,
    as_json: bool,
) -> None:
    """Write the module in FILE as bitcode that LLVM N, or another reader, reads.

    Constructs that LLVM N lacks are lowered to others with the same meaning, or dropped if the meaning does not need
    them: flags and attributes for optimizations, details of debug information.  A module that needs something else of a
    newer LLVM is refused, and nothing is written.  --report lists each construct with the function that has it, the
    first LLVM that has the construct, and an example.  --json alone prints the report to standard output.

    --for names a reader that takes an older LLVM's bitcode with further rules.  nvvm is libNVVM of CUDA 12, which
    compiles NVVM IR (LLVM 7) to PTX: kernels become annotated functions, and constructs that libNVVM lacks are lowered.
    spirv-N is the translator llvm-spirv of LLVM N.

    \b
    Examples:
      bitcodec downgrade module.bc --llvm 16 -o old.bc
      bitcodec downgrade module.bc --llvm 16 -o old.bc --report -
      bitcodec downgrade module.bc --llvm 19 --strict -o - | llvm-dis-19
      bitcodec downgrade module.bc --llvm 15 -o old.bc --json | jq '.losses[].construct'
      bitcodec downgrade kernels.bc --for nvvm -o nvvm.bc
    """
    if (version is None) == (profile is None):
        raise UsageError("give either --llvm N or --for READER")
    if as_json and report is None:
        report = STANDARD_OUTPUT
    if report == output == STANDARD_OUTPUT:
        raise UsageError("the module and the report cannot both be written to standard output")
    losses: list[Loss] = []
    target = _Target(version, profile)
    data = _downgraded(file, target, losses, strict=strict)
    write(output, data)
    if report is not None:
        write_text(
            report, [_document(file, target, losses)] if as_json else (one_line(str(each)) + "\n" for each in losses)
        )
    else:
        _announce(file, target, losses)


class _Target(NamedTuple):
    """The reader that a module is written for: a version or a profile."""

    version: int | None
    profile: str | None


_ANNOUNCED = {
    "dropped": "{constructs} dropped for {reader}; --report - lists each place",
    "kept": "code generators of {reader} do not know {constructs}; --report - lists each place",
}
"""By action, the warning that a user should see without a report."""


def _announce(file: str, target: _Target, losses: list[Loss]) -> None:
    """Warn of constructs that are lost, or that only readers accept."""
    reader = target.profile or f"LLVM {target.version}"
    for action, message in _ANNOUNCED.items():
        found = sorted({loss.construct for loss in losses if loss.action == action})
        others = f" and {len(found) - 1} more" if len(found) > 1 else ""
        if found:
            warn(f"{file}: {message.format(constructs=found[0] + others, reader=reader)}")


def _downgraded(file: str, target: _Target, losses: list[Loss], *, strict: bool) -> bytes:
    from bitcodec.bitcode.saving import NEWEST_VERSION, dumps  # noqa: PLC0415 - `--help` need not wait for the writer

    opened = only_module(file)
    with reported_in(file, opened.found), shown_while("writing"):
        return dumps(
            opened.module,
            llvm_version=target.version or NEWEST_VERSION,
            profile=target.profile,
            is_strict=strict,
            on_loss=losses.append,
        )


def _document(file: str, target: _Target, losses: list[Loss]) -> str:
    import json  # noqa: PLC0415 - few runs need it

    content: dict[str, Any] = {
        "schema": schema_name("downgrade"),
        "file": file,
        "llvm_version": target.version,
        "profile": target.profile,
        "losses": [_as_json(loss) for loss in losses],
    }
    return json.dumps(content, indent=2) + "\n"


def _as_json(loss: Loss) -> dict[str, Any]:
    return {
        "construct": loss.construct,
        "since": loss.since or None,
        "action": loss.action,
        "instead": loss.instead,
        "place": loss.place,
        "count": loss.occurrences,
        "example": loss.example,
    }
