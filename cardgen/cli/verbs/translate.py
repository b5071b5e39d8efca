"""`cardgen translate`: write or update a game's texts for translators."""

from __future__ import annotations

import argparse
import sys

import cardgen
from cardgen.cli.saying import FINDINGS, OK, as_plain, print_json, say, told
from cardgen.core.progress import ProgressBar


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.data.translate import LanguageState, translate

    project = cardgen.Project.open(given.project)
    check = given.check
    with ProgressBar():
        states = translate(given.game, given.language, project=project, write=not check, measure=check)
    if given.format == "json":
        print_json([{**state.plain(), "findings": as_plain(state.findings)} for state in states])
    elif not states:
        say(f"{given.game} states no languages: in game.yaml, languages: {{de: {{}}}}")
    for state in states if given.format == "text" else ():
        wrote = "" if check else "written, " if state.changed else "up to date, "
        say(f"{state.file}: {wrote}{LanguageState.in_words(state.plain())}")
        if state.findings:
            print(told(state.findings, sys.stdout))
    return FINDINGS if check and not all(state.is_whole for state in states) else OK
