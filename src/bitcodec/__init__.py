"""LLVM bitcode for Python, without LLVM: read, print, check, edit and write it.

The container format is in `bitcodec.bitstream`, where bitcode hides in `bitcodec.containers`, what it means in
`bitcodec.bitcode`.
"""

from bitcodec.errors import BitcodecError, BitstreamError, ContainerError, EncodingError

__all__ = ["BitcodecError", "BitstreamError", "ContainerError", "EncodingError", "__version__"]

__version__ = "0.1.0"
