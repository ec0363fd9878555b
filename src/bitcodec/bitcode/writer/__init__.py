"""From modules to bitcode of LLVM 22.

`numbers` gives everything that records refer to a number; `types`, `attributes`, `constants`, `metadata`, `globals` and
`functions` make records of it, `instructions` and `debug_info` by the tables that the reader reads by; `module`
puts the blocks in order.
"""
