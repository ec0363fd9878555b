"""Bodies that nobody reads, from one file to another: their records stay, but for the numbers in them."""
