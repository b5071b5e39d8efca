"""`cardgen font`: add fonts to the project."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import cardgen
from cardgen.cli.saying import FINDINGS, OK, say
from cardgen.core.findings import plural

if TYPE_CHECKING:
    from cardgen.commands.data.fonts import AddedFont


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.data.fonts import add_font

    project = cardgen.Project.open(given.project)
    path = Path(given.file) if given.file is not None else None
    if path is None and given.missing_from is None:
        raise cardgen.UsageError("font add needs a file", "name a font file: cardgen font add FILE")
    if given.missing_from is not None or (path is not None and path.is_dir()):
        for option in ("family", "face", "weight"):
            if (value := getattr(given, option)) is not None:
                hint = f"add one file at a time: cardgen font add FILE --{option} {shlex.quote(str(value))}"
                raise cardgen.UsageError(f"--{option} is for a single file", hint)
        return _several(given, project, path)
    assert path is not None
    font = add_font(
        path,
        project,
        family=given.family,
        licence=given.license,
        face=given.face,
        weight=given.weight,
    )
    _say(font, project)
    say("put its license text next to it; templates use this name: " + f'font-family="{font.family}"')
    return OK


def _several(given: argparse.Namespace, project: cardgen.Project, folder: Path | None) -> int:
    from cardgen.commands.data.fonts import add_fonts, add_missing_fonts

    if given.missing_from is not None:
        drawing = Path(given.missing_from)
        found = add_missing_fonts(drawing, project, folder=folder, licence=given.license)
    else:
        assert folder is not None
        found = add_fonts(folder, project, licence=given.license)
    for font in found.added:
        _say(font, project)
    for file, reason in found.skipped:
        say(f"skipped {file}: it {reason}")
    for face, file in found.absent:
        say(f"not found: {face}; get {file}, then: cardgen font add {file}")
    if found.added:
        families = ", ".join(sorted({font.family for font in found.added}))
        say(f"{plural(len(found.added), 'font')} added of {families}; put their license texts next to them")
    elif found.known or not found.absent:
        say("the project has these fonts already")
    return FINDINGS if found.absent else OK


def _say(font: AddedFont, project: cardgen.Project) -> None:
    file, style = project.seen_from_here(font.file), "italic" if font.italic else "upright"
    say(f"{file}: {font.family}, {font.weight} {style}, {font.licence or 'license unknown'}")
