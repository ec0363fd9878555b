"""Layout of the data behind PCs in a section: given by hand, by the original module, or known of the sanitizers."""
