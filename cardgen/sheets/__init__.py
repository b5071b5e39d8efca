"""Lay out sheets of paper, in mm."""
