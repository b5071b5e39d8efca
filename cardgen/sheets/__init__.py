"""The layout of sheets of paper, in mm."""
