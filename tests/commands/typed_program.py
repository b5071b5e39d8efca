"""A program as users write it against the library, for type checkers; its test runs it, too."""

import io
from collections.abc import Callable
from pathlib import Path

import cardgen


def newest(findings: list[cardgen.Finding]) -> dict[str, list[str]]:
    """Return messages by file and line."""
    found: dict[str, list[str]] = {}
    for finding in findings:
        place = finding.location
        key = "" if place is None else f"{place.file}:{place.line or 0}"
        found.setdefault(key, []).append(finding.hint or finding.message)
    return found


def deadline(steps: int) -> Callable[[str, int, int], None]:
    """Return a progress function that cancels after this number of calls."""
    left = steps

    def progress(step: str, done: int, total: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise cardgen.Cancelled

    return progress


def pictures(game: cardgen.Game) -> dict[str, bytes]:
    """Return a picture of each card."""
    return {
        card.id: cardgen.render_card(game, card.id, "png", side="face", component=part.id, dpi=50)
        for part in game.components
        for card in part.cards
    }


def sheets(game: cardgen.Game) -> tuple[bytes, int]:
    """Return a sheet's PDF and the number of its cards."""
    art = cardgen.render(game, backs=False)
    sheet = cardgen.impose(game, art, "poker", paper="a4", backs=False)
    pdf = io.BytesIO()
    nothing: None = cardgen.export(game, art, sheet, pdf)
    assert nothing is None
    return pdf.getvalue(), sheet.cards


def main(files: dict[str, str | bytes], output: Path) -> dict[str, object]:
    """Return the results of all public functions for a game in memory."""
    project = cardgen.Project.from_files(files)
    game = cardgen.load(project, partial=True)
    findings = cardgen.check(game)
    pdf, cards = sheets(game)
    written: Path = cardgen.export(
        game, art := cardgen.render(game), cardgen.impose(game, art, "poker"), output / "one.pdf"
    )
    result = cardgen.build(cardgen.BuildOptions(game.id, output=output), project=project)
    cancelled, refused = False, ""
    try:
        cardgen.check(game, progress=deadline(0))
    except cardgen.Cancelled:
        cancelled = True
    try:
        cardgen.load("nowhere", project=project)
    except cardgen.UsageError as error:
        refused = error.findings[0].code
    except cardgen.CardgenError:
        refused = "broken"
    return {
        "findings": newest(findings),
        "pictures": pictures(game),
        "pdf": pdf,
        "cards": cards,
        "written": written.stat().st_size,
        "built": [(file.sheet, file.pages) for file in result.files],
        "cancelled": cancelled,
        "refused": refused,
        "version": cardgen.__version__,
    }
