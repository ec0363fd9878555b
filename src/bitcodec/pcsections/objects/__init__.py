"""PC sections in ELF files: their fields, what relocations say of them, and the functions that PCs lie in."""
