"""Coverage-guided fuzzing of what reads the most complex input: targets, seeds, and the inputs found so far."""
