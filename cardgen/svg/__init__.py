"""SVG as such: text to tree, styles, colours, transforms, paths and viewports, and what any drawing is
held to before it is drawn."""
