"""Set text in a box: glyphs with positions."""
