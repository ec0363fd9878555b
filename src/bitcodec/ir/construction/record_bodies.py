"""Bodies written directly from the records that they would be read from.

Such a body is read on first access to a part of it.  Until then it is a user of the constants of the module that
its records name, so that these can be replaced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from bitcodec.ir.lazy import Deferred, DeferredStep
from bitcodec.ir.metadata import ValueAsMetadata
from bitcodec.ir.values import User

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.constants import Constant
    from bitcodec.ir.functions import Function
    from bitcodec.ir.lazy import MaterializationLock
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.module import Module
    from bitcodec.ir.sources import UseOrders

__all__ = ["RecordBody", "drop_records", "expect_record_bodies", "keep_records", "record_bodies", "record_body"]


class _Holder(User):
    """User that represents a body that has not been read."""

    __slots__ = ()


class RecordBody(Deferred[None]):
    """A body that is written from its records unless it is read before.

    Attributes:
        function: the function.
        metadata: the metadata that its records name.
    """

    __slots__ = ("_holder", "_lock", "_wrappers", "function", "metadata")

    holds_metadata: ClassVar[bool] = False

    def __init__(self, function: Function, metadata: Sequence[Metadata], lock: MaterializationLock) -> None:
        self.function = function
        self.metadata = metadata
        self._lock = lock
        self._wrappers = [part for part in metadata if isinstance(part, ValueAsMetadata)]
        self._holder = _Holder(function.type, ())

    @property
    def lock(self) -> MaterializationLock:
        """The lock of the context."""
        return self._lock

    @property
    def is_whole(self) -> bool:
        """Whether all values that its metadata wraps are still there."""
        return all(wrapper.value is not None for wrapper in self._wrappers)

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The constants of the module that its records name, after replacements."""
        return cast("tuple[Constant, ...]", self._holder.operands)

    def hold(self, constants: Sequence[Constant]) -> None:
        """Be a user of these constants, and of no others."""
        self._holder._set_operands(constants)


def record_body(function: Function) -> RecordBody | None:
    """Return the body of a function that is written from its records, None if it has been or must be read."""
    body = function._unread_body
    return body if isinstance(body, RecordBody) else None


def record_bodies(module: Module) -> Iterator[RecordBody]:
    """Yield all such bodies of a module, in order."""
    for function in module.functions:
        body = function._unread_body
        if isinstance(body, RecordBody):
            yield body


def keep_records(function: Function, body: RecordBody) -> None:
    """Let the body of a function stay unread: its metadata has been read."""
    function._unread_body = body
    function._body_metadata = None


def drop_records(function: Function) -> None:
    """Release the body of a function, if it is records."""
    body = record_body(function)
    if body is not None:
        body.hold(())
        function._unread_body = None


def expect_record_bodies(module: Module, orders: UseOrders) -> None:
    """Let a module read such bodies when users of something are requested.

    Args:
        module: the module.
        orders: puts the uses in an order that does not depend on which bodies are read first.
    """
    module._unread_uses = DeferredStep(module.context.lock, module._read_uses)
    module._use_orders = orders
