"""LLVM IR in the bitstream container.  It knows what blocks and records mean, not how their bits are read."""
