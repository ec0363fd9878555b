"""Known flags as attributes, with types: the row of each in the table is its documentation.

>>> import bitcodec
>>> from bitcodec.flags import known
>>> flags = known(bitcodec.open("examples/hello.bc"))
>>> flags.pic_level, flags.dwarf_version, flags.target_abi
(2, 5, None)
>>> flags.wchar_size = 2
>>> str(flags.module.flags["wchar_size"].node)
'!{i32 1, !"wchar_size", i32 2}'

"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast, overload

from bitcodec.tables.known_flags import KNOWN_FLAGS
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from bitcodec.ir.module import Module
    from bitcodec.ir.module_flags import FlagValue, ModuleFlag

__all__ = ["KnownFlags", "known", "set_flag"]

T = TypeVar("T", int, str)


def known(module: Module) -> KnownFlags:
    """Return the known flags of a module, to read and to set by attribute."""
    return KnownFlags(module)


def set_flag(module: Module, key: str, value: FlagValue, behavior: Behavior | None = None) -> ModuleFlag:
    """Give a flag a value; one that the module lacks gets the behaviour and the type that the table has for it.

    Args:
        module: the module.
        key: of the flag.
        value: its value; a number is of the type of the number that it replaces, of that in the table, or an `i32`.
        behavior: its behaviour; if none is given that which it has, that in the table, or Error.

    Returns:
        The flag.

    Raises:
        ValueError: the behaviour requests another value, or a number does not fit its type.
    """
    flags, row = module.flags, KNOWN_FLAGS.get(key)
    found = flags.get(key)
    if found is None and row is not None and row.bit_width is not None and isinstance(value, int):
        kind = module.context.types.integer(row.bit_width)
        if not -(1 << (row.bit_width - 1)) <= value < 1 << row.bit_width:
            raise ValueError(f"{value} does not fit into an {row.type}")
        value = module.context.constants.integer(kind, value)
    if found is None and behavior is None:
        behavior = Behavior.ERROR if row is None else row.behavior
    return flags.set(key, value, behavior)


class _Known(Generic[T]):
    """A known flag as an attribute: None if the module lacks it; to set None takes it out."""

    def __init__(self, key: str, type: type[T]) -> None:
        self._key = key
        self._is_integer = type is int
        self.__doc__ = KNOWN_FLAGS[key].meaning

    @overload
    def __get__(self, owner: None, _: type) -> _Known[T]: ...
    @overload
    def __get__(self, owner: KnownFlags, _: type) -> T | None: ...
    def __get__(self, owner: KnownFlags | None, _: type) -> _Known[T] | T | None:
        if owner is None:
            return self
        flags = owner.module.flags
        found = flags.integer(self._key) if self._is_integer else flags.string(self._key)
        return cast("T | None", found)

    def __set__(self, owner: KnownFlags, value: T | None) -> None:
        if value is not None:
            set_flag(owner.module, self._key, value)
        elif self._key in owner.module.flags:
            owner.module.flags.remove(self._key)


class KnownFlags:
    """The flags of a module that are requested most.

    Attributes:
        module: the module.
    """

    __slots__ = ("module",)

    def __init__(self, module: Module) -> None:
        self.module = module

    branch_target_enforcement = _Known("branch-target-enforcement", int)
    cf_protection_branch = _Known("cf-protection-branch", int)
    cf_protection_return = _Known("cf-protection-return", int)
    code_model = _Known("Code Model", int)
    code_view = _Known("CodeView", int)
    debug_info_version = _Known("Debug Info Version", int)
    dwarf_version = _Known("Dwarf Version", int)
    enable_split_lto_unit = _Known("EnableSplitLTOUnit", int)
    frame_pointer = _Known("frame-pointer", int)
    guarded_control_stack = _Known("guarded-control-stack", int)
    kcfi = _Known("kcfi", int)
    min_enum_size = _Known("min_enum_size", int)
    objective_c_garbage_collection = _Known("Objective-C Garbage Collection", int)
    objective_c_gc_only = _Known("Objective-C GC Only", int)
    objective_c_image_info_section = _Known("Objective-C Image Info Section", str)
    objective_c_image_info_version = _Known("Objective-C Image Info Version", int)
    objective_c_version = _Known("Objective-C Version", int)
    openmp = _Known("openmp", int)
    pic_level = _Known("PIC Level", int)
    pie_level = _Known("PIE Level", int)
    semantic_interposition = _Known("SemanticInterposition", int)
    sign_return_address = _Known("sign-return-address", int)
    stack_protector_guard = _Known("stack-protector-guard", str)
    target_abi = _Known("target-abi", str)
    unified_lto = _Known("UnifiedLTO", int)
    uwtable = _Known("uwtable", int)
    wchar_size = _Known("wchar_size", int)
