"""Compiles the files whose first line begins with `# cython:`: all of them, or none.

Compiled modules rely on each other's C types, so a part of them is of no use.  Without a C compiler, or with
`BITCODEC_PURE=1` in the environment, the package is installed without them and runs interpreted.

Most compiled code calls Python objects more than it computes, so that it is as fast however it is optimized.  A line
`# compiled:` in the header of a file requests more: `for speed` where the code is slower if little of it is optimized,
`with loops` where what a debugger needs makes it slower.

In place, each module gets a file of its own, so that a change compiles that module only.  A wheel has one file with all
of them (`_native`, which `compiled_modules` imports from): it is linked once, and starts faster.

`BITCODEC_RELEASE=1` is for wheels that are published: all modules are optimized together, which takes three times as
long and makes the wheel a quarter smaller.
"""

from __future__ import annotations

import gc
import logging
import os
import shlex
import subprocess
import sys
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, PlatformError
from setuptools.modified import newer_group

_SOURCES = Path("src")
_WISH = "# compiled:"

_SHARED = "_cython"
"""The module that holds once what Cython else puts into each: views of memory, for one."""

_BUNDLE = "_native"
"""The module of a wheel that contains all others."""

_WITH_SIGNATURES = ("analysis", "bitstream.cursor", "ir")
"""Packages and modules whose compiled functions are public, but for `_INTERNAL`: `inspect` and `help` show signatures.

Other compiled functions are internal and have neither signatures nor docstrings: less code, and a faster import.
"""

_INTERNAL = ("ir.construction",)

_CFLAGS = os.environ.get("CFLAGS", "")

_MACROS = [
    ("CYTHON_NO_PYINIT_EXPORT", None),
    ("CYTHON_CLINE_IN_TRACEBACK", "0"),
    # A wheel is compressed as a whole, and is smaller if its strings are not compressed one module at a time.
    ("CYTHON_COMPRESS_STRINGS", "0"),
    # Python calls bound methods as fast as code that takes them apart first, which each call would contain.
    ("CYTHON_UNPACK_METHODS", "0"),
]

_BUNDLE_SOURCE = """\
#include <Python.h>

{declarations}

static const struct {{ const char *name; PyObject *(*begin)(void); }} modules[] = {{
{rows}
}};
enum {{ COUNT = sizeof modules / sizeof *modules }};

static PyObject *names(PyObject *self, PyObject *unused) {{
    PyObject *list = PyTuple_New(COUNT);
    for (int i = 0; list && i < COUNT; i++) {{
        PyObject *name = PyUnicode_FromString(modules[i].name);
        if (name) PyTuple_SET_ITEM(list, i, name);
        else Py_CLEAR(list);
    }}
    return list;
}}

static PyObject *create(PyObject *self, PyObject *spec) {{
    PyObject *made = NULL, *name = PyObject_GetAttrString(spec, "name");
    const char *text = name ? PyUnicode_AsUTF8(name) : NULL;
    int i = 0;
    while (text && i < COUNT && strcmp(text, modules[i].name)) i++;
    if (text && i == COUNT) PyErr_SetObject(PyExc_ImportError, name);
    else if (text) {{
        PyObject *definition = modules[i].begin();
        if (definition) made = PyModule_FromDefAndSpec((PyModuleDef *) definition, spec);
    }}
    Py_XDECREF(name);
    return made;
}}

static PyObject *execute(PyObject *self, PyObject *module) {{
    PyModuleDef *definition = PyModule_GetDef(module);
    if (!definition || PyModule_ExecDef(module, definition)) return NULL;
    Py_RETURN_NONE;
}}

static PyMethodDef methods[] = {{
    {{"names", names, METH_NOARGS, "Return the full names of the modules."}},
    {{"create", create, METH_O, "Make the module of a spec."}},
    {{"execute", execute, METH_O, "Run a module."}},
    {{NULL, NULL, 0, NULL}},
}};
static PyModuleDef definition = {{PyModuleDef_HEAD_INIT, "{bundle}", "{described}", 0, methods}};

PyMODINIT_FUNC PyInit_{bundle}(void) {{ return PyModuleDef_Init(&definition); }}
"""


class BuildExtensions(build_ext):
    """Compiles on all cores, and removes the results if one module cannot be compiled."""

    _has_failed = False
    _is_in_place = False

    def finalize_options(self) -> None:
        """Add the module that the others share, and the one that contains them all."""
        modules = self.distribution.ext_modules
        package = modules[0].name.partition(".")[0]
        self._shared, self._bundle = f"{package}.{_SHARED}", f"{package}.{_BUNDLE}"
        for name in {self._shared, self._bundle} - {extension.name for extension in modules}:
            modules.append(Extension(name, [], optional=True))
        super().finalize_options()

    def run(self) -> None:
        """Compile all modules."""
        self._is_in_place = bool(self.inplace or self.editable_mode)
        self._is_release = _is_set("BITCODEC_RELEASE") and not self._is_in_place
        super().run()

    def build_extensions(self) -> None:
        """Turn Python into C, in several processes, and compile that, in several threads."""
        if self._can_compile():
            self._translate()
            if self._is_in_place:
                self.extensions = self._modules
                for extension in self.extensions:
                    extension.extra_compile_args += self._options(extension)
            else:
                self.extensions = [self.ext_map[self._bundle]]
            super().build_extensions()
        else:
            self._has_failed = True
        if self._has_failed:
            _remove([self.get_ext_fullpath(extension.name) for extension in self.extensions])

    def _can_compile(self) -> bool:
        """Return whether modules are to be compiled, and a C compiler with Python's headers is available."""
        if _is_set("BITCODEC_PURE"):
            self._report("BITCODEC_PURE is set: nothing is compiled")
            return False
        with TemporaryDirectory() as folder:
            probe = Path(folder, "probe.c")
            probe.write_text("#include <Python.h>\n")
            try:
                self.compiler.compile([os.fspath(probe)], output_dir=folder)
            except (CompileError, PlatformError):
                self._report("no C compiler with Python's headers: nothing is compiled")
                return False
        return True

    def _translate(self) -> None:
        """Turn the Python code of all modules into C."""
        # Cython takes a second to import, and an installation without a compiler has no use for it.
        from Cython.Build import cythonize  # noqa: PLC0415
        from Cython.Compiler import Options  # noqa: PLC0415

        # Trees of syntax are millions of objects, few of them garbage: the usual collections take a third of the time.
        gc.set_threshold(20_000, 10, 1_000)
        jobs = self.parallel = self.parallel or os.cpu_count() or 1
        self._modules = modules = [extension for extension in self.extensions if extension.name != self._bundle]
        for has_signatures in (False, True):
            Options.docstrings = has_signatures
            compiled = cythonize(
                [extension for extension in modules if _has_signatures(extension.name) == has_signatures],
                nthreads=jobs,
                build_dir=self.build_temp,
                language_level=3,
                shared_utility_qualified_name=self._shared,
                compiler_directives={"binding": has_signatures},
            )
            for made in compiled:
                self.ext_map[made.name].sources = made.sources

    def build_extension(self, ext: Extension) -> None:
        """Compile one module, and remember a failure: `optional` lets the installation continue."""
        try:
            if not self._is_in_place:
                self._compile_bundle(ext)
                # What distutils compares with the file of a bundle: its objects are newer where anything has changed.
                ext.depends = ext.extra_objects
            super().build_extension(ext)
        except BaseException:
            self._has_failed = True
            raise

    def _compile_bundle(self, bundle: Extension) -> None:
        """Compile each module that has changed; the bundle is linked of them."""
        starts = {extension.name: "start_" + extension.name.replace(".", "_") for extension in self._modules}
        source = Path(self.build_temp, f"{_BUNDLE}.c")
        _write_if_different(
            source,
            _BUNDLE_SOURCE.format(
                # Another text for each kind of build, so that the file is linked if the kind changes.
                described=f"The compiled modules{', optimized together' * self._is_release}.",
                declarations="\n".join(f"extern PyObject *{start}(void);" for start in starts.values()),
                rows="\n".join(f'    {{"{name}", {start}}},' for name, start in starts.items()),
                bundle=_BUNDLE,
            ),
        )
        objects = self._compile_changed(starts)
        self._report(f"linking {len(starts)} modules")
        bundle.extra_objects = objects
        bundle.sources = [os.fspath(source)]
        bundle.extra_compile_args = self._options(bundle)
        bundle.extra_link_args = [*self._options(bundle), *(["-s"] if sys.platform == "linux" else [])]

    def _compile_changed(self, starts: dict[str, str]) -> list[str]:
        """Compile the modules that have changed, and return the objects of all.

        `starts` maps a module to the name of the C function that begins it.
        """
        # Each kind of build has a folder for its objects, so a build of one kind keeps the objects of the others.
        kind = f"{'release' if self._is_release else 'source'}-{zlib.crc32(_CFLAGS.encode()):x}"
        folder = os.fspath(Path(self.build_temp, kind))
        objects, changed = [], []
        for extension in self._modules:
            made = self.compiler.object_filenames(extension.sources, output_dir=folder)
            objects += made
            if self.force or any(newer_group([__file__, *extension.sources], file) for file in made):
                changed.append(extension)
        # The longest first, so that no core ends with one of them while the others are idle.
        changed.sort(key=lambda extension: sum(map(os.path.getsize, extension.sources)), reverse=True)

        def compile_one(place: int) -> None:
            extension = changed[place]
            self._report(f"compiling {extension.name} ({place + 1} of {len(changed)})")
            # Cython names the function that begins a module by its last name, which modules of two packages may share.
            start = f"PyInit_{extension.name.rpartition('.')[2]}"
            self.compiler.compile(
                extension.sources,
                output_dir=folder,
                macros=[*_MACROS, (start, starts[extension.name])],
                extra_postargs=self._options(extension),
            )

        with ThreadPoolExecutor(self.parallel) as threads:
            list(threads.map(compile_one, range(len(changed))))
        return objects

    def _options(self, module: Extension) -> list[str]:
        """Return the options of the C compiler for a module.

        They follow Python's own, which contain `-O3 -g`, and the user's `CFLAGS` follow them: the last of a kind wins.
        """
        return [*self._default_options(module), *shlex.split(_CFLAGS)] if self._is_unix else []

    def _default_options(self, module: Extension) -> list[str]:
        is_fast = _wish_of(module) == "for speed"
        options = ["-g0", "-w"]
        if not self._is_in_place:
            options += ["-fvisibility=hidden", "-fno-asynchronous-unwind-tables"]
        if not self._is_release:
            # `-Og` takes two fifths of the time of `-O2`, and most code spends its time in Python's functions anyway.
            if is_fast:
                return [*options, "-O2", "-fno-tree-vectorize"]
            return [*options, "-O1" if _wish_of(module) == "with loops" else "-Og"]
        options.append("-O2" if is_fast else "-Os")
        if not self._is_gcc:
            return options
        if is_fast:
            options += ["-fno-align-functions", "-fno-align-jumps", "-fno-align-loops", "-fno-tree-vectorize"]
        # In one partition the linker finds all functions that are equal.
        return [*options, "-flto", "-flto-partition=one", "-fno-fat-lto-objects"]

    @property
    def _is_unix(self) -> bool:
        return self.compiler.compiler_type == "unix"

    @cached_property
    def _is_gcc(self) -> bool:
        """Whether the C compiler is gcc on Linux: others need a linker of their own to optimize across modules."""
        if sys.platform != "linux":
            return False
        command = [*self.compiler.compiler, "--version"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the user's compiler
        return "Free Software Foundation" in answer.stdout

    def _report(self, line: str) -> None:
        """Print progress: `pip install -v` shows it."""
        self.announce(line, logging.INFO)

    def copy_extensions_to_source(self) -> None:
        """Copy the results to the sources; after a failure remove those of an earlier build there."""
        if self._has_failed:
            packages = self.get_finalized_command("build_py")
            _remove([self._get_inplace_equivalent(packages, extension)[0] for extension in self.extensions])
        else:
            super().copy_extensions_to_source()


def _compiled_modules() -> Iterator[Extension]:
    """Yield the modules that are compiled."""
    for path in sorted([*_SOURCES.rglob("*.py"), *_SOURCES.rglob("*.pyx")]):
        with path.open(encoding="utf-8") as file:
            is_compiled = file.readline().startswith("# cython:")
        if is_compiled:
            name = ".".join(path.relative_to(_SOURCES).with_suffix("").parts)
            # `optional`: without a module that cannot be compiled, the installation continues.
            yield Extension(name, [path.as_posix()], optional=True)


def _wish_of(module: Extension) -> str:
    """Return what the line `# compiled:` in the header of a module's file requests, "" for nothing."""
    path = _SOURCES.joinpath(*module.name.split("."))
    # In the order of preference: of some files the compiled form has a source of its own.
    for source in filter(Path.exists, map(path.with_suffix, (".pyx", ".py"))):
        with source.open(encoding="utf-8") as file:
            for line in takewhile(lambda line: line.startswith("#"), file):
                if line.startswith(_WISH):
                    return line.removeprefix(_WISH).strip()
        break
    return ""


def _has_signatures(module: str) -> bool:
    """Return whether the compiled functions of a module have signatures."""
    name = module.partition(".")[2]
    return _is_in(name, _WITH_SIGNATURES) and not _is_in(name, _INTERNAL)


def _is_in(module: str, names: Sequence[str]) -> bool:
    """Return whether a module is one of some modules, or in one of some packages."""
    return any(module == name or module.startswith(f"{name}.") for name in names)


def _is_set(variable: str) -> bool:
    """Return whether an environment variable is neither absent nor 0."""
    return os.environ.get(variable, "0") != "0"


def _write_if_different(file: Path, text: str) -> None:
    """Write a file, or leave it with the time of its last change."""
    if not file.exists() or file.read_text() != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def _remove(files: list[str]) -> None:
    for file in files:
        Path(file).unlink(missing_ok=True)


setup(cmdclass={"build_ext": BuildExtensions}, ext_modules=[*_compiled_modules()])
