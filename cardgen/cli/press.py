"""The options of what is printed on a press."""

from __future__ import annotations

import argparse

import cardgen


def press_options(parser: argparse.ArgumentParser) -> None:
    """`--color`, `--profile` and `--ink-limit`; what is not said is None."""
    parser.add_argument(
        "--color",
        choices=("rgb", "cmyk"),
        help="rgb (default), or cmyk: inks, for an offset press",
    )
    parser.add_argument(
        "--profile", metavar="NAME", help="the press: coated, or its ICC file (with --color cmyk)"
    )
    parser.add_argument(
        "--ink-limit",
        type=int,
        metavar="N",
        help="the most ink in per cent, all four together (with --color cmyk)",
    )


def standard_option(parser: argparse.ArgumentParser) -> None:
    """`--standard`, for what writes PDF."""
    parser.add_argument(
        "--standard",
        choices=("x4", "x1a"),
        help="PDF/X-4 (default), or PDF/X-1a:2003 without anything see-through (with --color cmyk)",
    )


def press_asked(given: argparse.Namespace) -> cardgen.PressOptions | None:
    """The press that is asked for. Raises UsageError."""
    standard = getattr(given, "standard", None)
    if given.color != "cmyk":
        options = {"--profile": given.profile, "--ink-limit": given.ink_limit, "--standard": standard}
        for option, value in options.items():
            if value is not None:
                raise cardgen.UsageError(f"{option} is for inks", "add --color cmyk")
        return None
    return cardgen.PressOptions(given.profile or None, given.ink_limit, standard)
