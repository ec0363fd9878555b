"""What follows the PCs in a section: given by hand, by the module it comes from, or known of the sanitizers."""
