"""The words of summaries in text: the printer writes them, the parser expects them."""

from __future__ import annotations

__all__ = ["Label"]


class Label:
    """Words that name entries, fields and kinds; the words of flags are in `tables.summaries`."""

    # Kinds of entries.
    MODULE = "module"
    GV = "gv"
    TYPE_ID = "typeid"
    TYPE_ID_COMPATIBLE_VTABLE = "typeidCompatibleVTable"
    FLAGS = "flags"
    BLOCK_COUNT = "blockcount"

    # Modules, globals and types.
    PATH = "path"
    HASH = "hash"
    NAME = "name"
    GUID = "guid"
    SUMMARIES = "summaries"
    SUMMARY = "summary"

    # Kinds of summaries, and what all of them have.
    FUNCTION = "function"
    VARIABLE = "variable"
    ALIAS = "alias"
    LINKAGE = "linkage"
    VISIBILITY = "visibility"
    IMPORT_TYPE = "importType"
    REFS = "refs"
    READ_ONLY = "readonly"
    WRITE_ONLY = "writeonly"

    # Functions.
    INSTS = "insts"
    FUNC_FLAGS = "funcFlags"
    CALLS = "calls"
    TYPE_ID_INFO = "typeIdInfo"
    ALLOCS = "allocs"
    CALLSITES = "callsites"
    PARAMS = "params"
    CALLEE = "callee"
    HOTNESS = "hotness"
    RELBF = "relbf"
    TAIL = "tail"
    CLONES = "clones"
    STACK_IDS = "stackIds"
    VERSIONS = "versions"
    MEM_PROF = "memProf"
    TYPE = "type"
    PARAM = "param"
    OFFSET = "offset"

    # Variables and aliases.
    VAR_FLAGS = "varFlags"
    VCALL_VISIBILITY = "vcall_visibility"
    VTABLE_FUNCS = "vTableFuncs"
    VIRT_FUNC = "virtFunc"
    ALIASEE = "aliasee"

    # Types.
    TYPE_TESTS = "typeTests"
    VFUNC_ID = "vFuncId"
    ARGS = "args"
    TYPE_TEST_RES = "typeTestRes"
    KIND = "kind"
    SIZEM1_BIT_WIDTH = "sizeM1BitWidth"
    WPD_RESOLUTIONS = "wpdResolutions"
    WPD_RES = "wpdRes"
    SINGLE_IMPL_NAME = "singleImplName"
    RES_BY_ARG = "resByArg"
    BY_ARG = "byArg"
    INFO = "info"
    BYTE = "byte"
    BIT = "bit"
