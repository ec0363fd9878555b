"""Compiles the extension modules that pyproject.toml lists: all of them, or none.

Compiled modules rely on each other's C types, so a part of them is of no use.  Without a C compiler the package is
installed without them and runs interpreted.
"""

from __future__ import annotations

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class BuildExtensions(build_ext):
    """Compiles on all cores, and removes what was built if one module could not be."""

    _has_failed = False

    def build_extensions(self) -> None:
        """Turn Python into C, in several processes, and compile that, in several threads."""
        jobs = self.parallel = self.parallel or os.cpu_count() or 1
        for made in cythonize(self.extensions, nthreads=jobs, build_dir=self.build_temp, language_level=3):
            next(extension for extension in self.extensions if extension.name == made.name).sources = made.sources
        if self.compiler.compiler_type == "unix":
            for extension in self.extensions:
                extension.extra_compile_args += ["-O2", "-g0"]
        super().build_extensions()
        if self._has_failed:
            self._remove([Path(self.get_ext_fullpath(extension.name)) for extension in self.extensions])

    def build_extension(self, ext: Extension) -> None:
        """Compile one module, and remember if that fails: `optional` lets the installation go on."""
        try:
            super().build_extension(ext)
        except BaseException:
            self._has_failed = True
            raise

    def copy_extensions_to_source(self) -> None:
        """Copy what was built to the sources; what an earlier build has left there does not fit the rest."""
        if self._has_failed:
            self._remove(
                [
                    Path(self._get_inplace_equivalent(self.get_finalized_command("build_py"), extension)[0])
                    for extension in self.extensions
                ]
            )
        else:
            super().copy_extensions_to_source()

    def _remove(self, files: list[Path]) -> None:
        for file in files:
            file.unlink(missing_ok=True)


setup(cmdclass={"build_ext": BuildExtensions})
