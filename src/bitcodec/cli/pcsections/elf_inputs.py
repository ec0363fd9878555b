"""The ELF files that the user names: directly, or as members of archives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.files import Files
from bitcodec.cli.inputs import label, read
from bitcodec.cli.problems import Failure, reported
from bitcodec.containers import FileKind, detect
from bitcodec.containers.archive import archive_members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["each_elf"]


_BITCODE = {FileKind.BITSTREAM, FileKind.WRAPPER}


class _OnlyBitcode(Failure):
    """An archive has members, and all are bitcode."""


def each_elf(
    paths: Sequence[str],
    use: Callable[[str, memoryview], object],
    title: str,
    *,
    on_bitcode: Callable[[str], object] | None = None,
) -> Files:
    """Call a function with name and content of each ELF file; errors in one are shown.

    Args:
        paths: the files: ELF files, and archives that contain some.
        use: the function.
        title: of the progress bar.
        on_bitcode: called with each archive that contains nothing but bitcode. Default: that is an error.
    """
    files = Files(paths)

    def take(path: str) -> None:
        try:
            for name, data in _elf_files(path):
                with reported(name):
                    use(name, data)
        except _OnlyBitcode:
            if on_bitcode is None:
                raise
            on_bitcode(path)

    files.each(take, title)
    return files


def _elf_files(path: str) -> Iterator[tuple[str, memoryview]]:
    """Yield the file, or the ELF files that are members of it.

    Raises:
        Failure: it cannot be read, or is malformed.
    """
    data = read(path, check=_check_head)
    if detect(data) is not FileKind.ARCHIVE:
        yield path, data
        return
    with reported(path):
        members = list(archive_members(data))
    objects = [(each.name, data[each.start : each.start + each.size]) for each in members]
    kinds = [detect(content) for _, content in objects]
    if FileKind.ELF not in kinds:
        others = f"; members are of another kind ({', '.join(dict.fromkeys(kind.label for kind in kinds))})"
        failure = _OnlyBitcode if kinds and _BITCODE.issuperset(kinds) else Failure
        raise failure(f"{path}: no member of this archive is an ELF object{others if kinds else ''}")
    objects = [each for each, kind in zip(objects, kinds, strict=True) if kind is FileKind.ELF]
    for name, content in objects:
        yield label(path, name), content


def _check_head(head: bytes) -> None:
    if detect(head) is not FileKind.ARCHIVE:
        from bitcodec.pcsections.decoding.decode import check_head  # noqa: PLC0415 - `--help` need not wait for it

        check_head(head)
