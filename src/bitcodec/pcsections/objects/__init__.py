"""PC sections in ELF files: their fields, the relocations of these, and the functions that contain PCs."""
