"""Skipped tests are listed: `listed.txt` names each reason for which a test may skip, and the runs in which it may.

`plugin` compares the skips of a run with the list.  By default it prints those that no line names;
with `--listed-skips RUNS` the run fails.  `python -m tests.skips FOLDER` reports lines that no run of CI has used.
"""
