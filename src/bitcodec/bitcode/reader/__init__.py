"""From records to the model: reads LLVM IR of every version into `bitcodec.ir`."""
