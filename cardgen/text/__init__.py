"""Text and a box to glyphs with positions."""
