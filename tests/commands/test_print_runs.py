"""Several sets of a game on shared sheets, and what they take."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import cardgen
from cardgen.commands.build.print_runs import _coverage
from tests.for_each import for_each


def build(root: Path, **options: object) -> cardgen.BuildResult:
    chosen = cardgen.BuildOptions("demo", **options)  # type: ignore[arg-type]
    return cardgen.build(chosen, project=cardgen.Project.open(root))


def test_sets_share_sheets_and_a_nearly_empty_one_is_said(demo: Path) -> None:
    ids = [card.id for card in cardgen.load("demo", project=cardgen.Project.open(demo)).cards()]
    found = build(demo, cards=(ids[0],), sets=5)
    (file,) = found.files
    assert file.shown.endswith(f"poker.{ids[0]}.5-sets.pdf")
    assert (file.cards, file.pages) == (10, 4)  # 9 + 1 faces, each page with its backs
    last, run = found.findings
    assert (last.code, run.code) == ("sheet/last", "sheet/run")
    assert last.hint is not None
    assert last.hint.endswith("--sets 9")
    assert run.message.startswith("5 sets: 2 sheets of letter; ")


def test_full_sheets_are_only_counted(demo: Path) -> None:
    found = build(demo, sets=2)
    assert [(each.code, each.message.partition(";")[0]) for each in found.findings] == [
        ("sheet/run", "2 sets: 2 sheets of letter")
    ]


@for_each("sets", [0, 1001])
def test_a_wrong_number_of_sets_is_refused(sets: int) -> None:
    with pytest.raises(cardgen.UsageError):
        cardgen.BuildOptions("demo", sets=sets)


@for_each(("color", "covered"), [("white", 0), ("black", 1), ("red", 2), ("#808080", 0.5), ("cyan", 1)])
def test_gray_takes_black_ink_alone(color: str, covered: float) -> None:
    assert _coverage(Image.new("RGB", (4, 4), color)) == pytest.approx(covered, abs=0.01)
