"""`python -m bitcodec` is the same as `bitcodec`."""

from bitcodec.cli import main

main()
