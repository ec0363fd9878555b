from bitcodec.bitcode.writer.numbers import Numbers

COMPILED: bool

class DebugRecordWriter:
    def __init__(self, numbers: Numbers) -> None: ...
