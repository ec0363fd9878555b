"""`bitcodec completion`: the script that has a shell complete commands, options and files."""

from __future__ import annotations

from bitcodec.cli.declaring import WordChoice, argument, command
from bitcodec.cli.outputs import print_text

__all__ = ["completion"]

_PROGRAM = "bitcodec"
_SHELLS = ("bash", "zsh", "fish")


@command(short_help="Print a completion script for bash, zsh or fish.")
@argument("shell", type=WordChoice(_SHELLS))
def completion(shell: str) -> None:
    """Print the script with which SHELL completes commands, options, their values, and names of files.

    \b
      bash  add to ~/.bashrc:      eval "$(bitcodec completion bash)"
      zsh   add to ~/.zshrc:       eval "$(bitcodec completion zsh)"
      fish  write it once to a file that fish reads:
            bitcodec completion fish > ~/.config/fish/completions/bitcodec.fish

    zsh needs `autoload -Uz compinit && compinit` in front of that line; bash needs version 4.4 or later.

    \b
    Examples:
      eval "$(bitcodec completion bash)"
      bitcodec completion zsh > ~/.zfunc/_bitcodec
    """
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - only here

    found = get_completion_class(shell)
    assert found is not None, "click knows each of these shells"  # noqa: S101
    script = found.source_template % found(None, {}, _PROGRAM, f"_{_PROGRAM.upper()}_COMPLETE").source_vars()  # type: ignore[arg-type]  # the command is not used
    print_text(f"{script.strip()}\n")
