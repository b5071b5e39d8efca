"""Lay out rulebooks: Markdown to pages."""
