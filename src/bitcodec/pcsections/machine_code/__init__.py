"""Where machine instructions begin: their lengths by processor, without a disassembler.

`encodings` has what specifies a length, as tables; `starts` the loops that go through code.
"""
