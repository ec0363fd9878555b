"""Sentences of errors, which keep the reason that they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol, Self

    class _Identity(Protocol):
        """A member of `Reason`, which is above this module: errors have sentences, and most programs meet none."""

        @property
        def label(self) -> str: ...


__all__ = ["CUT_OFF", "Sentence"]

CUT_OFF = "; the file seems to be cut off"
"""The likely cause where a stream ends too early."""
_NONE: Mapping[str, int | str] = {}


class Sentence(str):
    """Why something is refused, in words.

    Attributes:
        identity: the reason, None for a text without one.
        parameters: the values in the sentence, by the names that the reason gives them.
        record: the name of the record that is refused, "" if the sentence is not about one.
    """

    __slots__ = ("_file", "identity", "parameters", "record")

    identity: _Identity | None
    parameters: Mapping[str, int | str]
    record: str
    _file: str

    def __new__(
        cls,
        text: str,
        identity: _Identity | None = None,
        parameters: Mapping[str, int | str] = _NONE,
        record: str = "",
        file: str = "",
    ) -> Self:
        """Make a sentence; `file` is the beginning of the text that names the file."""
        made = super().__new__(cls, text)
        made.identity, made.parameters, made.record, made._file = identity, parameters, record, file
        return made

    @property
    def name(self) -> str:
        """The name of the reason as users see it, like `no-value`; "" without one."""
        return self.identity.label if self.identity is not None else ""

    @property
    def bare(self) -> Sentence:
        """The sentence without the name of the file, and without a guess at the cause."""
        text = self.removeprefix(self._file).removesuffix(CUT_OFF)
        return Sentence(text, self.identity, self.parameters, self.record)

    def about(self, record: str) -> Sentence:
        """Return the sentence with the name of the record in front."""
        return Sentence(f"{record} record: {self}", self.identity, self.parameters, record)

    def in_file(self, name: str) -> Sentence:
        """Return the sentence with the name of the file in front."""
        prefix = f"{name}: "
        return Sentence(prefix + self, self.identity, self.parameters, self.record, prefix + self._file)
