"""Rulebooks: Markdown to pages."""
