"""A game's files to a checked `Game`."""
