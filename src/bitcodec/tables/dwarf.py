"""DWARF's numbers and names, as far as LLVM IR uses them.  Rules: DWARF 5, section 7; docs/reference/text.md, 20."""

from __future__ import annotations

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.names import Named

__all__ = [
    "OPERATORS",
    "OTHER_OPERATORS",
    "CallingConvention",
    "EnumKind",
    "Language",
    "LanguageDialect",
    "LanguageName",
    "MacroType",
    "Operator",
    "Tag",
    "TypeEncoding",
    "Virtuality",
]


class Tag(Named, prefix="DW_TAG_", meaning="DWARF tag", limit=0xFFFF):
    """Kind of the entity that a node describes."""

    null = 0x0
    array_type = 0x1
    class_type = 0x2
    entry_point = 0x3
    enumeration_type = 0x4
    formal_parameter = 0x5
    imported_declaration = 0x8
    label = 0xA
    lexical_block = 0xB
    member = 0xD
    pointer_type = 0xF
    reference_type = 0x10
    compile_unit = 0x11
    string_type = 0x12
    structure_type = 0x13
    subroutine_type = 0x15
    typedef = 0x16
    union_type = 0x17
    unspecified_parameters = 0x18
    variant = 0x19
    common_block = 0x1A
    common_inclusion = 0x1B
    inheritance = 0x1C
    inlined_subroutine = 0x1D
    module = 0x1E
    ptr_to_member_type = 0x1F
    set_type = 0x20
    subrange_type = 0x21
    with_stmt = 0x22
    access_declaration = 0x23
    base_type = 0x24
    catch_block = 0x25
    const_type = 0x26
    constant = 0x27
    enumerator = 0x28
    file_type = 0x29
    friend = 0x2A
    namelist = 0x2B
    namelist_item = 0x2C
    packed_type = 0x2D
    subprogram = 0x2E
    template_type_parameter = 0x2F
    template_value_parameter = 0x30
    thrown_type = 0x31
    try_block = 0x32
    variant_part = 0x33
    variable = 0x34
    volatile_type = 0x35
    dwarf_procedure = 0x36
    restrict_type = 0x37
    interface_type = 0x38
    namespace = 0x39
    imported_module = 0x3A
    unspecified_type = 0x3B
    partial_unit = 0x3C
    imported_unit = 0x3D
    condition = 0x3F
    shared_type = 0x40
    type_unit = 0x41
    rvalue_reference_type = 0x42
    template_alias = 0x43
    coarray_type = 0x44
    generic_subrange = 0x45
    dynamic_type = 0x46
    atomic_type = 0x47
    call_site = 0x48
    call_site_parameter = 0x49
    skeleton_unit = 0x4A
    immutable_type = 0x4B
    MIPS_loop = 0x4081
    format_label = 0x4101
    function_template = 0x4102
    class_template = 0x4103
    GNU_BINCL = 0x4104
    GNU_EINCL = 0x4105
    GNU_template_template_param = 0x4106
    GNU_template_parameter_pack = 0x4107
    GNU_formal_parameter_pack = 0x4108
    GNU_call_site = 0x4109
    GNU_call_site_parameter = 0x410A
    APPLE_property = 0x4200
    SUN_function_template = 0x4201
    SUN_class_template = 0x4202
    SUN_struct_template = 0x4203
    SUN_union_template = 0x4204
    SUN_indirect_inheritance = 0x4205
    SUN_codeflags = 0x4206
    SUN_memop_info = 0x4207
    SUN_omp_child_func = 0x4208
    SUN_rtti_descriptor = 0x4209
    SUN_dtor_info = 0x420A
    SUN_dtor = 0x420B
    SUN_f90_interface = 0x420C
    SUN_fortran_vax_structure = 0x420D
    SUN_hi = 0x42FF
    LLVM_ptrauth_type = 0x4300
    ALTIUM_circ_type = 0x5101
    ALTIUM_mwa_circ_type = 0x5102
    ALTIUM_rev_carry_type = 0x5103
    ALTIUM_rom = 0x5111
    LLVM_annotation = 0x6000
    GHS_namespace = 0x8004
    GHS_using_namespace = 0x8005
    GHS_using_declaration = 0x8006
    GHS_template_templ_param = 0x8007
    UPC_shared_type = 0x8765
    UPC_strict_type = 0x8766
    UPC_relaxed = 0x8767
    PGI_kanji_type = 0xA000
    PGI_interface_block = 0xA020
    BORLAND_property = 0xB000
    BORLAND_Delphi_string = 0xB001
    BORLAND_Delphi_dynamic_array = 0xB002
    BORLAND_Delphi_set = 0xB003
    BORLAND_Delphi_variant = 0xB004


class Language(Named, prefix="DW_LANG_", meaning="DWARF language", limit=0xFFFF):
    """Source languages, each version separately."""

    C89 = 0x1
    C = 0x2
    Ada83 = 0x3
    C_plus_plus = 0x4
    Cobol74 = 0x5
    Cobol85 = 0x6
    Fortran77 = 0x7
    Fortran90 = 0x8
    Pascal83 = 0x9
    Modula2 = 0xA
    Java = 0xB
    C99 = 0xC
    Ada95 = 0xD
    Fortran95 = 0xE
    PLI = 0xF
    ObjC = 0x10
    ObjC_plus_plus = 0x11
    UPC = 0x12
    D = 0x13
    Python = 0x14
    OpenCL = 0x15
    Go = 0x16
    Modula3 = 0x17
    Haskell = 0x18
    C_plus_plus_03 = 0x19
    C_plus_plus_11 = 0x1A
    OCaml = 0x1B
    Rust = 0x1C
    C11 = 0x1D
    Swift = 0x1E
    Julia = 0x1F
    Dylan = 0x20
    C_plus_plus_14 = 0x21
    Fortran03 = 0x22
    Fortran08 = 0x23
    RenderScript = 0x24
    BLISS = 0x25
    Kotlin = 0x26
    Zig = 0x27
    Crystal = 0x28
    C_plus_plus_17 = 0x2A
    C_plus_plus_20 = 0x2B
    C17 = 0x2C
    Fortran18 = 0x2D
    Ada2005 = 0x2E
    Ada2012 = 0x2F
    HIP = 0x30
    Assembly = 0x31
    C_sharp = 0x32
    Mojo = 0x33
    GLSL = 0x34
    GLSL_ES = 0x35
    HLSL = 0x36
    OpenCL_CPP = 0x37
    CPP_for_OpenCL = 0x38
    SYCL = 0x39
    Metal = 0x3D
    Ruby = 0x40
    Move = 0x41
    Hylo = 0x42
    Mips_Assembler = 0x8001
    GOOGLE_RenderScript = 0x8E57
    BORLAND_Delphi = 0xB000


class LanguageDialect(Named, prefix="DW_LLVM_LANG_DIALECT_", meaning="DWARF language dialect", limit=0xFFFF):
    """How programs in a language for accelerators are executed."""

    simt = 0x1
    tile = 0x2


class LanguageName(Named, prefix="DW_LNAME_", meaning="DWARF source language name", limit=0xFFFF_FFFF):
    """Source languages, whatever the version."""

    Ada = 0x1
    BLISS = 0x2
    C = 0x3
    C_plus_plus = 0x4
    Cobol = 0x5
    Crystal = 0x6
    D = 0x7
    Dylan = 0x8
    Fortran = 0x9
    Go = 0xA
    Haskell = 0xB
    Java = 0xC
    Julia = 0xD
    Kotlin = 0xE
    Modula2 = 0xF
    Modula3 = 0x10
    ObjC = 0x11
    ObjC_plus_plus = 0x12
    OCaml = 0x13
    OpenCL_C = 0x14
    Pascal = 0x15
    PLI = 0x16
    Python = 0x17
    RenderScript = 0x18
    Rust = 0x19
    Swift = 0x1A
    UPC = 0x1B
    Zig = 0x1C
    Assembly = 0x1D
    C_sharp = 0x1E
    Mojo = 0x1F
    GLSL = 0x20
    GLSL_ES = 0x21
    HLSL = 0x22
    OpenCL_CPP = 0x23
    CPP_for_OpenCL = 0x24
    SYCL = 0x25
    Ruby = 0x26
    Move = 0x27
    Hylo = 0x28
    Metal = 0x2C


class TypeEncoding(Named, prefix="DW_ATE_", meaning="DWARF type attribute encoding", limit=0xFF):
    """How the bits of a basic type are read."""

    address = 0x1
    boolean = 0x2
    complex_float = 0x3
    float = 0x4
    signed = 0x5
    signed_char = 0x6
    unsigned = 0x7
    unsigned_char = 0x8
    imaginary_float = 0x9
    packed_decimal = 0xA
    numeric_string = 0xB
    edited = 0xC
    signed_fixed = 0xD
    unsigned_fixed = 0xE
    decimal_float = 0xF
    UTF = 0x10
    UCS = 0x11
    ASCII = 0x12
    HP_complex_float = 0x81
    HP_float128 = 0x82
    HP_complex_float128 = 0x83
    HP_floathpintel = 0x84
    HP_imaginary_float90 = 0x85
    HP_imaginary_float128 = 0x86


class CallingConvention(Named, prefix="DW_CC_", meaning="DWARF calling convention", limit=0xFF):
    """How a subroutine is called, as debuggers see it."""

    normal = 0x1
    program = 0x2
    nocall = 0x3
    pass_by_reference = 0x4
    pass_by_value = 0x5
    GNU_renesas_sh = 0x40
    GNU_borland_fastcall_i386 = 0x41
    BORLAND_safecall = 0xB0
    BORLAND_stdcall = 0xB1
    BORLAND_pascal = 0xB2
    BORLAND_msfastcall = 0xB3
    BORLAND_msreturn = 0xB4
    BORLAND_thiscall = 0xB5
    BORLAND_fastcall = 0xB6
    LLVM_vectorcall = 0xC0
    LLVM_Win64 = 0xC1
    LLVM_X86_64SysV = 0xC2
    LLVM_AAPCS = 0xC3
    LLVM_AAPCS_VFP = 0xC4
    LLVM_IntelOclBicc = 0xC5
    LLVM_SpirFunction = 0xC6
    LLVM_DeviceKernel = 0xC7
    LLVM_Swift = 0xC8
    LLVM_PreserveMost = 0xC9
    LLVM_PreserveAll = 0xCA
    LLVM_X86RegCall = 0xCB
    LLVM_M68kRTD = 0xCC
    LLVM_PreserveNone = 0xCD
    LLVM_RISCVVectorCall = 0xCE
    LLVM_SwiftTail = 0xCF
    LLVM_RISCVVLSCall = 0xD0
    GDB_IBM_OpenCL = 0xFF


class Virtuality(Named, prefix="DW_VIRTUALITY_", meaning="DWARF virtuality code", limit=2):
    """Whether a member function is virtual."""

    none = 0
    virtual = 1
    pure_virtual = 2


class MacroType(Named, prefix="DW_MACINFO_", meaning="DWARF macinfo type", limit=0xFF):
    """Kind of a macro entry."""

    define = 0x1
    undef = 0x2
    start_file = 0x3
    end_file = 0x4
    vendor_ext = 0xFF


class EnumKind(Named, prefix="DW_APPLE_ENUM_KIND_", meaning="DWARF enum kind code", limit=1):
    """Whether an enumeration may have other values than those listed."""

    Closed = 0
    Open = 1


class Operator(NamedTuple):
    """An operation of a location expression: its name without `DW_OP_`, and how many arguments follow it."""

    name: str
    arguments: int


OPERATORS: dict[int, Operator] = {
    0x06: Operator("deref", 0),
    0x10: Operator("constu", 1),
    0x11: Operator("consts", 1),
    0x12: Operator("dup", 0),
    0x14: Operator("over", 0),
    0x16: Operator("swap", 0),
    0x17: Operator("rot", 0),
    0x18: Operator("xderef", 0),
    0x19: Operator("abs", 0),
    0x1A: Operator("and", 0),
    0x1B: Operator("div", 0),
    0x1C: Operator("minus", 0),
    0x1D: Operator("mod", 0),
    0x1E: Operator("mul", 0),
    0x1F: Operator("neg", 0),
    0x20: Operator("not", 0),
    0x21: Operator("or", 0),
    0x22: Operator("plus", 0),
    0x23: Operator("plus_uconst", 1),
    0x24: Operator("shl", 0),
    0x25: Operator("shr", 0),
    0x26: Operator("shra", 0),
    0x27: Operator("xor", 0),
    0x29: Operator("eq", 0),
    0x2A: Operator("ge", 0),
    0x2B: Operator("gt", 0),
    0x2C: Operator("le", 0),
    0x2D: Operator("lt", 0),
    0x2E: Operator("ne", 0),
    0x30: Operator("lit0", 0),
    **{0x50 + register: Operator(f"reg{register}", 0) for register in range(32)},
    **{0x70 + register: Operator(f"breg{register}", 1) for register in range(32)},
    0x90: Operator("regx", 1),
    0x92: Operator("bregx", 2),
    0x94: Operator("deref_size", 1),
    0x97: Operator("push_object_address", 0),
    0x9F: Operator("stack_value", 0),
    0x1000: Operator("LLVM_fragment", 2),
    0x1001: Operator("LLVM_convert", 2),
    0x1002: Operator("LLVM_tag_offset", 1),
    0x1003: Operator("LLVM_entry_value", 1),
    0x1004: Operator("LLVM_implicit_pointer", 0),
    0x1005: Operator("LLVM_arg", 1),
    0x1006: Operator("LLVM_extract_bits_sext", 2),
    0x1007: Operator("LLVM_extract_bits_zext", 2),
}
"""The operations that a valid expression consists of, by number."""

OTHER_OPERATORS: dict[int, str] = {
    **{0x30 + number: f"lit{number}" for number in range(1, 32)},
    0x03: "addr",
    0x08: "const1u",
    0x09: "const1s",
    0x0A: "const2u",
    0x0B: "const2s",
    0x0C: "const4u",
    0x0D: "const4s",
    0x0E: "const8u",
    0x0F: "const8s",
    0x13: "drop",
    0x15: "pick",
    0x28: "bra",
    0x2F: "skip",
    0x91: "fbreg",
    0x93: "piece",
    0x95: "xderef_size",
    0x96: "nop",
    0x98: "call2",
    0x99: "call4",
    0x9A: "call_ref",
    0x9B: "form_tls_address",
    0x9C: "call_frame_cfa",
    0x9D: "bit_piece",
    0x9E: "implicit_value",
    0xA0: "implicit_pointer",
    0xA1: "addrx",
    0xA2: "constx",
    0xA3: "entry_value",
    0xA4: "const_type",
    0xA5: "regval_type",
    0xA6: "deref_type",
    0xA7: "xderef_type",
    0xA8: "convert",
    0xA9: "reinterpret",
    0xE0: "GNU_push_tls_address",
    0xE1: "HP_is_value",
    0xE2: "HP_fltconst4",
    0xE3: "HP_fltconst8",
    0xE4: "HP_mod_range",
    0xE5: "HP_unmod_range",
    0xE6: "HP_tls",
    0xE8: "INTEL_bit_piece",
    0xE9: "LLVM_user",
    0xED: "WASM_location",
    0xEE: "WASM_location_int",
    0xF0: "APPLE_uninit",
    0xF2: "GNU_implicit_pointer",
    0xF3: "GNU_entry_value",
    0xF8: "PGI_omp_thread_num",
    0xFB: "GNU_addr_index",
    0xFC: "GNU_const_index",
}
"""The other operations of DWARF, which only follow a register in an expression that LLVM takes for valid: names."""
