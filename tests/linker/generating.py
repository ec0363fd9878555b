"""Makes sets of modules whose symbols, comdats, types, metadata and flags meet in every way, as text."""

from __future__ import annotations

from random import Random

__all__ = ["generate_set"]

_NAMES = [f"s{number}" for number in range(7)]
_KINDS = ("variable", "variable", "variable", "function", "function", "function", "alias", "ifunc")
_DEFINED = (
    "", "", "weak ", "weak_odr ", "linkonce ", "linkonce_odr ", "available_externally ", "internal ", "private ",
)  # fmt: skip
_INDIRECT = ("", "weak ", "weak_odr ", "linkonce ", "linkonce_odr ", "internal ", "private ")
_VISIBILITIES = ("", "", "", "hidden ", "protected ")
_UNNAMED = ("", "", "local_unnamed_addr ", "unnamed_addr ")
_SELECTIONS = ("any", "any", "any", "largest", "exactmatch", "samesize", "nodeduplicate")
_STRUCTS = ("{ i32 }", "{ i32, ptr }", "{ i64 }", "<{ i8, i32 }>", "{ [2 x i32] }", "opaque")
_LAYOUTS = ("e-m:e-p:32:32-i64:64", "e-p:32:32-i64:64-m:e", "e-m:e-i64:64", "e")
_TRIPLES = ("x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu", "aarch64-unknown-linux-gnu")


def generate_set(seed: int) -> list[str]:
    """Return the texts of 2 to 5 modules; the same for the same seed."""
    random = Random(seed)
    kinds = {name: random.choice(_KINDS) for name in _NAMES}
    with_conflicts = random.random() < 0.3
    strong: dict[str, int] = {}
    plan = _Plan(kinds, strong, with_conflicts, random.choice((0, 0, 1)), random.choice(_SELECTIONS))
    return [_Module(random, plan, number).text() for number in range(random.randint(2, 5))]


class _Plan:
    """What the modules of a set have in common."""

    def __init__(
        self, kinds: dict[str, str], strong: dict[str, int], with_conflicts: bool, has_targets: int, selection: str
    ) -> None:
        self.kinds = kinds
        self.strong = strong
        self.with_conflicts = with_conflicts
        self.has_targets = has_targets
        self.selection = selection


class _Module:
    def __init__(self, random: Random, plan: _Plan, number: int) -> None:
        self.random = random
        self.plan = plan
        self.number = number
        self.lines: list[str] = []
        self.comdats: dict[str, str] = {}
        self.kinds: dict[str, str] = {}
        self.is_definition: dict[str, bool] = {}
        self.linkages: dict[str, str] = {}
        self.structs = random.sample(_STRUCTS, 3)

    def text(self) -> str:
        random = self.random
        names = random.sample(_NAMES, random.randint(2, len(_NAMES)))
        for name in names:
            self._plan_symbol(name)
        for name in list(names):
            if self.kinds[name] in {"alias", "ifunc"} and not self._targets(name):
                self.kinds[name], self.is_definition[name], self.linkages[name] = "variable", False, "external "
        order = random.sample(names, len(names))
        bodies = [self._symbol(name) for name in order]
        head = self._head()
        if "ifunc" in self.kinds.values():
            linkage = random.choice(("internal ", "linkonce_odr ", "weak "))
            bodies.append(f"define {linkage}ptr @resolver() {{ ret ptr {self._address()} }}")
        return "\n".join([*head, *bodies, *self._appending(), *self._metadata(), ""])

    def _plan_symbol(self, name: str) -> None:
        random = self.random
        kind = self.plan.kinds[name] if random.random() < 0.9 else random.choice(_KINDS)
        is_definition = kind in {"alias", "ifunc"} or random.random() < 0.65
        if kind in {"alias", "ifunc"}:
            linkage = random.choice(_INDIRECT)
        elif is_definition:
            linkage = random.choice((*_DEFINED, "common ") if kind == "variable" else _DEFINED)
        else:
            linkage = random.choice(("", "", "extern_weak "))
            if kind == "variable" and not linkage:
                linkage = "external "
        must_be_alone = is_definition and not linkage and not self.plan.with_conflicts
        if must_be_alone and self.plan.strong.setdefault(name, self.number) != self.number:
            linkage = "weak "
        self.kinds[name], self.is_definition[name], self.linkages[name] = kind, is_definition, linkage

    def _head(self) -> list[str]:
        random = self.random
        head = [f'source_filename = "m{self.number}"']
        if self.plan.has_targets:
            if random.random() < 0.7:
                head.append(f'target datalayout = "{random.choice(_LAYOUTS)}"')
            if random.random() < 0.7:
                head.append(f'target triple = "{random.choice(_TRIPLES)}"')
        if random.random() < 0.3:
            head.append(f'module asm ".globl a{self.number}"')
        head += [f"${name} = comdat {kind}" for name, kind in self.comdats.items()]
        head += [f"%T{number} = type {body}" for number, body in enumerate(self.structs)]
        return head

    def _properties(self, name: str) -> tuple[str, str]:
        linkage = self.linkages[name]
        is_local = linkage in {"internal ", "private "}
        visibility = "" if is_local else self.random.choice(_VISIBILITIES)
        return linkage + visibility, self.random.choice(_UNNAMED)

    def _comdat(self, name: str) -> str:
        random = self.random
        if self.linkages[name] in {"available_externally ", "common "} or random.random() < 0.6:
            return ""
        group = name if random.random() < 0.7 else random.choice(_NAMES)
        kind = self.plan.selection if random.random() < 0.9 else random.choice(_SELECTIONS)
        self.comdats.setdefault(group, kind)
        return f" comdat(${group})"

    def _symbol(self, name: str) -> str:
        return getattr(self, f"_{self.kinds[name]}")(name)

    def _type(self) -> str:
        usable = [f"%T{number}" for number, body in enumerate(self.structs) if body != "opaque"]
        return self.random.choice(("i32", "i32", "i64", "ptr", "[2 x ptr]", *usable))

    def _variable(self, name: str) -> str:
        random = self.random
        before, unnamed = self._properties(name)
        type_ = self._type()
        word = random.choice(("global", "global", "constant"))
        after = random.choice(("", "", ", align 4", ", align 16", ', section "sec"'))
        if not self.is_definition[name]:
            return f"@{name} = {before}{unnamed}{word} {type_}{after}"
        if self.linkages[name] == "common ":
            after = random.choice(("", ", align 4", ", align 16"))
            return f"@{name} = {before}{unnamed}global {type_} zeroinitializer{after}"
        attached = random.choice(("", "", "", ", !a !1", ", !a !0"))
        return (
            f"@{name} = {before}{unnamed}{word} {type_} {self._value(type_)}{after}{self._with_comma(name)}{attached}"
        )

    def _with_comma(self, name: str) -> str:
        comdat = self._comdat(name)
        return f",{comdat}" if comdat else ""

    def _value(self, type_: str) -> str:
        random = self.random
        if type_ in {"i32", "i64"}:
            return str(random.randint(0, 3))
        if type_ == "ptr":
            return self._address()
        if type_ == "[2 x ptr]":
            return f"[ptr {self._address()}, ptr {self._address()}]"
        if type_.startswith("%") and self.structs[int(type_[2:])] == "{ i32, ptr }":
            return f"{{ i32 1, ptr {self._address()} }}"
        return random.choice(("zeroinitializer", "zeroinitializer", "undef"))

    def _address(self) -> str:
        name = self.random.choice([*self.kinds, "null"])
        if name == "null":
            return "null"
        if self.random.random() < 0.15:
            return f"getelementptr (i8, ptr @{name}, i64 {self.random.randint(1, 3)})"
        return f"@{name}"

    def _function(self, name: str) -> str:
        random = self.random
        before, unnamed = self._properties(name)
        attributes = random.choice(("", "", " nounwind", " nocallback nounwind", ' "key"="value"'))
        if not self.is_definition[name]:
            return f"declare {before}void @{name}() {unnamed}{attributes}"
        lines = [f"define {before}void @{name}() {unnamed}{attributes}{self._comdat(name)}{self._suffix()} {{"]
        lines += ["  " + self._instruction(number) for number in range(random.randint(0, 3))]
        return "\n".join([*lines, "  ret void", "}"])

    def _suffix(self) -> str:
        return self.random.choice(("", "", "", f" prefix ptr {self._address()}", " !a !1"))

    def _instruction(self, number: int) -> str:
        random = self.random
        pointer = self._address()
        if pointer == "null":
            pointer = "undef"
        usable = [f"%T{index}" for index, body in enumerate(self.structs) if body != "opaque"]
        choice = random.randint(0, 5)
        if choice <= 1:
            return f"call void {pointer}()" if pointer != "undef" else "call void undef() nocallback"
        if choice == 2:
            return f"store ptr {pointer}, ptr {self._address()}"
        if choice == 3:
            return f"%v{number} = load i32, ptr {pointer}" + random.choice(("", ", !a !0"))
        if choice == 4:
            return f"%v{number} = alloca {random.choice(usable)}"
        return f"%v{number} = getelementptr {random.choice(usable)}, ptr {pointer}, i64 0"

    def _targets(self, name: str) -> list[str]:
        if self.kinds[name] == "ifunc":
            return ["resolver"]
        wanted = {"function", "variable"}
        return [
            other
            for other, kind in self.kinds.items()
            if kind in wanted
            and self.is_definition[other]
            and self.linkages[other] not in {"available_externally ", "common "}
        ]

    def _alias(self, name: str) -> str:
        before, unnamed = self._properties(name)
        target = self.random.choice(self._targets(name))
        return f"@{name} = {before}{unnamed}alias i32, ptr @{target}"

    def _ifunc(self, name: str) -> str:
        before, _ = self._properties(name)
        return f"@{name} = {before}ifunc void (), ptr @{self.random.choice(self._targets(name))}"

    def _appending(self) -> list[str]:
        random = self.random
        lines = []
        definitions = [name for name, is_definition in self.is_definition.items() if is_definition]
        if definitions and random.random() < 0.4:
            used = [f"ptr @{random.choice(definitions)}" for _ in range(random.randint(1, 2))]
            lines.append(
                f'@llvm.used = appending global [{len(used)} x ptr] [{", ".join(used)}], section "llvm.metadata"'
            )
        functions = [name for name in definitions if self.kinds[name] == "function"]
        if functions and random.random() < 0.3:
            key = random.choice(("null", f"@{random.choice(functions)}"))
            entry = f"{{ i32, ptr, ptr }} {{ i32 65535, ptr @{random.choice(functions)}, ptr {key} }}"
            lines.append(f"@llvm.global_ctors = appending global [1 x {{ i32, ptr, ptr }}] [{entry}]")
        return lines

    def _metadata(self) -> list[str]:
        random = self.random
        target = random.choice(list(self.kinds))
        lines = ['!0 = !{!"shared"}', f"!1 = !{{ptr @{target}, i32 {random.randint(0, 2)}}}", "!2 = distinct !{!0}"]
        if random.random() < 0.6:
            lines.append(f"!named = !{{{', '.join(random.choices(('!0', '!1', '!2'), k=random.randint(1, 3)))}}}")
        if random.random() < 0.2:
            lines.append(f"!other{self.number % 2} = !{{}}")
        if random.random() < 0.5:
            return lines + self._flags()
        return lines

    def _flags(self) -> list[str]:
        random = self.random
        behavior = random.choice((1, 2, 7, 8)) if self.plan.with_conflicts else random.choice((2, 7))
        return [
            "!llvm.module.flags = !{!10, !11}",
            f'!10 = !{{i32 7, !"max", i32 {random.randint(0, 3)}}}',
            f'!11 = !{{i32 {behavior if self.plan.with_conflicts else 7}, !"flag", i32 {random.randint(0, 2)}}}',
        ]
