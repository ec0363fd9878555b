"""Moves globals of a module into the destination, with everything that they refer to.

What is defined moves itself, because all modules share a context: only references to symbols that lost are replaced.
The order of moves, which decides the order of functions and the numbers in names, is LLVM's.

Rules: docs/reference/linking.md, 3, 4 and 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.bitcode.carrying.bodies import carry_body
from bitcodec.ir.construction.deferring import complete_operands, read_deferred_metadata, read_for_moving
from bitcodec.ir.construction.moving import discard_global, move_global, move_to_end, replace_present_uses
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.ir.module_flags import MODULE_FLAGS
from bitcodec.linker.appending import Appender
from bitcodec.linker.prototypes import Prototypes, force_name
from bitcodec.linker.references import References
from bitcodec.linker.resolution import is_declaration_for_linker
from bitcodec.linker.types import TypeMapper
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.bitcode.carrying.sources import CarriedModule
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.linker.metadata import NodesByValue
    from bitcodec.linker.types import StructSet

__all__ = ["Mover"]


class Mover:
    """Moves globals of one source into a destination.

    Args:
        destination, source: the modules, of one context.
        structs: the identified structs of the destination.
        attribute_lists: the lists of its functions, which are one if they are equal.
        nodes: its metadata nodes that wrap constants.
        wrapper_count: how many constants metadata wrapped before the source was read.
        chosen: the globals to link, in order.
        demand: called with a definition that is referred to but not chosen; returns the globals to link then.
        carried: carries unread bodies; None if all bodies are read.

    Attributes:
        moved: the globals of the destination that came from the source.
        joined: the appending variables that have elements of the source.
        has_records: whether unread bodies have moved.
    """

    def __init__(
        self,
        destination: Module,
        source: Module,
        structs: StructSet,
        attribute_lists: dict[AttributeList, AttributeList],
        nodes: NodesByValue,
        wrapper_count: int,
        chosen: Iterable[GlobalValue],
        demand: Callable[[GlobalValue], Iterable[GlobalValue]],
        carried: CarriedModule | None = None,
    ) -> None:
        self._destination = destination
        self._source = source
        self._own = dict.fromkeys(source.globals)
        self._chosen = dict.fromkeys(chosen)
        self._pending = list(self._chosen)
        self._demand = demand
        self._types = TypeMapper(structs, destination.context.types)
        self._nodes = nodes
        self._references = References(self.counterpart, self._types, nodes, wrapper_count, destination.context)
        self._prototypes = Prototypes(destination, self._types, attribute_lists)
        self._appender = Appender(destination, self._types, self._is_key_linked)
        self._counterparts: dict[GlobalValue, Constant] = {}
        self._copies: dict[GlobalValue, Constant] = {}
        self._replaced: dict[Constant, Constant] = {}
        self._losers: list[GlobalValue] = []
        self._gone: list[GlobalValue] = []
        self._is_done = False
        self._carried = carried
        self.has_records = False
        self.moved: dict[GlobalValue, None] = {}
        self.joined: list[GlobalValue] = []

    def move(self) -> None:
        """Move the chosen globals and everything that they need.

        Raises:
            LinkError: appending variables do not fit.
            BitcodecError: something that is linked is malformed.
        """
        self._pending.reverse()
        while self._pending:
            value = self._pending.pop()
            if value not in self._counterparts and value not in self._copies:
                self.counterpart(value)
                self._references.follow_all()
                self._drop_losers()
        self._is_done = True

    def finish(self) -> dict[MDNode, MDNode]:
        """Let moved globals refer to the destination alone, and put its variables in the order of the source.

        Returns:
            The other node for each node of the source that is not part of the destination.
        """
        metadata = self._references.metadata
        for name, named in self._source.named_metadata.items():
            if name != MODULE_FLAGS and metadata.may_lead_to_globals:
                metadata.follow_named(named)
        self._follow_declarations()
        for value in self._own:
            counterpart = self.counterpart(value)
            is_variable = isinstance(value, GlobalVariable) and isinstance(counterpart, GlobalVariable)
            if is_variable and value.linkage is not Linkage.APPENDING:
                move_to_end(cast("GlobalVariable", counterpart))
            if counterpart is not None and counterpart is not value:
                self._replaced[value] = counterpart
        metadata.forget([value for value in self._own if value not in self._counterparts])
        self._drop_rest()
        if self._replaced:
            replace_present_uses(_without_chains(self._replaced))
        for value in self._gone:
            discard_global(value)
        return metadata.unite()

    def _follow_declarations(self) -> None:
        """Follow the attachments of declarations, which LLVM maps last."""
        metadata = self._references.metadata
        if metadata.may_lead_to_globals:
            for value in self.moved:
                if isinstance(value, GlobalObject) and value.is_declaration:
                    metadata.follow_attachments(value)

    def counterpart(self, value: GlobalValue, for_alias: bool = False) -> Constant | None:  # noqa: FBT001, FBT002 - a callback
        """Return the destination's counterpart of a global of the source, which may move for this.

        Args:
            value: the global.
            for_alias: whether an alias or ifunc needs the definition itself.

        Returns:
            The global, or a constant expression of it; None if it is not linked.
        """
        known = (self._copies if for_alias else self._counterparts).get(value)
        if known is not None:
            return known
        if value not in self._own:
            if value.parent is None and isinstance(value, Function) and value not in self._replaced:
                self._source.append(value)  # an old intrinsic, of which the upgrade has left a call
            if value.parent is not self._source:
                return value
            self._own[value] = None  # the upgrade of a body declared it
        there = self._partner(value)
        is_linked = self._is_linked(there, value)
        found = self._prototype(value, there, is_linked=is_linked, for_alias=for_alias)
        if found is not None:
            if for_alias:
                self._copies[value] = found
            else:
                self._counterparts[value] = found
            _remove_nocallback(found)
        return found

    def _partner(self, value: GlobalValue) -> GlobalValue | None:
        """Return the global of the destination that a global meets, None if it meets none."""
        if not value.name or value.linkage.is_local:
            return None
        there = self._destination.get(value.name)
        if there is None or there.linkage.is_local or there is value:
            return None
        # Intrinsics of different types only share a name.
        if isinstance(there, Function) and there.is_intrinsic and isinstance(value, Function):
            return there if there.value_type is self._types.get(value.value_type) else None
        return there

    def _is_linked(self, there: GlobalValue | None, value: GlobalValue) -> bool:
        """Return whether the definition of the source is linked; it may become so by being needed."""
        if value in self._chosen or value.linkage.is_local:
            return True
        if there is not None and not is_declaration_for_linker(there):
            return False
        if value.is_declaration or self._is_done:
            return False
        added = list(self._demand(value))
        for each in added:
            if each not in self._chosen:
                self._chosen[each] = None
                self._pending.append(each)
        return value in self._chosen

    def _is_key_linked(self, key: GlobalValue) -> bool:
        return self._is_linked(self._partner(key), key)

    def _prototype(
        self, value: GlobalValue, there: GlobalValue | None, *, is_linked: bool, for_alias: bool
    ) -> Constant | None:
        """Return the counterpart of a global: a global of the destination, or the global itself, which moves there."""
        if is_linked:
            known = self._counterparts.get(value) or self._copies.get(value)
            if known is not None:
                return known
        elif for_alias:
            there = None
        if Linkage.APPENDING in (value.linkage, there and there.linkage):
            return there if self._is_done else self._append(value, there)
        if there is not None and not is_linked and (self._is_done or not self._is_declared_again(value, there)):
            return self._prototypes.cast(there, self._types.get(value.type))
        if self._is_done:
            return None
        return self._bring(value, there, is_linked=is_linked, for_alias=for_alias)

    def _append(self, value: GlobalValue, there: GlobalValue | None) -> Constant | None:
        joined = self._appender.join(value, there)
        if joined is None:
            return there
        self._references.schedule_elements(joined)
        self.joined.append(joined.variable)
        if there is not None:
            self._replace(there, joined.variable)
        return joined.variable

    def _bring(self, value: GlobalValue, there: GlobalValue | None, *, is_linked: bool, for_alias: bool) -> Constant:
        """Bring a global into the destination: its definition, or a declaration of it."""
        name = value.name
        comdat = value.comdat if isinstance(value, GlobalObject) else None
        is_definition = is_linked or for_alias
        is_declaration = self._is_declaration(value)
        if (is_definition or is_declaration) and not (is_linked and self._keeps_records(value)):
            read_for_moving(value)
        if for_alias and not is_linked:
            made = self._prototypes.split(value)
        elif is_definition or (is_declaration and not isinstance(value, GlobalAlias | GlobalIFunc)):
            made = value
            self._prototypes.map_types(made)
        else:
            made = self._prototypes.declaration(value)
        move_global(made, self._destination)
        remangled = self._prototypes.remangled(made)
        if remangled is not made:
            self._destination.remove(made)
            return remangled
        self.moved[made] = None
        if is_linked or not for_alias:
            force_name(made, name)
        if isinstance(made, GlobalObject):
            made.comdat = self._comdat(comdat) if is_definition and comdat is not None else None
        if for_alias and not is_linked:
            made.linkage = Linkage.INTERNAL
        if is_definition:
            self._references.schedule(made)
        if there is None:
            return made
        self._replace(there, self._prototypes.cast(made, there.type))
        return self._prototypes.cast(made, self._types.get(value.type))

    def _keeps_records(self, value: GlobalValue) -> bool:
        """Leave the body of a function unread, if possible; return whether it is."""
        if self._carried is None or not isinstance(value, Function) or value.is_declaration:
            return False
        if self._types.get(value.value_type) is not value.value_type:
            return False
        complete_operands(value)
        if not carry_body(value, self._carried):
            return False
        read_deferred_metadata(self._source)
        self.has_records = True
        return True

    def _is_declaration(self, value: GlobalValue) -> bool:
        """Return whether a global of the source came as a declaration; copies for aliases take bodies away."""
        return value.is_declaration and value not in self._copies

    def _is_declared_again(self, value: GlobalValue, there: GlobalValue) -> bool:
        """Return whether a function, declared after its comdat lost, replaces the declaration of the destination."""
        is_definition = not self._is_declaration(value) and value.linkage is Linkage.EXTERNAL
        return is_definition and isinstance(value, Function) and isinstance(there, Function) and there.is_declaration

    def _replace(self, there: GlobalValue, successor: Constant) -> None:
        self._replaced[there] = successor
        self._losers.append(there)

    def _comdat(self, comdat: Comdat) -> Comdat:
        found = self._destination.comdats.setdefault(comdat.name, comdat)
        found.selection_kind = comdat.selection_kind
        return found

    def _drop_rest(self) -> None:
        """Drop definitions that are not linked: else they would use their replacements in the destination."""
        for value in self._own:
            is_unread = isinstance(value, Function) and not value.is_materialized
            if value not in self.moved and value.parent is self._source and not is_unread:
                discard_global(value)

    def _drop_losers(self) -> None:
        """Take symbols that were replaced out of the destination; their users are changed in the end."""
        for value in self._losers:
            self._destination.remove(value)
            self._nodes.replace(value, self._replaced[value], self._references.metadata.visited)
        self._gone += self._losers
        self._losers.clear()


def _remove_nocallback(value: Constant) -> None:
    """Remove `nocallback`, which holds as long as a function is in its own module."""
    if isinstance(value, Function) and not value.is_intrinsic and value.has_attribute("nocallback"):
        value.remove_attribute("nocallback")


def _without_chains(replaced: dict[Constant, Constant]) -> dict[Constant, Constant]:
    """Return replacements of which no value is replaced itself."""
    ends: dict[Constant, Constant] = {}
    for old, new in replaced.items():
        seen = {old}
        while new in replaced and new not in seen:
            seen.add(new)
            new = replaced[new]  # noqa: PLW2901 - it is followed to its end
        ends[old] = new
    return ends
