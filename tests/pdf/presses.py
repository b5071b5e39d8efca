"""Presses that several tests print for."""

from __future__ import annotations

from cardgen.pdf.inks import InkRules, Inks, inks_of, load_profile


def coated(limit: int = 300) -> Inks:
    """The inks of the shipped profile, at most `limit` per cent: made once a process, when a test asks."""
    return inks_of(load_profile("coated"), InkRules(limit / 100))
