"""Finished PDFs for an offset press: four inks by an ICC profile, within a limit of ink, as PDF/X."""
