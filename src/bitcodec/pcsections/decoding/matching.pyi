from typing_extensions import Buffer

from bitcodec.pcsections.decoding.code import Code
from bitcodec.pcsections.decoding.locating import Locator
from bitcodec.pcsections.decoding.plan import DecodingPlan

COMPILED: bool

class Matcher(Locator):
    def __init__(self, data: Buffer, address: int, plan: DecodingPlan, code: Code) -> None: ...
    def match(self) -> tuple[int, int]: ...
    def entries(self) -> tuple[memoryview, ...]: ...
