"""The room as a file."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from functools import partial
from typing import BinaryIO

from cardgen.exporting.job import ExportJob, PlannedFile, digest_of
from cardgen.exporting.pcio.assets import Assets
from cardgen.exporting.pcio.room import Furnisher
from cardgen.exporting.pixels import on_threads
from cardgen.exporting.zips import add_to_zip
from cardgen.findings import Location

MOST_WIDGETS = 1200
"""What a room is said to hold."""


def plan(job: ExportJob) -> list[PlannedFile]:
    """`GAME.pcio`, and `setup.txt` where the table says how to begin."""
    assert job.tabletop is not None
    assets = Assets(job)
    widgets = Furnisher(job, job.tabletop, assets).widgets()
    place = Location(job.tabletop.table.file or f"data/{job.game.id}/game.yaml")
    if len(widgets) > MOST_WIDGETS:
        job.findings.warning(
            "pcio/widgets",
            f"the room has {len(widgets)} widgets; more than {MOST_WIDGETS} may be too many for it",
            place,
            "export it for fewer players, or only some components",
        )
    for component in job.components:
        if component.book is not None:
            sheets = [sheet.name for sheet in job.game.sheets if component.id in sheet.components]
            hint = f"share its PDF: cardgen build {job.game.id} --sheet {sheets[0]}" if sheets else None
            message = f"the book '{component.id}' is left out: rooms show no books"
            job.findings.note("pcio/book", message, place, hint)
    text = json.dumps(widgets, indent=1, ensure_ascii=False, sort_keys=True).encode("utf-8")
    names = sorted(assets.known)
    write = partial(_write, assets, text, names)
    files = [PlannedFile(f"{job.game.id}.pcio", digest_of("pcio", text, names), write)]
    if job.tabletop.setup:
        files.append(PlannedFile.of("setup.txt", (job.tabletop.setup + "\n").encode("utf-8")))
    return files


def _write(assets: Assets, widgets: bytes, names: Sequence[str], out: BinaryIO) -> None:
    pictures = [assets.known[name] for name in names]
    with zipfile.ZipFile(out, "w") as archive:
        add_to_zip(archive, "widgets.json", widgets)
        for asset, data in zip(pictures, on_threads(assets.encode, pictures)):
            add_to_zip(archive, asset.path, data)
