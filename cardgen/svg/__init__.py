"""SVG as such: what any drawing is held to."""
