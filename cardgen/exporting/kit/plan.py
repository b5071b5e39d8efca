"""The files of the kit."""

from __future__ import annotations

from cardgen.exporting.job import ExportJob, PlannedFile
from cardgen.exporting.kit.atlases import Sheet, pictures, sheets
from cardgen.exporting.kit.guide import guide
from cardgen.exporting.kit.lists import manifest, manifest_csv
from cardgen.exporting.kit.playground import package


def plan(job: ExportJob) -> list[PlannedFile]:
    """Faces, backs, atlases, the lists of them and a package for Tabletop Playground. Books are left
    out: tables show their PDF, if they do."""
    files: list[PlannedFile] = []
    found: list[Sheet] = []
    for component in job.drawn:
        cards, alone = pictures(job, component)
        some, together = sheets(job, component, cards)
        files += [*alone, *together]
        found += some
    lists = [
        PlannedFile.of_json("manifest.json", manifest(job, found)),
        PlannedFile.of("manifest.csv", manifest_csv(job, found).encode("utf-8")),
        PlannedFile.of("UPLOAD.txt", guide(job, found).encode("utf-8")),
    ]
    return [*files, *lists, *package(job, found, files)]
