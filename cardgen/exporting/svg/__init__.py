"""`--to svg`: every side as an SVG file that needs no font and no other file."""
