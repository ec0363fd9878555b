from bitcodec.bitcode.writer.numbers import Numbers

class DebugRecordWriter:
    def __init__(self, numbers: Numbers) -> None: ...
