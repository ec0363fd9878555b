"""The whole output of `llvm-bcanalyzer`, made with the library as its commands make it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .forms import Form


def analyzer_text(form: Form, data: bytes, title: str, **options: bool) -> tuple[bytes, bytes]:
    """Return what `llvm-bcanalyzer --dump` and `llvm-bcanalyzer` print of `data`.

    Raises:
        BitstreamError: it is malformed.
    """
    stream = form.loads(data)
    columns = stream.columns
    payload = stream.payload
    table = form.names_of_llvm.LLVM_IR_NAMES
    if stream.kind is not form.StreamKind.LLVM_IR:
        table = form.names.NO_NAMES
    pieces = form.dump.dump_chunks(
        payload,
        columns,
        table=table,
        remarks=form.remarks.DumpRemarks(payload, columns),
        options=form.dump.DumpOptions(**options),
    )
    text = (f"{stream.wrapper}\n".encode() if stream.wrapper else b"") + b"".join(pieces)
    summary = _summary(form, stream, table, title)
    return text + b"\n\n" + summary, summary


def _summary(form: Form, stream: Any, table: Any, title: str) -> bytes:
    columns = stream.columns
    known = [columns.block_infos[-1].info] if columns.block_infos else []
    text: str = form.analyzer.summary(
        form.statistics.block_statistics(columns),
        title=title,
        kind=stream.kind,
        size=len(stream.payload) * 8,
        top_level_blocks=sum(parent < 0 for parent in columns.blocks.parent),
        names=form.names.Names(table, *known),
    )
    return text.encode()
