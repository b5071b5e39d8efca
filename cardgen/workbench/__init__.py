"""A game held warm: loaded, its sides, their pictures, and what an edit changed. Knows no HTTP."""
