"""The model of LLVM IR: types, values, instructions, metadata.  It knows neither bits nor text nor containers."""
