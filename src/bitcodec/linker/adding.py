"""Text added to a module: `Module.parse`.

The text is parsed into a separate module of the same context, in which names of the other module can be used.  The
definitions then move.  Nothing that can fail follows the first change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, cast

from bitcodec.asm.parser.module import parse_part
from bitcodec.asm.parser.outside import roll_back
from bitcodec.flags.merging import Merger
from bitcodec.ir.construction.deferring import materialize_symbols, read_for_moving
from bitcodec.ir.construction.moving import discard_global, move_body, move_global, replace_present_uses, share_operands
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject, GlobalVariable
from bitcodec.ir.metadata import NamedMetadata
from bitcodec.ir.module import Module
from bitcodec.ir.module_flags import MODULE_FLAGS, flag_key
from bitcodec.linker.appending import check_properties, elements_of
from bitcodec.linker.problems import LinkError, LinkProblem, ProblemKind
from bitcodec.linker.prototypes import copy_properties

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.asm.parser.surroundings import Surroundings
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import MDNode

__all__ = ["Addition", "parse_into"]


def parse_into(
    module: Module, text: str | bytes, *, name: str = "", dialect: int | str | None = None
) -> list[GlobalValue]:
    """Add the definitions of a text to a module; see `Module.parse`."""
    materialize_symbols(module)
    addition = Addition(parse_part(text, module, name=name, dialect=dialect))
    addition.check()
    return addition.move()


class Addition:
    """A text that has been parsed and is going to be a part of a module.

    Args:
        part: the parser that has read it.
    """

    def __init__(self, part: ModuleState) -> None:
        assert part.surroundings is not None  # noqa: S101 - `parse_part` has set it
        self._part = part
        self._surroundings: Surroundings = part.surroundings
        self._source = part.module
        self._module = self._surroundings.module
        self._intrinsics: dict[Constant, Constant] = {}
        self._defined: dict[GlobalValue, GlobalValue] = {}
        self._declared: dict[GlobalValue, GlobalValue] = {}
        self._appended: dict[GlobalVariable, tuple[GlobalVariable, list[Constant]]] = {}
        self._flags: list[MDNode] | None = None

    def check(self) -> None:
        """Check that the names of the text are compatible with the symbols of the module.

        Raises:
            AssemblyError: they do not; the module is unchanged.
            BitcodecError: the module is malformed.
        """
        try:
            for value in self._source.globals:
                there = self._module.get(value.name) if value.name else None
                if there is not None:
                    self._meet(value, there)
            self._flags = self._merged_flags()
        except BaseException:
            roll_back(self._part)
            raise

    def _meet(self, value: GlobalValue, there: GlobalValue) -> None:
        if isinstance(value, Function) and value.is_intrinsic:
            if there.value_type is not value.value_type:
                types = f"of type '{value.value_type}' is of type '{there.value_type}' in the module"
                self._refuse(f"'@{value.name}' {types}", "@", value.name)
            self._intrinsics[value] = there
            return
        if self._surroundings.found.get(value) is there:
            read_for_moving(there)
            self._defined[there] = value
            return
        _ = there.is_used  # whatever may use it is read, and found to be malformed or not
        if there.is_declaration:
            self._declared[there] = value
        elif isinstance(value, GlobalVariable) and isinstance(there, GlobalVariable):
            self._check_appended(value, there)

    def _check_appended(self, value: GlobalVariable, there: GlobalVariable) -> None:
        table = self._module.context.constants
        try:
            check_properties(value, there)
            elements = [*elements_of(there, table), *elements_of(value, table)]
        except LinkError as error:
            self._refuse(str(error.problems[0]), "@", value.name)
        if value.value_type.element_types != there.value_type.element_types:
            self._refuse(str(LinkProblem(ProblemKind.APPENDING_ELEMENTS, value.name, "")), "@", value.name)
        self._appended[value] = there, elements

    def _refuse(self, message: str, kind: str, name: str) -> NoReturn:
        self._part.lexer.refuse(message, self._surroundings.place(kind, name))

    # Changes

    def move(self) -> list[GlobalValue]:
        """Move everything into the module; return its globals for the ones that the text defines or declares."""
        module, source = self._module, self._source
        self._replace_globals()
        comdats = {name: module.comdats.setdefault(name, comdat) for name, comdat in source.comdats.items()}
        for value in [*source.globals]:
            if isinstance(value, GlobalObject) and value.comdat is not None:
                value.comdat = comdats[value.comdat.name]
        for there, value in self._defined.items():
            _define_like(there, value)
            discard_global(value)
        for value in [*source.globals]:
            move_global(value, module)
        self._take_metadata()
        module.module_asm += source.module_asm
        if not module.data_layout.text:
            module.data_layout = source.data_layout
        if not module.target_triple:
            module.target_triple = source.target_triple
        replaced: dict[Constant, Constant] = {**self._surroundings.found, **self._intrinsics}
        replaced.update((value, there) for value, (there, _) in self._appended.items())
        found = cast("list[GlobalValue]", [replaced.get(value, value) for value in self._surroundings.globals])
        return [value for value in found if value.parent is module]

    def _replace_globals(self) -> None:
        """Unite each global that both the module and the text have."""
        table = self._module.context.constants
        for variable, elements in self._appended.values():
            variable.value_type = table.types.array(len(elements), variable.value_type.element_types[0])
            variable.initializer = table.aggregate(variable.value_type, elements)
        replaced: dict[Constant, Constant] = {**self._intrinsics}
        replaced.update((added, variable) for added, (variable, _) in self._appended.items())
        replace_present_uses(replaced)
        for added in (*self._intrinsics, *self._appended):
            discard_global(cast("GlobalValue", added))
        for declaration, definition in self._declared.items():
            declaration.replace_all_uses_with(definition)
            declaration.erase_from_parent()

    def _take_metadata(self) -> None:
        named = self._module.named_metadata
        for name, each in self._source.named_metadata.items():
            found = named.setdefault(name, NamedMetadata(name))
            known = {*found.operands}
            found.operands += [node for node in each.operands if node not in known]
        if self._flags is not None:
            named[MODULE_FLAGS].operands = self._flags

    # Flags

    def _merged_flags(self) -> list[MDNode] | None:
        """Return the flags of the module with the text's, None for a text without flags.

        A linker would also change flags that the text lacks, as if the text were another file.
        """
        arriving = self._source.flags
        if not arriving.is_present:
            return None
        keys = {flag_key(node) for node in arriving.nodes}
        own = [*self._module.flags.nodes] if self._module.flags.is_present else []
        merger = Merger(module=self._with_flags([]), linked=self._module.identifier)
        merger.add(self._with_flags([node for node in own if flag_key(node) in keys]))
        merger.add(self._source)
        merged = merger.merged()
        if merged.errors:
            self._refuse(str(merged.errors[0]), "!", MODULE_FLAGS)
        by_key: dict[str | None, list[MDNode]] = {}
        for node in merged.flags.nodes:
            by_key.setdefault(flag_key(node), []).append(node)
        kept = [node for each in own for node in (by_key.pop(flag_key(each), ()) if flag_key(each) in keys else [each])]
        return [*kept, *(node for nodes in by_key.values() for node in nodes)]

    def _with_flags(self, nodes: list[MDNode]) -> Module:
        """Return a module of the same context that has nothing but flags."""
        made = Module(self._module.identifier, DataLayout(""), self._module.context)
        made.named_metadata[MODULE_FLAGS] = NamedMetadata(MODULE_FLAGS, nodes)
        return made


def _define_like(declaration: GlobalValue, definition: GlobalValue) -> None:
    """Make a definition of a declaration, with the content of another definition of its kind."""
    declaration.linkage = definition.linkage
    declaration.value_type = definition.value_type
    copy_properties(definition, declaration)
    if isinstance(declaration, Function) and isinstance(definition, Function):
        move_body(definition, declaration)
    share_operands(definition, declaration)
    if isinstance(declaration, GlobalObject) and isinstance(definition, GlobalObject):
        declaration.comdat = definition.comdat
        declaration.metadata.assign(definition.metadata.items())
