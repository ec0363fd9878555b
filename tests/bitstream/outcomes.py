"""All that a stream gives, in values that can be compared between the two forms of the package."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .forms import Form

Outcome = dict[str, Any]


def outcome(form: Form, data: bytes) -> Outcome:
    """Do all that can be done with `data`; anything but an error of the package's own is raised."""
    with form.active():
        try:
            stream = form.loads(data)
        except form.errors.BitcodecError as error:
            return {"opening": described(error)}
        columns = stream.decode()
        attempts: dict[str, Callable[[], Any]] = {
            "checked": lambda: stream.check(columns).end,
            "dump": lambda: digest(_dump(form, stream, columns)),
            "statistics": lambda: repr(form.statistics.block_statistics(columns)),
            "encoded": lambda: digest(form.encode(stream.payload, columns)),
            "top level": lambda: [repr(block) for block in stream.blocks],
            "draft": lambda: digest(_reopened(stream)),
        }
        found: Outcome = {"columns": digest_of_columns(columns), "error": columns.error and described(columns.error)}
        for name, attempt in attempts.items():
            try:
                found[name] = attempt()
            except form.errors.BitcodecError as error:
                found[name] = described(error)
        return found


def described(error: Exception) -> tuple[str, str]:
    """Return the name of an error's class and its message, which has to be one line."""
    assert "\n" not in str(error)
    return type(error).__name__, str(error)


def digest(data: bytes) -> str:
    return f"{len(data)} {hashlib.sha256(data).hexdigest()}"


def digest_of_columns(columns: Any) -> str:
    """Return a digest of every column, name by name."""
    hashed = hashlib.sha256()
    for part in ("blocks", "records", "blobs", "definitions", "abbreviations"):
        table = getattr(columns, part)
        for name in table.__slots__:
            column = getattr(table, name)
            hashed.update(f"{part}.{name} {column.format} {len(column)}".encode() + column.tobytes())
    hashed.update(columns.operands.tobytes() + repr(columns.end).encode())
    for entry in columns.block_infos:
        shared = {block_id: [str(one) for one in made] for block_id, made in entry.info.abbreviations.items()}
        hashed.update(repr((entry.from_row, shared, entry.info.block_names, entry.info.record_names)).encode())
    return hashed.hexdigest()


def _dump(form: Form, stream: Any, columns: Any) -> bytes:
    remarks = form.remarks.DumpRemarks(stream.payload, columns)
    table = form.names_of_llvm.LLVM_IR_NAMES
    return b"".join(form.dump.dump_chunks(stream.payload, columns, table=table, remarks=remarks))


def _reopened(stream: Any) -> bytes:
    """Return the bytes of a draft of which every block was opened."""
    draft = stream.edit()
    pending = list(draft.blocks)
    while pending:
        pending.extend(pending.pop().blocks)
    return bytes(draft.dumps())
