"""SVG and picture files: parsed, simplified, measured and judged."""
