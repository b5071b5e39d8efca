"""The options for printing on a press."""

from __future__ import annotations

import argparse

import cardgen


def press_options(
    parser: argparse.ArgumentParser, default: str = "rgb", *, standard: bool = False
) -> argparse._ArgumentGroup:
    """Add `--color`, `--profile`, `--ink-limit` and, for PDF files, `--standard`. Each is None by default;
    `default` says in the help which color that is."""
    group = parser.add_argument_group("press options (with --color cmyk)")
    about = f"use RGB, or CMYK for an offset press (default: {default})"
    group.add_argument("--color", choices=("rgb", "cmyk"), help=about)
    about = "use coated or this ICC file (default: the game's, or coated)"
    group.add_argument("--profile", metavar="NAME", help=about)
    about = "limit total ink to N percent (default: the game's, or 300)"
    group.add_argument("--ink-limit", type=int, metavar="N", help=about)
    if standard:
        about = "write PDF/X-4 or PDF/X-1a:2003 (default: the game's, or x4)"
        group.add_argument("--standard", choices=("x4", "x1a"), help=about)
    return group


def press_asked(given: argparse.Namespace) -> cardgen.PressOptions | None:
    """Return the requested press. Raises UsageError."""
    standard = getattr(given, "standard", None)
    if given.color != "cmyk":
        options = {"--profile": given.profile, "--ink-limit": given.ink_limit, "--standard": standard}
        for option, value in options.items():
            if value is not None:
                raise cardgen.UsageError(f"{option} is for inks", "add --color cmyk")
        return None
    return cardgen.PressOptions(given.profile or None, given.ink_limit, standard)
