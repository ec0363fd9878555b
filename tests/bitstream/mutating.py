"""Streams with something changed."""

from __future__ import annotations

from random import Random

WORDS = [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\x01\0\0\0"]


def mutated(data: bytes, random: Random) -> bytes:
    """Return `data` with a few bits, bytes or words changed, cut off, doubled or removed."""
    copy = bytearray(data)
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        place = random.randrange(4, len(copy)) if len(copy) > 4 else 0
        word = place & ~3
        kind = random.randrange(7)
        if kind <= 2 and copy:
            copy[place] ^= 1 << random.randrange(8)
        elif kind == 3:
            copy[word : word + 4] = random.choice(WORDS)
        elif kind == 4:
            del copy[place:]
        elif kind == 5:
            del copy[word : word + 4 * random.randint(1, 3)]
        else:
            copy[word:word] = copy[word : word + 4 * random.randint(1, 3)]
    return bytes(copy)
