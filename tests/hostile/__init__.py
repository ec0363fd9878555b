"""A harness that feeds hostile input to every public function and every command: `python -m tests.hostile`."""
