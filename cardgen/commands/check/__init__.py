"""Commands that judge a game."""
