"""A report beside an earlier revision: what differs is said, and only that."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

import cardgen
from cardgen.rules.report_content import Earlier, compared
from cardgen.rules.reports import report
from cardgen.rules.results import Measure, Verdict
from tests.repositories import commit
from tests.rules.samples import FACES, SUITS, component, game, result
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]

EARLIER = Earlier(
    "v1",
    game(component([{"title": "Apple"}]), component([{"title": "Map"}], "maps", "Maps")),
    (
        result("size", Verdict.FAIL, (Measure("count", 1, "cards"),)),
        result("same", Verdict.PASS, (Measure("count", 2, "cards"),)),
        result("gone", Verdict.PASS),
    ),
)
NOW = (
    result("size", Verdict.PASS, (Measure("count", 3, "cards"), Measure("mean", 1.5))),
    result("same", Verdict.PASS, (Measure("count", 2, "cards"),)),
    result("new", Verdict.REPORT),
)


def test_what_differs_is_said_and_only_that(wording: Wording) -> None:
    found = compared(SUITS, NOW, EARLIER)
    assert found.sizes.rows == (("Cards", 1, 3, 1, 4), ("Maps", 1, "–", 1, "–"))
    assert found.rules.rows == (
        ("size", "fail", "pass", "count: 1 card → 3 cards and mean: – → 1.5"),
        ("new", "–", "report", ""),
        ("gone", "pass", "–", ""),
    )
    nothing = compared(SUITS, NOW, Earlier("v1", SUITS, NOW))
    assert (nothing.sizes.rows, nothing.rules.rows) == ((), ())
    wording(nothing.summary)


def test_every_format_has_it() -> None:
    page = report(SUITS, NOW, "html", FACES, (), EARLIER).decode()
    assert "Compared with v1" in page
    assert "count: 1 card → 3 cards" in page
    assert "Compared with" not in report(SUITS, NOW, "html", FACES).decode()
    with pypdfium2.PdfDocument(report(SUITS, NOW, "pdf", FACES, (), EARLIER)) as document:
        text = " ".join(" ".join(sheet.get_textpage().get_text_range().split()) for sheet in document)
    assert "Compared with v1" in text
    assert "count: 1 card → 3 cards" in text
    content = json.loads(report(SUITS, NOW, "json", FACES, (), EARLIER))["compared"]
    assert content["with"] == "v1"
    assert content["rules"][1] == {"rule": "new", "then": "–", "now": "report", "figures": ""}


def test_against_a_revision(run: Run, demo: Path, wording: Wording) -> None:
    (demo / "data/demo/rules.yaml").write_text(
        "rules:\n  - {id: size, question: Nine?, kind: count, component: cards, equals: 9}\n",
        encoding="utf-8",
    )
    first = commit(demo)
    cards = demo / "data/demo/cards.yaml"
    cards.write_text(
        cards.read_text(encoding="utf-8").replace("copies: 2", "copies: 3", 1), encoding="utf-8"
    )
    code, out, err = run("report", "demo", "--since", "HEAD", "--format", "json")
    assert (code, err) == (0, "")
    content = json.loads(out)["compared"]
    assert content["with"] == f"HEAD ({first[:10]})"
    assert content["rules"] == [
        {"rule": "size", "then": "pass", "now": "fail", "figures": "count: 9 copies → 10 copies"}
    ]
    code, _, err = run("report", "demo", "--since", "nowhere")
    assert (code, "nowhere" in err) == (2, True)
    code, _, err = run("report", "demo", "--since", "")
    assert (code, err.splitlines()[0]) == (2, "no git revision is named [usage/git]")
    project = cardgen.Project.open(demo)
    loaded = cardgen.load("demo", project=project)
    with pytest.raises(cardgen.UsageError) as caught:
        cardgen.make_report(replace(loaded, id="renamed"), "html", since="HEAD", project=project)
    wording(caught.value)
    with pytest.raises(cardgen.UsageError):
        cardgen.make_report(loaded, "html", since="x", project=project)
