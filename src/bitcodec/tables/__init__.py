"""The facts of LLVM IR as data: numbers as bitcode has them, spellings as assembly text has them; no behaviour."""
