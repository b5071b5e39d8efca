"""Commands that create, list and edit a game's files."""
