"""What depends on the Python that runs this package: which form runs, how it collects garbage."""
