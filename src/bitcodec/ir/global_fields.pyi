# Made from bitcodec.tables.globals by tests/ir/global_fields_stub.py: a new field is a new row there.
from collections.abc import Callable

from bitcodec.ir.assignments import Checked, ValueCheck
from bitcodec.ir.globals import Comdat
from bitcodec.tables.linkage import CodeModel, DLLStorageClass, ThreadLocalMode, UnnamedAddress

__all__ = ["FunctionFields", "ObjectFields", "ValueFields", "VariableFields", "check_fields", "field_names"]

def field_names(owner: str) -> tuple[str, ...]: ...
def check_fields(owner: type, **checks: ValueCheck) -> list[tuple[Callable[[object, object], None], object]]: ...

class ValueFields:
    """Attributes of all globals."""

    is_dso_local: bool
    dll_storage_class: Checked[DLLStorageClass, DLLStorageClass | str]
    thread_local_mode: Checked[ThreadLocalMode, ThreadLocalMode | str]
    unnamed_address: Checked[UnnamedAddress, UnnamedAddress | str]
    partition: str

class ObjectFields:
    """Attributes of variables, functions and ifuncs."""

    section: str
    comdat: Comdat | None
    alignment: int | None

class VariableFields:
    """Attributes of variables."""

    is_constant: bool
    is_externally_initialized: bool
    code_model: Checked[CodeModel | None, CodeModel | str | None]
    no_sanitize_address: bool
    no_sanitize_hwaddress: bool
    sanitize_memtag: bool
    sanitize_address_dyninit: bool

class FunctionFields:
    """Attributes of functions."""

    garbage_collector: str
    preferred_alignment: int | None
