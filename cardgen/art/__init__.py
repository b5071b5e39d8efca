"""Cards to artwork: templates to SVG, SVG to pictures and set text in paint order."""
