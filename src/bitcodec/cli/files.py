"""Files that a command takes one after another: an error in one does not keep it from the others."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bitcodec.cli.problems import Failure, NoBitcode, note
from bitcodec.cli.progress import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Files"]


class Files:
    """Files that the user names.

    Args:
        paths: the files.
        passes_over_native: whether an object or archive without bitcode is counted and passed over, for commands that
            take whatever a linker takes; otherwise it is an error.

    Attributes:
        has_failed: whether one of them could not be read.
    """

    def __init__(self, paths: Sequence[str], *, passes_over_native: bool = False) -> None:
        self.has_failed = False
        self._paths = paths
        self._passes_over_native = passes_over_native
        self._native = 0

    def each(self, use: Callable[[str], object], title: str = "reading") -> None:
        """Call a function for each file; a `Failure` that it raises is shown."""
        for path in counted(title, self._paths):
            try:
                use(path)
            except NoBitcode as failure:
                self._native += 1
                if not self._passes_over_native:
                    self.fail(failure)
            except Failure as failure:
                self.fail(failure)

    def finish(self, *, is_found: bool = False, trouble: int = Failure.exit_code) -> None:
        """Exit if a file could not be read, or if the answer of the command is yes, with code 1.

        Args:
            is_found: whether the command found a match.
            trouble: exit code if a file could not be read.
        """
        if self._passes_over_native and self._native:
            if self._native == len(self._paths):
                self.fail(Failure("expected bitcode in the files, found none"))
            else:
                sys.stdout.flush()
                note(f"passed over {self._native} of {len(self._paths)} files: they hold no bitcode")
        if self.has_failed or is_found:
            raise SystemExit(trouble if self.has_failed else 1)

    def fail(self, failure: Failure) -> None:
        """Show a failure, and go on."""
        failure.show()
        self.has_failed = True
