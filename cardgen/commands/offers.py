"""What there is to choose from where a project is printed and exported, as plain values."""

from __future__ import annotations

from typing import TypedDict

from cardgen.exporting.exporters import EXPORTERS
from cardgen.model.sheets import DUPLEX
from cardgen.project import Project


class PaperEntry(TypedDict):
    """A paper by the name that `--paper` takes; `size_mm` is [width, height], upright."""

    name: str
    size_mm: list[float]


class Offers(TypedDict):
    """`papers`, the project's own first; the ways in which backs meet faces (`duplex`); and the `targets`
    of exports: programs, then the print services that the project knows."""

    papers: list[PaperEntry]
    duplex: list[str]
    targets: list[str]


def offers(project: Project) -> Offers:
    """What a project offers now. Raises CardgenError with all findings where its papers can't be read."""
    from cardgen.loading import load_papers

    return {
        "papers": [
            {"name": paper.name, "size_mm": [round(paper.size.width, 3), round(paper.size.height, 3)]}
            for paper in load_papers(project.paths).values()
        ],
        "duplex": list(DUPLEX),
        "targets": list(dict.fromkeys((*EXPORTERS, *project.services()))),
    }
