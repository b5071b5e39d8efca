"""Commands that compare a game with an earlier state."""
