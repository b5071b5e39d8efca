"""Artwork to PDF objects, to pixels, and to the inks of a press."""
