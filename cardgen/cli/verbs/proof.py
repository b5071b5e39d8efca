"""`cardgen proof`: draw both sides of a card as PNG."""

from __future__ import annotations

import argparse

import cardgen
from cardgen.cli.arguments import press_asked
from cardgen.cli.saying import OK, say
from cardgen.core.progress import ProgressBar


def run(given: argparse.Namespace) -> int:
    if given.paper_white and given.inks != "cmyk":
        raise cardgen.UsageError("--paper-white needs --inks cmyk", "add --inks cmyk")
    project = cardgen.Project.open(given.project)
    with ProgressBar():
        paths = cardgen.proof(
            given.game,
            given.card,
            component=given.component,
            project=project,
            dpi=given.dpi,
            bleed=given.bleed,
            low_ink=given.low_ink,
            language=given.language,
            press=press_asked(given),
            paper_white=given.paper_white,
            output=given.output,
        )
    for path in paths:
        say(project.show(path))
    return OK
