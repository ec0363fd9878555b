"""Decoding of sections: by relocations or by possible sequences; entries one by one, and as columns."""
