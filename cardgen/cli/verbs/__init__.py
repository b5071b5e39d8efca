"""A module per command: `run` runs it and returns the exit code, `add_options` adds to its options."""
