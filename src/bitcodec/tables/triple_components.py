"""Components of target triples.  Rules: LLVM 22, `Triple`."""

from __future__ import annotations

from bitcodec.named_tuple import NamedTuple

__all__ = ["Triple", "components_of"]

_WINDOWS = ("windows", "win32", "mingw", "cygwin")
_DARWIN = ("darwin", "macosx", "macos", "ios", "watchos", "tvos", "xros", "visionos", "driverkit", "bridgeos")


def components_of(triple: str) -> tuple[str, str, str, str]:
    """Return architecture, vendor, system and environment by position, "" for those that are missing."""
    architecture, vendor, system, environment = (*triple.split("-", 3), "", "", "")[:4]
    return architecture, vendor, system, environment


class Triple(NamedTuple):
    """A triple whose components count in any position, because LLVM's tools add the missing ones.

    Attributes:
        architecture: its first component.
        others: vendor, system and environment, as far as given.
    """

    architecture: str
    others: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Triple:
        """Return the parts of a triple."""
        architecture, *others = text.split("-")
        return cls(architecture, tuple(others))

    def names(self, *beginnings: str) -> bool:
        """Return whether a component other than the architecture begins so."""
        return any(component.startswith(beginnings) for component in self.others)

    @property
    def is_windows(self) -> bool:
        """Whether the system is Windows."""
        return self.names(*_WINDOWS)

    @property
    def is_msvc(self) -> bool:
        """Whether the environment is Microsoft's, which is the default on Windows."""
        return self.names("windows", "win32") and not self.names("gnu", "cygnus", "itanium", "elf", "macho", "coreclr")

    @property
    def is_apple(self) -> bool:
        """Whether the system is one of Apple's."""
        return self.names(*_DARWIN)

    @property
    def is_aix(self) -> bool:
        """Whether the system is AIX."""
        return self.names("aix")

    @property
    def is_linux(self) -> bool:
        """Whether the system is Linux."""
        return self.names("linux")

    @property
    def is_x86_64(self) -> bool:
        """Whether the architecture is x86-64."""
        return self.architecture in ("x86_64", "x86_64h", "amd64")

    @property
    def function_prefix(self) -> str:
        """Prefix of the library's function names: Arm64EC marks functions that are not called from x86-64."""
        return "#" if self.architecture == "arm64ec" else ""

    @property
    def mangling(self) -> str:
        """The letter of the format of object files in a data layout, except on 32-bit x86 and MIPS."""
        if self.is_apple or "macho" in self.others:
            return "o"
        if (self.is_windows or self.names("uefi")) and "elf" not in self.others:
            return "w"
        return "a" if self.is_aix else "e"
