"""From a module to an object, by LLVM's own code generator in a process of its own."""
