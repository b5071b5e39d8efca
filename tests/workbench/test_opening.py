"""Places of files that no editor of text opens."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardgen
from cardgen.workbench.server.app import open_place
from tests.wording import Wording


def test_a_workbook_is_opened_by_its_own_program(demo: Path, wording: Wording) -> None:
    (demo / "data/demo/deck.ods").write_bytes(b"")
    (demo / "data/demo/deck.csv").write_bytes(b"")
    project = cardgen.Project.open(demo)
    with pytest.raises(cardgen.UsageError) as caught:
        open_place(project, "data/demo/deck.ods", 7, 4, {"CARDGEN_EDITOR": "nothing-of-that-name"})
    wording(caught.value)
    assert str(open_place(project, "data/demo/deck.csv", 7, 4, {})["url"]).endswith(
        "/data/demo/deck.csv:7:4"
    )
