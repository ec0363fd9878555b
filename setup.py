"""Compiles the extension modules that pyproject.toml lists: all of them, or none.

Compiled modules rely on each other's C types, so a part of them is of no use.  Without a C compiler the package is
installed without them and runs interpreted.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

_SHARED = "_cython"
"""The module that holds once what Cython else puts into each: views of memory, for one."""


_FOR_SIZE = (
    "ir.basic_blocks",
    "ir.debug_records",
    "ir.instructions.arithmetic",
    "ir.instructions.calls",
    "ir.instructions.control_flow",
    "ir.instructions.exceptions",
    "ir.instructions.memory",
    "ir.instructions.vectors",
    "ir.members",
    "ir.metadata_values",
)
"""Modules of the model without loops over whole modules: a wheel has them compiled for size, the others for speed."""


class BuildExtensions(build_ext):
    """Compiles on all cores, and removes the results if one module cannot be compiled."""

    _has_failed = False
    _is_in_place = False

    def finalize_options(self) -> None:
        """Add the module that the others share."""
        modules = self.distribution.ext_modules
        self._shared = f"{modules[0].name.partition('.')[0]}.{_SHARED}"
        if all(extension.name != self._shared for extension in modules):
            modules.append(Extension(self._shared, [], optional=True))
        super().finalize_options()

    def run(self) -> None:
        """Compile all modules."""
        self._is_in_place = bool(self.inplace or self.editable_mode)
        super().run()

    def build_extensions(self) -> None:
        """Turn Python into C, in several processes, and compile that, in several threads."""
        jobs = self.parallel = self.parallel or os.cpu_count() or 1
        modules = cythonize(
            self.extensions,
            nthreads=jobs,
            build_dir=self.build_temp,
            language_level=3,
            shared_utility_qualified_name=self._shared,
        )
        for made in modules:
            next(extension for extension in self.extensions if extension.name == made.name).sources = made.sources
        if self.compiler.compiler_type == "unix":
            for extension in self.extensions:
                extension.extra_compile_args += ["-O2", "-g0"]
                # Profilers need names of functions and unwind tables; a wheel is smaller without them.
                if not self._is_in_place:
                    extension.extra_compile_args += ["-fno-asynchronous-unwind-tables", "-DCYTHON_CLINE_IN_TRACEBACK=0"]
                    extension.extra_compile_args += ["-Os"] * extension.name.endswith(_FOR_SIZE)
                extension.extra_link_args += ["-s"] * (sys.platform == "linux" and not self._is_in_place)
        super().build_extensions()
        if self._has_failed:
            _remove([self.get_ext_fullpath(extension.name) for extension in self.extensions])

    def build_extension(self, ext: Extension) -> None:
        """Compile one module, and remember a failure: `optional` lets the installation continue."""
        try:
            super().build_extension(ext)
        except BaseException:
            self._has_failed = True
            raise

    def copy_extensions_to_source(self) -> None:
        """Copy the results to the sources; after a failure remove those of an earlier build there."""
        if self._has_failed:
            packages = self.get_finalized_command("build_py")
            _remove([self._get_inplace_equivalent(packages, extension)[0] for extension in self.extensions])
        else:
            super().copy_extensions_to_source()


def _remove(files: list[str]) -> None:
    for file in files:
        Path(file).unlink(missing_ok=True)


setup(cmdclass={"build_ext": BuildExtensions})
