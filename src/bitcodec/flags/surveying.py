"""Conflicts among many modules: by key, by value, and by input.

Modules are read and dropped one by one.  The memory used is proportional to the answer: for each key the different
values, of each value the first inputs that have it, and how many there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.combining import Combiner
from bitcodec.flags.diagnostics import DiagnosticKind
from bitcodec.flags.explaining import advice, meaning_of
from bitcodec.flags.rules import LANGREF, Choice
from bitcodec.flags.spelling import spelled
from bitcodec.ir.context import Context
from bitcodec.ir.importing import Importer
from bitcodec.ir.metadata import MDNode, MDString, constant_integer
from bitcodec.ir.module_flags import ModuleFlag
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.known_flags import KNOWN_FLAGS, FlagMeaning
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from bitcodec.flags.rules import Dialect
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.module_flags import FlagProblem, ModuleFlags

__all__ = [
    "ConflictReport",
    "FlagConflict",
    "FlagSurvey",
    "MalformedInput",
    "ValueGroup",
    "conflicts",
    "detached_flag",
    "flag_content",
]

_MOST_NAMES = 100
_MOST_VALUES = 64
"""Maximum number of values of one key; a longer answer helps nobody."""
_LISTS = {Behavior.APPEND, Behavior.APPEND_UNIQUE}
_LONGEST = 200
"""Characters of a value."""


class ValueGroup(NamedTuple):
    """The inputs with the same flag for a key.

    Attributes:
        behavior: the behaviour that the flag has there.
        value: its value; None for lists, whose contents never conflict.
        size: number of inputs.
        inputs: the first of them, in order.
        text: the value as text, "" for lists.
        meaning: meaning of the value, "" if unknown.
        option: option of the compiler that results in it; "" if unknown.
    """

    behavior: Behavior
    value: Metadata | None
    size: int
    inputs: tuple[str, ...]
    text: str
    meaning: str
    option: str


class FlagConflict(NamedTuple):
    """A key with different flags in inputs that must agree.

    Attributes:
        key: of the flag.
        kinds: kinds of conflict.
        groups: the different flags, the most frequent first.
        required: unmet requirements of some inputs.
        absent: number of inputs with flags that lack it.
        more_values: number of inputs with values beyond those in `groups`.
    """

    key: str
    kinds: tuple[DiagnosticKind, ...]
    groups: tuple[ValueGroup, ...]
    required: tuple[ValueGroup, ...]
    absent: int
    more_values: int

    @property
    def is_error(self) -> bool:
        """Whether it stops a link."""
        return any(kind.is_error for kind in self.kinds)

    @property
    def minority(self) -> ValueGroup | None:
        """The least frequent flag, None if there is no single one."""
        if len(self.groups) < 2 or self.groups[-1].size == self.groups[-2].size:
            return None
        return self.groups[-1]

    @property
    def is_settable(self) -> bool:
        """Whether the minority could have the value of the others without being compiled again."""
        row, minority = KNOWN_FLAGS.get(self.key), self.minority
        if row is None or row.is_settable:
            return True
        return minority is not None and minority.text == self.groups[0].text

    @property
    def advice(self) -> str:
        """Advice for the user."""
        minority = self.minority
        if minority is None:
            return advice(self.key)
        most = self.groups[0]
        verb = f"compile with {most.option}" if most.option else f"make it {most.text} ({most.behavior.spelling})"
        inputs = "1 input" if minority.size == 1 else f"{minority.size} inputs"
        return f"{inputs} against {most.size}: {verb}. {advice(self.key)}".rstrip()


class MalformedInput(NamedTuple):
    """An input with flags that break the rules of LLVM's verifier.

    Attributes:
        input: its name.
        problem: the first that is wrong.
    """

    input: str
    problem: FlagProblem


class ConflictReport(NamedTuple):
    """Conflicts among many modules.

    Attributes:
        inputs: number of inputs.
        conflicts: by key, errors first, then in the order in which keys were found.
        malformed: the first inputs with flags that break rules by themselves.
    """

    inputs: int
    conflicts: tuple[FlagConflict, ...]
    malformed: tuple[MalformedInput, ...]


def conflicts(
    inputs: Iterable[tuple[str, ModuleFlags]], *, dialect: Dialect = LANGREF, most_names: int = _MOST_NAMES
) -> ConflictReport:
    """Return the conflicts among the flags of many modules, if they are linked in this order.

    Args:
        inputs: names of modules and their flags; each is dropped before the next is requested.
        dialect: the rules.
        most_names: number of inputs to name for each value.

    Raises:
        BitcodecError: metadata of a module is malformed.
    """
    survey = FlagSurvey(dialect, most_names=most_names)
    for name, flags in inputs:
        survey.add(name, flags)
    return survey.report()


class _Carriers:
    """Inputs with the same flag: their number, and the first of them."""

    __slots__ = ("count", "flag", "inputs")

    def __init__(self, flag: ModuleFlag) -> None:
        self.flag = flag
        self.count = 0
        self.inputs: list[str] = []


class _Tally:
    """Flags of one key by behaviour and value, in the order in which they were found first."""

    __slots__ = ("carriers", "count", "more_values")

    def __init__(self) -> None:
        self.carriers: dict[tuple[Behavior, Hashable], _Carriers] = {}
        self.count = 0
        self.more_values = 0

    @property
    def groups(self) -> tuple[ValueGroup, ...]:
        """The groups, the one with the most inputs first."""
        return tuple(sorted(map(_group, self.carriers.values()), key=lambda group: -group.size))


class FlagSurvey:
    """Looks at the flags of one module after another.

    Args:
        dialect: the rules.
        most_names: how many inputs to name for each value.
    """

    def __init__(self, dialect: Dialect = LANGREF, *, most_names: int = _MOST_NAMES) -> None:
        self._dialect = dialect
        self._most_names = most_names
        self._context = Context()
        self._combiner = Combiner(self._context)
        self._inputs = self._with_flags = 0
        self._flags: dict[str, _Tally] = {}
        self._required: dict[str, _Tally] = {}
        self._malformed: list[MalformedInput] = []

    def add(self, name: str, flags: ModuleFlags) -> None:
        """Add the flags of one more module.

        Raises:
            BitcodecError: metadata of the module is malformed.
        """
        self._inputs += 1
        self._with_flags += flags.is_present
        for flag in flags.entries.values():
            wanted = flag.requirement
            if wanted is None:
                self._count(self._flags, flag.key, flag, name)
            else:
                self._count(self._required, wanted.key, flag._replace(value=wanted.value), name)
        problems = flags.check(is_linked=False)
        if problems and len(self._malformed) < self._most_names:
            self._malformed.append(MalformedInput(name, problems[0]))

    def _count(self, tallies: dict[str, _Tally], key: str, flag: ModuleFlag, name: str) -> None:
        tally = tallies.get(key)
        if tally is None:
            tally = tallies[key] = _Tally()
        tally.count += 1
        said = flag.behavior, flag_content(flag)
        carriers = tally.carriers.get(said)
        if carriers is None:
            if len(tally.carriers) >= _MOST_VALUES:
                tally.more_values += 1
                return
            carriers = tally.carriers[said] = _Carriers(detached_flag(flag, self._context))
        carriers.count += 1
        if carriers.count <= self._most_names:
            carriers.inputs.append(name)

    # Judging

    def report(self) -> ConflictReport:
        """Return the conflicts so far."""
        found = [self._conflict(key) for key in dict.fromkeys((*self._flags, *self._required))]
        errors_first = sorted(filter(None, found), key=lambda conflict: not conflict.is_error)
        return ConflictReport(self._inputs, tuple(errors_first), tuple(self._malformed))

    def _conflict(self, key: str) -> FlagConflict | None:
        tally, required = self._flags.get(key) or _Tally(), self._required.get(key)
        flags = [carriers.flag for carriers in tally.carriers.values()]
        result, kinds = self._folded(flags)
        absent = self._with_flags - tally.count
        if result is not None and result.behavior is Behavior.MIN and absent:
            result = self._combiner.zero(result)
        unmet = required is not None and any(
            result is None or (result.behavior not in _LISTS and result.value != carriers.flag.value)
            for carriers in required.carriers.values()
        )
        if unmet:
            kinds[DiagnosticKind.UNMET_REQUIREMENT] = None
        if not kinds:
            return None
        wanted = required.groups if required is not None and unmet else ()
        return FlagConflict(key, tuple(kinds), tally.groups, wanted, absent, tally.more_values)

    def _folded(self, flags: Sequence[ModuleFlag]) -> tuple[ModuleFlag | None, dict[DiagnosticKind, None]]:
        """Return the merged flag of one key, and the kinds of conflict, both while merging and with each flag."""
        kinds: dict[DiagnosticKind, None] = {}
        result = flags[0] if flags else None
        for flag in (*flags[1:], *flags):
            if result is not None and flag is not result:
                result = self._met(result, flag, kinds)
        return result, kinds

    def _met(self, there: ModuleFlag, flag: ModuleFlag, kinds: dict[DiagnosticKind, None]) -> ModuleFlag:
        rule = self._dialect.rules.get((there.behavior, flag.behavior))
        if rule is None:
            kinds[DiagnosticKind.CONFLICTING_BEHAVIORS] = None
            return there
        if rule.difference is not None and there.value != flag.value:
            kinds[rule.difference] = None
        if rule.choice in (Choice.BOTH, Choice.BOTH_ONCE):
            return there
        result = self._combiner.combined(rule.choice, there, flag)
        if result is None:
            kinds[DiagnosticKind.NOT_MERGEABLE] = None
        return result or there


def detached_flag(flag: ModuleFlag, context: Context) -> ModuleFlag:
    """Return a copy in another context, which keeps nothing of its module alive; lists are left out."""
    importer = Importer(context, lambda value: value)
    value = None if flag.behavior in _LISTS else importer.metadata(flag.value)
    number = context.constants.integer(context.types.integer(32), flag.behavior)
    table = context.metadata
    node = table.tuple([table.value(number), table.string(flag.key), value])
    return ModuleFlag(flag.behavior, flag.key, value, node)


def flag_content(flag: ModuleFlag) -> Hashable:
    """Return a key that is equal for equal values of two modules, whatever their contexts; one for all lists."""
    value = flag.value
    if flag.behavior in _LISTS:
        return None
    number = constant_integer(value)
    if number is not None:
        return number.type.bit_width, number.value
    if isinstance(value, MDString):
        return value
    if isinstance(value, MDNode) and value.is_distinct:
        return object()
    return spelled(value)


def _group(carriers: _Carriers) -> ValueGroup:
    flag = carriers.flag
    text = "" if flag.behavior in _LISTS else spelled(flag.value, most_characters=_LONGEST)
    meaning = meaning_of(flag.key, flag.value) or FlagMeaning("")
    return ValueGroup(
        flag.behavior, flag.value, carriers.count, tuple(carriers.inputs), text, meaning.text, meaning.option
    )
