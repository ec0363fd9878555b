"""From text to modules: lexer and parser of LLVM assembly.  Knows the model, not bitcode."""
