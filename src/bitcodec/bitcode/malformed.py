"""How a decoder of records refuses one."""

from bitcodec.malformed import Malformed

__all__ = ["Malformed"]
