"""Text of our functions' heads and other globals, of labels and of debug records, as llvm-dis 22 writes them.

Rules: docs/reference/text.md, 6, 7, 8 and 10.
"""

from __future__ import annotations

from typing import Any

from bitcodec import ir
from bitcodec.tables import calling_conventions

from .value_text import ValueText, identifier, quoted, words


def variable_text(variable: Any, text: ValueText) -> str:
    initializer = variable.initializer
    linkage = variable.linkage.spelling
    head = words(
        text.value(variable),
        "=",
        "external" if initializer is None and linkage == "external" else "",
        *_symbol_words(variable),
        f"addrspace({variable.address_space})" if variable.address_space else "",
        "externally_initialized" if variable.is_externally_initialized else "",
        "constant" if variable.is_constant else "global",
        text.type(variable.value_type),
        "" if initializer is None else text.value(initializer),
    )
    tail = [
        _named("section", variable.section),
        _named("partition", variable.partition),
        "" if variable.code_model is None else _named("code_model", variable.code_model.spelling),
        *(flag for flag in _SANITIZER_FLAGS if getattr(variable, flag)),
        _comdat(variable),
        f"align {variable.alignment}" if variable.alignment else "",
    ]
    return words(", ".join(filter(None, (head, *tail))), group_text(variable.attributes, text))


def alias_text(alias: Any, text: ValueText) -> str:
    return _indirect(alias, "alias", alias.aliasee, text)


def ifunc_text(ifunc: Any, text: ValueText) -> str:
    return _indirect(ifunc, "ifunc", ifunc.resolver, text)


def _indirect(value: Any, word: str, target: Any, text: ValueText) -> str:
    shown = text.value(target) if isinstance(target, ir.ConstantExpr) else text.typed(target)
    head = words(text.value(value), "=", *_symbol_words(value), word, text.type(value.value_type))
    return ", ".join(filter(None, (head, shown, _named("partition", value.partition))))


def function_text(function: Any, text: ValueText) -> str:
    attributes = function.attributes
    is_declaration = function.is_declaration
    parameters = [
        words(
            text.type(argument.type),
            attributes.for_parameter(index).spelled(type_text=text.type),
            "" if is_declaration else text.value(argument),
        )
        for index, argument in enumerate(function.arguments)
    ]
    if function.is_vararg:
        parameters.append("...")
    *symbol_words, unnamed_address = _symbol_words(function)
    held = (function.prefix_data, function.prologue_data, function.personality)
    return words(
        "declare" if is_declaration else "define",
        *symbol_words,
        calling_convention(function),
        attributes.for_return.spelled(type_text=text.type),
        text.type(function.return_type),
        f"{text.value(function)}({', '.join(parameters)})",
        unnamed_address,
        program_address_space(function.address_space, function.parent),
        group_text(attributes.for_function, text),
        _named("section", function.section),
        _named("partition", function.partition),
        _comdat(function),
        f"align {function.alignment}" if function.alignment else "",
        f'gc "{function.garbage_collector}"' if function.garbage_collector else "",
        *(f"{word} {text.typed(value)}" for word, value in zip(_HELD, held, strict=True) if value is not None),
    )


_HELD = ("prefix", "prologue", "personality")
_SANITIZER_FLAGS = ("no_sanitize_address", "no_sanitize_hwaddress", "sanitize_memtag", "sanitize_address_dyninit")


def _symbol_words(value: Any) -> tuple[str, ...]:
    linkage, visibility = value.linkage.spelling, value.visibility.spelling
    is_local = linkage in {"private", "internal"} or (visibility != "default" and linkage != "extern_weak")
    return (
        "" if linkage == "external" else linkage,
        "dso_local" if value.is_dso_local and not is_local else "",
        "" if visibility == "default" else visibility,
        value.dll_storage_class.spelling,
        value.thread_local_mode.spelling,
        value.unnamed_address.spelling,
    )


def _named(word: str, name: str) -> str:
    return f"{word} {quoted(name)}" if name else ""


def _comdat(value: Any) -> str:
    if value.comdat is None:
        return ""
    name = value.comdat.name
    return "comdat" if name == value.name else f"comdat({identifier('$', name)})"


def calling_convention(value: Any) -> str:
    number = value.calling_convention
    return calling_conventions.spelling(number) if number else ""


def program_address_space(space: int, module: Any) -> str:
    return f"addrspace({space})" if space or module.data_layout.program_address_space else ""


def group_text(attributes: Any, text: ValueText) -> str:
    """Return what a group of attributes says, in place of its number."""
    return f"#{{ {attributes.spelled(in_group=True, type_text=text.type)} }}" if attributes else ""


def label_text(block: Any, text: ValueText) -> str:
    """Return the line in front of a block, "" if there is none."""
    label = f"{text.value(block).removeprefix('%')}:"
    if block is block.parent.entry_block:
        return label if block.name else ""
    # One for each way to it; what was added last comes first.
    origins = [text.value(user.parent) for user in reversed(block.users) if isinstance(user, ir.Terminator)]
    return f"{label} ; preds = {', '.join(origins)}" if origins else f"{label} ; No predecessors!"


def record_text(record: Any, text: ValueText) -> str:
    """Return the text of a debug record."""
    if isinstance(record, ir.DbgLabelRecord):
        return f"#dbg_label({text.node(record.label)}, {text.node(record.location)})"
    parts = [record.value, record.variable, record.expression]
    if record.assign_id is not None:
        parts += [record.assign_id, record.address, record.address_expression]
    return f"#{record.kind}({', '.join(map(text.metadata, (*parts, record.location)))})"
