"""Games and results for the report's tests, made from values instead of files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cardgen.core.findings import Finding, Location, Severity
from cardgen.core.game import Card, Component, Game, Limits
from cardgen.core.geometry import Size
from cardgen.files.listing import ProjectFolders
from cardgen.rules.charts import Faces
from cardgen.rules.results import Histogram, Matrix, Measure, RuleInfo, RuleResult, Table, Verdict

FONTS = Path(__file__).resolve().parents[2] / "fonts"
SANS, NARROW = FONTS / "ibm-plex-sans", FONTS / "ibm-plex-sans-condensed"
FACES = Faces(
    SANS / "IBMPlexSans-Regular.ttf",
    SANS / "IBMPlexSans-SemiBold.ttf",
    NARROW / "IBMPlexSansCondensed-Regular.ttf",
    NARROW / "IBMPlexSansCondensed-SemiBold.ttf",
    FONTS / "ibm-plex-mono" / "IBMPlexMono-Regular.ttf",
)


class Nowhere:
    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location:
        return Location(file)


def component(cards: Sequence[Mapping[str, Any]], id: str = "cards", title: str = "Cards") -> Component:
    """A component of these cards; `copies` is 1 where a card does not say."""
    size = Size(63.5, 88.9)
    made = tuple(
        Card(
            str(fields.get("id", f"card-{number}")),
            id,
            {"id": f"card-{number}", **fields},
            int(fields.get("copies", 1)),
            size,
            "demo/card.svg",
            None,
            "data/demo/cards.yaml",
            (id, number),
            number + 1,
        )
        for number, fields in enumerate(cards)
    )
    return Component(id, title, "card", "rectangle", size, 3.0, 3.0, 3.0, made, {})


def game(*components: Component, title: str = "Night Market") -> Game:
    return Game(
        id="night-market",
        title=title,
        version="1.2.0",
        author="Ann Onymous",
        description="Stalls & <b>bargains</b>.",
        language="en",
        players=(2, 4),
        player_count=None,
        components=components,
        sheets=(),
        theme={},
        tables={},
        limits=Limits(),
        rules="data/night-market/rules.yaml",
        sources=(),
        paths=ProjectFolders(()),
        locator=Nowhere(),
    )


def result(
    id: str,
    verdict: Verdict,
    measures: tuple[Measure, ...] = (),
    findings: tuple[Finding, ...] = (),
    histograms: tuple[Histogram, ...] = (),
    matrices: tuple[Matrix, ...] = (),
    tables: tuple[Table, ...] = (),
) -> RuleResult:
    path = ("rules", 0)
    info = RuleInfo(id, "count", f"Is {id} so?", "", Severity.ERROR, "data/night-market/rules.yaml", path)
    return RuleResult(info, verdict, measures, findings, (), tables, histograms, matrices)


SUITS = game(
    component(
        [
            {"title": "Apple", "suit": "sun", "value": 1, "copies": 2, "tags": ["cheap", "fruit"]},
            {"title": "Bread", "suit": "moon", "value": 2, "tags": ["cheap"]},
            {"title": "Candle", "suit": "sun", "value": 4, "tags": [], "note": "x" * 80},
        ]
    )
)

RESULTS = (
    result("deck-size", Verdict.PASS, (Measure("cards", 4, "cards"),)),
    result(
        "suits",
        Verdict.FAIL,
        findings=(
            Finding(
                Severity.ERROR,
                "rule/suits",
                "“star” & $x_1$ <i>are</i> demanded",
                Location("data/night-market/cards.yaml", 7, 5, "cards[1].suit"),
                "add a card of that suit",
            ),
        ),
        matrices=(
            Matrix("demand and supply", ("demanded", "supplied"), ("sun", "star"), ((1, 1), (3, 0))),
        ),
        tables=(Table("need", ("value", "cards"), (("sun", 3), ("star", 0))),),
    ),
    result(
        "opening",
        Verdict.REPORT,
        (Measure("chance", 0.25, exact="1/4"), Measure("sampled", 0.5, interval=(0.4, 0.6))),
        histograms=(Histogram("cards by suit", (("sun", 3.0), ("moon", 1.0)), False),),
    ),
    result("search", Verdict.UNDECIDED),
    result("misspelt", Verdict.BROKEN),
)
