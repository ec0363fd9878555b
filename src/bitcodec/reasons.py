"""Why files are refused: each reason has a name, parameters, and a sentence.

Code and users rely on names and parameters, which never change; sentences may.  `Reason.NO_VALUE(number=3)` returns
the sentence, a string that keeps its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.plain_enum import LazyEnum

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

__all__ = ["Reason", "Sentence"]

_CUT_OFF = "; the file seems to be cut off"
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

    identity: Reason | None
    parameters: Mapping[str, int | str]
    record: str
    _file: str

    def __new__(
        cls,
        text: str,
        identity: Reason | None = None,
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
        text = self.removeprefix(self._file).removesuffix(_CUT_OFF)
        return Sentence(text, self.identity, self.parameters, self.record)

    def about(self, record: str) -> Sentence:
        """Return the sentence with the name of the record in front."""
        return Sentence(f"{record} record: {self}", self.identity, self.parameters, record)

    def in_file(self, name: str) -> Sentence:
        """Return the sentence with the name of the file in front."""
        prefix = f"{name}: "
        return Sentence(prefix + self, self.identity, self.parameters, self.record, prefix + self._file)


class Reason(LazyEnum):
    """The reasons: names and sentences, in which `{number}` and the like are parameters.

    In sentences about records, the name of the record precedes what is here.
    """

    def __call__(self, **parameters: int | str) -> Sentence:
        """Return the sentence."""
        return Sentence(self.value.format_map(parameters), self, parameters)

    @property
    def label(self) -> str:
        """The name as users see it, like `no-value`."""
        return self.name.lower().replace("_", "-")

    # Bits
    EMPTY_FILE = "the file is empty"
    NO_MAGIC = "{size} bytes are too few for a magic number"
    OUTSIDE_DATA = "bit {bit} lies outside the data"
    LONG_FIELD = "a variable-width field is longer than 64 bits"
    CUT_FIELD = "the data ends inside this field"
    LARGE_ARRAY = "{count} elements of {width} or more bits do not fit in what remains"
    LARGE_BLOB = "a blob of {size} bytes does not fit in what remains"
    MANY_OPERANDS = "the records have more operands than the data has bits"
    CUT_BLOCK = "the stream ends inside this block" + _CUT_OFF
    WIDE_BLOCK_ID = "block id {block} is wider than 32 bits"
    WRONG_WIDTH = "block {block} has abbreviation ids of {width} bits, not 1 to {maximum}"
    LONG_BLOCK = "block {block} is {words} words long, more than what remains" + _CUT_OFF
    WRONG_LENGTH = "the block ends at bit {end}, but its length says {stated}"
    MISLEADING_LENGTH = "the length of a block before this one lies: reading on does not lead here"
    NO_BLOCK_HERE = "no block begins here"
    TRAILING_BYTES = "{count} bytes follow that are no block"
    ANOTHER_STREAM = "{count} bytes follow the last block, another stream; `bitcodec extract` takes the file apart"
    WIDE_CODE = "record code {code} is wider than 32 bits"
    EMPTY_ABBREVIATION = "an abbreviation has no operands"
    LARGE_ABBREVIATION = "an abbreviation of {count} operands does not fit in what remains"
    UNKNOWN_ENCODING = "an abbreviation has an operand of unknown encoding {encoding}"
    WIDE_FIELD = "an abbreviation has a field of {width} bits, more than {maximum}"
    UNDEFINED_ABBREVIATION = "abbreviation id {abbreviation} is not defined in this block; ids 4 to {last} are"
    NO_ABBREVIATIONS = "abbreviation id {abbreviation} is not defined in this block; none is"
    UNUSABLE_ABBREVIATION = "the record's abbreviation {flaw}"
    NO_SETBID = "BLOCKINFO says what a block has before SETBID says which block"
    NO_BLOCKINFO_OPERAND = "{record} has no operand"
    CUT_WRAPPER = "the wrapper's header is cut off after {size} of {needed} bytes"
    WRAPPER_OFFSET = "the wrapper says that the bitstream begins at byte {offset}, inside the header"
    WRAPPER_SIZE = (
        "the wrapper says that the bitstream lies at bytes {offset} to {end}, but the file ends at byte {size}"
    )
    NESTED_HASHES = "more than {maximum} modules with hashes are nested in each other"
    METADATA_STRINGS = "a record of metadata strings needs two operands and a blob"
    METADATA_STRING_LENGTHS = "the lengths of metadata strings exceed their blob"
    REMARK_STRING = "a string reaches past the end of its blob"

    # Whole
    NO_MODULE = "expected a module, found {size} bytes without one" + _CUT_OFF
    MODULE_MISSING = "expected a module after the IDENTIFICATION block, found the end of the data" + _CUT_OFF
    MODULE_EXPECTED = "expected a module after the IDENTIFICATION block, found block {block}"
    OTHER_EPOCH = "epoch {epoch} is another encoding than that of LLVM up to 22"
    NO_SUCH_RECORD = "LLVM knows no such record"
    NO_RECORD_HERE = "no such record is known here"
    NEWER_MODULE = "modules of version {version} are newer than LLVM 22"
    UNKNOWN_CODE = "no such {what} is known"
    NEWER_CODE = "no such {what} is known: a version of LLVM newer than {newest} may have it"
    LATER_CODE = "the {what} is of LLVM {version}, and LLVM 22 has none like it"

    # Records
    TOO_FEW_OPERANDS = "has too few operands"
    TOO_MANY_OPERANDS = "has too many operands"
    MORE_THAN_FIELDS = "has {count} operands, more than it has fields"
    MORE_OPERANDS_THAN_FIELDS = "has more operands than fields"
    OPERAND_COUNT = "has {count} operands"
    ONE_OPERAND = "{count} operands instead of 1"
    MORE_ARGUMENTS = "has more arguments than the callee has parameters"
    SECOND_BLOCK = "a second block of this kind"
    SECOND_TYPE_TABLE = "a second table of types"
    BEFORE_TYPES = "the record precedes the table of types"
    LATE_GLOBAL = "the record follows constants, metadata, function bodies or symbols"
    AFTER_BODY = "the record follows a function body"
    AFTER_GLOBALS = "the record follows globals"
    CONSTANTS_BEFORE_TYPES = "constants precede the table of types"
    METADATA_BEFORE_TYPES = "metadata precedes the table of types"
    BODY_BEFORE_KINDS = "a function body precedes the names of metadata kinds"
    LISTS_BEFORE_GROUPS = "lists of attributes precede their groups"
    CONSTANTS_AFTER_BODY = "constants follow a function body"
    NO_VALUE = "there is no value {number}"
    NO_NUMBER = "there is no number {number} among {count}"
    NUMBER_NOT_FOUND = "number {number} was not found at first"
    WRONG_VALUE_TYPE = "a value of type {type} where a {expected} should be"
    VALUE_TYPES = "value {number} is a {type} in one place and a {other} in another"
    FORWARD_TYPE = "a value used as {expected} before turns out to be a {type}"
    NEVER_DEFINED = "value {number} is used but never defined"

    # Types
    NO_TYPE = "there is no type {number}"
    TYPE_COUNT_NOT_STATED = "the number of types is not stated before the first"
    MANY_TYPES = "the table has more types than the {count} stated"
    FEW_TYPES = "the table ends after {count} types, not {stated}"
    TYPE_BEFORE_DEFINITION = "a type is used before it is defined, and is no named struct"
    DISTANT_TYPE = "a type refers to another that no table is long enough for"
    ENDLESS_TYPE = "{type} holds itself"
    UNKNOWN_CONTENTS = "what type {number} is made of is not known"
    UNKNOWN_POINTEE = "what the pointer points to is not known"
    NO_ELEMENT_TYPE = "a {type} cannot be an element"
    NO_PARAMETER_TYPE = "a {type} cannot be a parameter"
    NO_RETURN_TYPE = "a {type} cannot be returned"
    INTEGER_WIDTH = "an integer of {width} bits"
    NO_ADDRESS_SPACE = "there is no address space {number}"
    VECTOR_LENGTH = "a vector of {count} of {type}"
    TARGET_TYPE_COUNT = "{count} types are more than the record has"
    INTEGER_PARAMETER = "integer parameter {number} is too large"
    TARGET_TYPE = "{problem}"

    # Attributes
    UNKNOWN_ATTRIBUTE_FORM = "unknown form of attribute ({number})"
    UNKNOWN_ATTRIBUTE = "unknown {what} ({number})"
    NEWER_ATTRIBUTE = "unknown {what} ({number}): a version of LLVM newer than {newest} may have it"
    WRONG_ATTRIBUTE = "{problem}"
    ATTRIBUTE_INDEX = "has an index without attributes"
    RANGE_WIDTH = "a range of integers of {width} bits"
    BOUND_WIDTH = "a bound of {count} words for {width} bits"
    RANGE_COUNT = "{count} ranges"
    RANGE_ORDER = "ranges that overlap or are not in order"
    UNENDED_STRING = "a string without an end"
    NO_ARGUMENT_ELEMENT_TYPE = "argument {number} has no element type"
    UNTYPED_ATTRIBUTE = "parameter {number} has an attribute without its type"
    UNTYPED_INTERRUPT_PARAMETER = "parameter 0 of an x86_intrcc function is not byval, and its pointee is not known"

    # Data layouts; parts of them in the words of LLVM
    DATA_LAYOUT = "the data layout {layout} makes no sense: {problem}"
    LAYOUT_BYTE_ORDER = "malformed specification, must be just 'e' or 'E'"
    LAYOUT_SPECIFIER = "unknown specifier '{letter}'"
    LAYOUT_EMPTY = "empty specification is not allowed"
    LAYOUT_BYTE_ALIGNMENT = "i8 must be 8-bit aligned"
    LAYOUT_AGGREGATE_SIZE = "size must be zero"
    LAYOUT_INDEX_SIZE = "index size cannot be larger than the pointer size"
    LAYOUT_POINTER_FLAG = "'{letter}' is not a valid pointer specification flag"
    LAYOUT_SPACE_NAME = "Expected `( address space name )`"
    LAYOUT_FLAGS_OF_DEFAULT_SPACE = "address space 0 cannot be unstable or have external state"
    LAYOUT_PREDEFINED_NAME = "Cannot use predefined address space names P/G/A in data layout"
    LAYOUT_NAME_TWICE = "address space name `{name}` already used"
    LAYOUT_NON_INTEGRAL_DEFAULT_SPACE = "address space 0 cannot be non-integral"
    LAYOUT_FUNCTION_POINTERS = "unknown function pointer alignment type '{letter}'"
    LAYOUT_MANGLING = "unknown mangling mode"
    LAYOUT_FORM = 'malformed specification, must be of the form "{form}"'
    LAYOUT_EMPTY_SPACE = "address space component cannot be empty"
    LAYOUT_SPACE = "address space must be a 24-bit integer"
    LAYOUT_EMPTY_SIZE = "{what} component cannot be empty"
    LAYOUT_SIZE = "{what} must be a non-zero 24-bit integer"
    LAYOUT_EMPTY_ALIGNMENT = "{what} alignment component cannot be empty"
    LAYOUT_WIDE_ALIGNMENT = "{what} alignment must be a 16-bit integer"
    LAYOUT_ZERO_ALIGNMENT = "{what} alignment must be non-zero"
    LAYOUT_ALIGNMENT = "{what} alignment must be a power of two times the byte width"
    LAYOUT_PREFERRED_ALIGNMENT = "preferred alignment cannot be less than the ABI alignment"

    # Globals
    NO_SECTION = "there is no section {number}"
    NO_GARBAGE_COLLECTOR = "there is no garbage collector {number}"
    NO_COMDAT = "there is no comdat {number}"
    NO_CODE_MODEL = "there is no code model {number}"
    NO_BUNDLE_TAG = "there is no operand bundle tag {number}"
    LARGE_FIELD = "{field} {number} is larger than {maximum}"
    VARIABLE_POINTER = "a variable at a {type}, which is no pointer"
    VARIABLE_TYPE = "a variable of type {type}"
    FUNCTION_TYPE = "a function of type {type}"
    ALIAS_POINTER = "an alias of type {type}, which is no pointer"
    ALIAS_TYPE = "an alias of type {type} of a {aliasee}"
    ONLY_VARIABLES_APPENDED = "only variables can be appended to"
    REMOVED_EXPRESSIONS = "the {role} contains constant expressions that LLVM 22 lacks: {opcodes}"
    NO_CONSTANT = "the {role} is value {number}, which is no constant"
    GLOBAL_PROBLEM = "{problem}"
    LONG_COMDAT_NAME = "the name is longer than the record"
    NAME_OUTSIDE = "a name at byte {offset} of {size} bytes reaches past the string table"
    OVERLAPPING_NAMES = "names overlap: they have more than {maximum} bytes, the string table {size}"
    NOT_NAMED = "the {field} {number} is not named before"

    # Constants
    VOID_CONSTANT = "a constant cannot be void"
    ENDLESS_CONSTANT = "the constant is part of itself"
    OTHER_CONSTANT_TYPE = "a constant of type {type} where {stated} is stated"
    NOT_CONSTANT = "value {number} is no constant"
    CONSTANT_PROBLEM = "{problem}"
    INTEGER_TYPE = "an integer of type {type}"
    LARGE_SPLAT = "one number for {count} elements is more than can be kept"
    ELEMENT_COUNT = "{count} elements do not make a {type}"
    OTHER_ELEMENTS = "the elements are not those of a {type}"
    STRING_TYPE = "a string of {size} bytes is no {type}"
    NUMBER_COUNT = "{count} numbers do not make a {type}"
    NO_PLAIN_NUMBERS = "a {type} is not made of plain numbers"
    LONG_TEXTS = "the texts are longer than the record"
    ASSEMBLY_TYPE = "assembly text of type {type} at a {pointer}"
    ADDRESS_OF_NO_FUNCTION = "the address of a block of what is no function"
    ADDRESS_OF_ENTRY = "the entry block of a function has no address"
    NO_GLOBAL = "the value is no global"
    UNSIGNED_POINTERS = "what is signed, and what with, are not both pointers"
    SIGNING_INTEGERS = "key and discriminator are not both integers"
    NO_BINARY_OPERATION = "there is no binary operation {number} on {type}"
    NO_CAST = "there is no cast {number}"
    NO_UNARY_OPERATION = "there is no unary operation {number} on {type}"
    BINARY_TYPES = "{opcode} of {lhs} and {rhs} gives no {type}"
    CAST_TYPES = "{opcode} from {source} to {target}"
    NO_ADDRESS_OPERANDS = "address arithmetic on nothing"
    ADDRESS_TYPE = "address arithmetic on a {type}"
    UNSIZED_ADDRESS_TYPE = "address arithmetic by the size of {type}, which has none"
    NO_INDEXED_ELEMENT = "the indices lead to no element of {type}"
    SELECT_TYPES = "select by {condition} between {lhs} and {rhs}"
    ELEMENT_TYPES = "element {index} of {type}"
    INSERTED_TYPES = "{element} as element {index} of {type}"
    SHUFFLED_TYPES = "elements of {lhs} and {rhs}"
    COMPARED_TYPES = "{lhs} and {rhs} cannot be compared"
    NO_PREDICATE = "there is no predicate {number} for {type}"
    MASK_TYPE = "a mask of type {type}"
    MASK_NOT_CONSTANT = "the mask is no constant vector"
    MASK_ELEMENT = "an element of the mask is no number"
    MASK_INDEX = "the mask names an element that there is not"
    EXPANDED_TOO_MUCH = "its constant expressions become too many instructions"

    # Bodies
    UNDEFINED_BODY = "a body of a function that is not defined"
    BODY_COUNT = "{defined} functions are defined, {bodies} have a body"
    BODY_OFFSET = "the body of value {number} does not begin at word {word}"
    NO_BODY = "no body begins at word {word}"
    NO_BLOCKS = "a body of no blocks"
    MANY_BLOCKS = "a body of {count} blocks has {records} records"
    MANY_EMPTY_BLOCKS = "the module has more than {maximum} blocks without instructions"
    BLOCKS_ONCE = "blocks are declared once"
    BLOCKS_TWICE = "blocks are declared twice"
    BEFORE_BLOCKS = "the record precedes the blocks of the body"
    AFTER_LAST_BLOCK = "an instruction stands after the end of the last block"
    NO_BLOCK = "there is no block {number}"
    NO_INSTRUCTION = "no instruction stands before it"
    NO_INSTRUCTION_NUMBER = "there is no instruction {number}"
    MIXED_DEBUG_INFO = "a module has calls of debug intrinsics or debug records, not both"
    BUNDLES_WITHOUT_CALL = "operand bundles not followed by a call"
    USER_NO_FUNCTION = "a user of block addresses is not a function"
    NO_BLOCKS_ELSEWHERE = "@{function} has no blocks: it is defined elsewhere"
    NO_FUNCTION_BLOCK = "@{function} has no block {number}"
    NO_FUNCTION_BLOCKS = "@{function} has no blocks"
    NO_TAKEN_FUNCTION_BLOCKS = "the address of a block of @{function} is taken, which has no blocks"
    NO_TAKEN_BLOCK = "the address of block {number} is taken, but there are {count}"

    # Instructions
    VALUE_WITHOUT_TYPE = "a type without a value"
    ALLOCA_POINTER = "room at a {type}, which is no pointer"
    ALLOCA_TYPE = "room for a {type}, which has no size"
    ALLOCA_COUNT = "room for {type} values"
    CONDITION_TYPE = "the condition is a {type}"
    PHI_TYPE = "a phi of {type}"
    PHI_FLAGS = "fast-math flags on a phi of {type}"
    CALL_FLAGS = "fast-math flags on a call that gives {type}"
    NO_CONDITION = "a branch to one of two blocks has no condition"
    LARGE_ALIGNMENT = "an alignment of 2**{exponent} bytes is too large"
    NO_VECTOR = "a {type} where a vector should be"
    NO_POINTER = "a {type} where a pointer should be"
    CALLEE_TYPE = "what is called is a {type}, no function"
    CALLEE_POINTER = "a {type} is called"
    NO_CASE = "a case is not a constant integer"
    SWITCH_TYPE = "a switch by a {type}, which is no integer"
    MANY_CASES = "its ranges stand for more than {maximum} cases"
    LARGE_RANGE = "a range stands for more than {maximum} cases"
    NO_BLOCK_ADDRESS = "a {type} is no address of a block"
    ELEMENT_OF_NO_VECTOR = "an element of a {type}, which is no vector"
    SHUFFLE_OF_NO_VECTOR = "elements of a {type}, which is no vector"
    INSERTED_TYPE = "a {type} where a {expected} should be put"
    NO_INDEX = "no index says which element"
    NO_ELEMENT = "a {type} has no element {number}"
    CLAUSE = "a clause of kind {number} with a {type}"
    PERSONALITY = "the personality is no constant"
    TWO_PERSONALITIES = "a function has two personalities"
    LOAD_WITHOUT_ALIGNMENT = "an atomic load has no alignment"
    STORE_WITHOUT_ALIGNMENT = "an atomic store has no alignment"
    LOADED_TYPE = "a {type} cannot be loaded"
    STORED_TYPE = "a {type} cannot be stored"
    ORDERING = "{what} cannot be ordered {ordering}"
    ELEMENTWISE_ATOMICRMW = "an elementwise atomicrmw is of LLVM 23, and LLVM 22 has none like it"
    NO_ATOMIC_OPERATION = "there is no atomic operation {number}"
    ATOMICRMW_TYPE = "atomicrmw of a {type}"
    SHORT_ORDER = "an order of fewer than two uses"
    NO_ORDERED_VALUE = "there is nothing of number {number} to order the uses of"

    # Symbols
    UNNAMED_NUMBER = "there is nothing of number {number} to name"
    REPLACED_NAME = "a new name for @{name}, which LLVM 22 replaces"
    ZERO_IN_NAME = "the name has a zero byte"
    BLOCK_OUTSIDE_FUNCTION = "a block is named outside of a function"
    NO_NAMED_VALUE = "there is no value {number} to name"
    NAMED_NO_FUNCTION = "value {number} is not a function"
    OFFSET_WITHOUT_TABLE = "the offset of a body without a VSTOFFSET record"
    NO_SYMBOL_TABLE = "no symbol table begins at bit {bit}"
    EARLY_SYMBOL_TABLE = "the symbol table precedes the function bodies"

    # Metadata
    NO_METADATA_ID = "metadata id {number}, but there are {count}"
    METADATA_ID = "metadata id {number}"
    NO_METADATA = "there is no metadata {number}"
    NO_NODE = "metadata id {number} is no node"
    ATTACHED_NO_NODE = "metadata id {number}, attached as {kind}, is no node"
    NO_STRING = "metadata id {number} is no string"
    EARLY_METADATA = "metadata id {number} is used before its block"
    METADATA_CYCLE = "refers to itself"
    VOID_VALUE = "value {number} is void"
    NO_ATTACHED_VALUE = "metadata is attached to value {number}, which does not exist"
    OTHER_VALUE_TYPE = "value {number} is a {type}, not a {stated}"
    LATE_VALUE_TYPE = "value {number} turns out to be a {type}, not a {stated}"
    LATE_VALUE = "value {number} follows the metadata"
    LATE_WRAPPER = "metadata wraps value {number} after all metadata has been read"
    NAMELESS_KIND = "metadata kind {number} has no name"
    NODELESS_KIND = "a kind without a node"
    KIND_NAMED_TWICE = "kind {number} has the name {name} already"
    LARGE_KIND = "kind {number}, but LLVM keeps at most {maximum}"
    NO_NAMED_NODE = "the name is not followed by a NAMED_NODE record"
    ASSIGN_ID_NOT_DISTINCT = "a DIAssignID that is not distinct"
    ARGUMENT_NO_VALUE = "an argument that is no value"
    ARGUMENT_CYCLE = "a list of arguments that refers to itself"
    NO_STRINGS = "has no strings"
    STRINGS_OFFSET = "characters begin at byte {offset} of {size}"
    STRINGS_COUNT = "{count} lengths in {size} bytes"
    STRINGS_CUT = "lengths of strings are missing"
    STRINGS_SIZE = "strings of {stated} bytes in {size}"
    SUBRANGE_VERSION = "subrange of version {version}"
    NODE_VERSION = "node of version {version}"
    VARIABLE_VERSION = "global variable of version {version}"
    EXPRESSION_VERSION = "expression of version {version}"
    LARGE_TAG = "tag {number} has more than 16 bits"
    LARGE_SUSPEND_POINT = "suspend point {number} has more than 32 bits"
    LARGE_NODE_ALIGNMENT = "alignment {number} has more than 32 bits"
    NUMBER_WORDS = "a number of {count} words"
    NUMBER_WIDTH = "a number of {width} bits"
    NO_UNIT = "a subprogram with flags but without a unit"

    # Summaries
    NO_SUMMARY_VERSION = "a summary begins with its version"
    SUMMARY_VERSION = "summaries of version {version} are not among 1 to {newest}"
    NO_SUMMARIZED_VALUE = "there is no value {number} to summarize"
    NO_INDEXED_MODULE = "there is no module {number} in the index"
    HASH_WITHOUT_MODULE = "the hash follows no module"
    HASH_SIZE = "a hash of {count} numbers, not {expected}"
    PROFILE_WITHOUT_SUMMARY = "what a memory profile says follows no summary of a function"
    NO_ALIASEE_SUMMARY = "what the alias is of has no summary before it"
    NAME_WITHOUT_SUMMARY = "the name follows no summary"
    MANY_SPECIAL_REFERENCES = "more references are special than the {count} that there are"
    MANY_REFERENCES = "{count} references in {operands} operands"
    NO_LINKAGE = "there is no linkage {number}"
    STACK_IDS = "{ids} stack ids and {clones} clones are {count} operands"
    OPERANDS_LEFT = "operands are left over"
    NO_CONTEXT = "there is no context {number} among {count} frames"
    LONG_CONTEXTS = "the contexts are far longer than the file"
    DISTANT_CONTEXT = "a context reaches past the {count} frames"
    FEW_STACK_IDS = "there are only {count} stack ids"
    NO_MEMBER = "there is no {what} {number}"

    # Faults of bitcodec, and of what it calls
    INTERNAL = "reading failed by a fault of bitcodec, please report it with the file: {problem}"
    EXCEPTION = "{problem}"
