"""Parts of the model that are read at first access, and the lock that keeps that safe.

Threads may share a module and read it at the same time.  Three rules make that safe, with or without the GIL:

- A reader of a part holds the lock of the context, because types, constants and metadata are shared there.
- A part becomes visible (a slot is set) only after it is complete.  Access to a visible part needs no lock.
- An exception other than `BitcodecError` may leave anything half done.  No further part is read after that.
"""

from __future__ import annotations

from _thread import RLock  # `threading` takes a hundred times as long to import
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, TypeVarTuple

from bitcodec.errors import BitcodecError, ClosedModuleError, InterruptedReadError, copy_error

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

__all__ = ["Deferred", "DeferredOnce", "DeferredPart", "DeferredStep", "MaterializationLock"]

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class MaterializationLock:
    """Lets one thread at a time read parts of the modules of a context, and no thread after an interrupted read."""

    __slots__ = ("_interruption", "_is_closed", "_is_reading", "_lock", "_under_way")

    def __init__(self) -> None:
        self._lock: Any = RLock()
        self._is_closed = False
        self._is_reading = False
        self._interruption: str | None = None
        self._under_way: set[Hashable] = set()

    @property
    def is_reading(self) -> bool:
        """Whether this thread is reading a part."""
        return bool(self._is_reading and self._interruption is None and self._lock._is_owned())

    def close(self) -> None:
        """Let no part be read from now on; one that another thread is reading is read to its end."""
        with self._lock:
            self._is_closed = True

    def run_exclusively(self, function: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Call a function while no other thread reads, and return its result.

        Parts can be read after any exception of the function: it reads by `run` alone.
        """
        # On one line, or a tracer that raises could come in front of the release.
        with self._lock: return function(*arguments)  # fmt: skip  # noqa: E701

    def run(self, read: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Call a function that reads, and return its result.  It may call this again.

        Raises:
            InterruptedReadError: an earlier call ended with another exception than `BitcodecError`.
            ClosedModuleError: the lock has been closed.
        """
        if self.is_reading:
            return read(*arguments)
        with self._lock: return self._run_alone(read, arguments)  # fmt: skip  # noqa: E701

    def _run_alone(self, read: Callable[..., T], arguments: tuple[object, ...]) -> T:
        # The mark is set before anything is read.  If it is still there, its reader did not get to the end.
        if self._is_reading:
            raise InterruptedReadError(self._interruption)
        if self._is_closed:
            raise ClosedModuleError
        self._is_reading = True
        try:
            result = read(*arguments)
        except BitcodecError:
            self._is_reading = False
            raise
        except BaseException as error:
            self._interruption = type(error).__name__
            raise
        self._is_reading = False
        return result

    def run_once(self, part: Hashable, read: Callable[[*Ts], object], *arguments: *Ts) -> bool:
        """Call a function that reads a part, unless the same thread is already reading that part.

        Returns:
            Whether it was called.

        Raises:
            InterruptedReadError: an earlier call ended with another exception than `BitcodecError`.
        """
        return self.run(self._run_once, part, read, arguments)

    def _run_once(self, part: Hashable, read: Callable[..., object], arguments: tuple[object, ...]) -> bool:
        under_way = self._under_way
        if part in under_way:
            return False
        under_way.add(part)
        try:
            read(*arguments)
        finally:
            under_way.discard(part)
        return True


class Deferred(Generic[T]):
    """A placeholder, in a slot, for a part that has not been read yet.

    Attributes:
        holds_metadata: of a body: whether the metadata of the function is read with it.
    """

    __slots__ = ()

    holds_metadata: ClassVar[bool] = True

    @property
    def lock(self) -> MaterializationLock:
        """The lock of the context that it belongs to."""
        raise NotImplementedError

    def resolve(self) -> T:
        """Read it and return it, for callers that hold the lock.

        Raises:
            BitcodecError: it is malformed.
        """
        raise NotImplementedError

    def read(self) -> T:
        """Read it and return it.

        Raises:
            BitcodecError: it is malformed.
        """
        return self.lock.run(self.resolve)

    def fill(self, holder: object, slot: str) -> T:
        """Read it, store it in the slot that holds this object, and return it.

        Raises:
            BitcodecError: it is malformed; the slot is unchanged.
        """
        return self.lock.run(self._fill, holder, slot)

    def _fill(self, holder: object, slot: str) -> T:
        if getattr(holder, slot) is self:  # else another thread was first
            value = self.resolve()
            if getattr(holder, slot) is self:  # else reading it has led to an upgrade, which has set the slot
                setattr(holder, slot, value)
        filled: T = getattr(holder, slot)
        return filled


class DeferredOnce(Deferred[T]):
    """A part that may be requested while this thread reads it: the inner request resolves it, and the slot waits."""

    __slots__ = ()

    def fill(self, holder: object, slot: str) -> T:
        """Read it, store it in the slot that holds this object, and return it.

        Raises:
            BitcodecError: it is malformed; the slot is unchanged.
        """
        if not self.lock.run_once(self, self._fill, holder, slot):
            return self.resolve()
        found: T = getattr(holder, slot)
        return found


class DeferredPart(DeferredOnce[T]):
    """A part that a function returns.

    Args:
        lock: the lock of the context.
        read: returns the part; may raise `BitcodecError`.
        arguments: arguments of that function.
    """

    __slots__ = ("_arguments", "_lock", "_read")

    def __init__(self, lock: MaterializationLock, read: Callable[[*Ts], T], *arguments: *Ts) -> None:
        self._lock = lock
        self._read: Callable[..., T] = read
        self._arguments: tuple[object, ...] = arguments

    @property
    def lock(self) -> MaterializationLock:
        """The lock of the context."""
        return self._lock

    def resolve(self) -> T:
        """Return the part."""
        return self._read(*self._arguments)


class DeferredStep(DeferredPart[None]):
    """A part that a function installs, because it consists of several objects: the body of a function.

    `fill` sets the slot to None when all of it is complete, and does nothing if this thread is reading the part.  A
    malformed part is refused with the same error from then on, so nothing that the first attempt has left matters.
    """

    __slots__ = ("_is_under_way", "_refusal")

    def __init__(self, lock: MaterializationLock, read: Callable[[*Ts], None], *arguments: *Ts) -> None:
        super().__init__(lock, read, *arguments)
        self._is_under_way = False
        self._refusal: BitcodecError | None = None

    def fill(self, holder: object, slot: str) -> None:
        """Read it and set the slot that holds this object to None.

        Raises:
            BitcodecError: it is malformed; the slot is unchanged.
        """
        self._lock.run(self._complete, holder, slot)

    def _complete(self, holder: object, slot: str) -> None:
        if self._is_under_way or getattr(holder, slot) is not self:
            return  # this thread is reading it, or another thread was first
        if self._refusal is not None:
            raise copy_error(self._refusal)
        self._is_under_way = True
        try:
            self._read(*self._arguments)
        except BitcodecError as error:
            self._refusal = copy_error(error)
            raise
        finally:
            self._is_under_way = False
        setattr(holder, slot, None)
