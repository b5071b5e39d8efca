"""A module per command: `options` defines its options, `run` runs it and returns the exit code."""
