"""LLVM's code generator, in a separate process: bitcode on standard input, an object on standard output.

Run as a script, with options as JSON for its argument: LLVM aborts its process on errors.
It imports nothing of this package.
"""

from __future__ import annotations

import json
import sys

__all__: list[str] = []


def _object(bitcode: bytes, options: dict[str, str], opt_level: int, *, optimize: bool) -> bytes:
    """Compile a module.

    Args:
        bitcode: the module.
        options: `triple`, `cpu`, `features`, `code_model`, `relocation_model` and `abi`.
        opt_level: how much the code generator does, 0 to 3.
        optimize: whether LLVM's pass pipeline of that level runs on the module first.

    Raises:
        RuntimeError: LLVM refuses it.
    """
    import llvmlite.binding as llvm  # noqa: PLC0415 - so that what goes wrong is reported in one line

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    module = llvm.parse_bitcode(bitcode)
    module.triple = options["triple"]
    machine = llvm.Target.from_triple(module.triple).create_target_machine(
        cpu=options["cpu"],
        features=options["features"],
        opt=opt_level,
        reloc=options["relocation_model"],
        codemodel=options["code_model"],
        abiname=options["abi"],
    )
    module.data_layout = str(machine.target_data)
    if optimize:
        tuning = llvm.create_pipeline_tuning_options(speed_level=opt_level)
        builder = llvm.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(module, builder)
    emitted: bytes = machine.emit_object(module)
    return emitted


def _main() -> int:
    options = json.loads(sys.argv[1])
    opt_level, optimize = options.pop("opt_level"), options.pop("optimize")
    try:
        emitted = _object(sys.stdin.buffer.read(), options, opt_level, optimize=optimize)
    except (ImportError, AttributeError, RuntimeError, ValueError) as error:  # ValueError: a triple that is no text
        print(f"error: {str(error).strip()}", file=sys.stderr)  # noqa: T201 - what this process says
        return 1
    sys.stdout.buffer.write(emitted)
    return 0


if __name__ == "__main__":
    sys.exit(_main())
