from typing_extensions import Buffer

from bitcodec.pcsections.decoding.code import Code
from bitcodec.pcsections.decoding.plan import DecodingPlan

COMPILED: bool

class Locator:
    def __init__(self, data: Buffer, address: int, plan: DecodingPlan, code: Code) -> None: ...
    def set_fields(self, offsets: Buffer, sections: Buffer, targets: Buffer) -> None: ...
