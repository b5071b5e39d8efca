"""A game kept loaded while its files are edited."""
