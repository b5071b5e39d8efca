"""One module a command: `options` says what the command line may state, `run` does it; returns the exit
code."""
