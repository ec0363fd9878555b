"""Speed and memory beside LLVM's own tools, in one run on one machine: `python -m benchmarks`."""
