"""Templates run only for sides whose variables changed, and then the sides are those of a clean build."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardgen.art.templates import Templates

Edit = Callable[[str, str, str], Path]
Run = Callable[..., tuple[int, str, str]]
Settle = Callable[[Path], None]

TEMPLATE = "templates/demo/card.svg"
CARDS = "data/demo/cards.yaml"


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates that were run."""
    names: list[str] = []
    render = Templates._render

    def noted(self: Templates, env: Any, name: str, variables: Any) -> str:
        names.append(name)
        return render(self, env, name, variables)

    monkeypatch.setattr(Templates, "_render", noted)
    return names


def pdf(folder: Path) -> str:
    return hashlib.sha256((folder / "demo/poker.pdf").read_bytes()).hexdigest()


def test_only_what_changed_is_rendered(demo: Path, edit: Edit, run: Run, rendered: list[str]) -> None:
    assert run("build", "demo")[0] == 0
    every = len(rendered)
    rendered.clear()
    edit(CARDS, "title: Early Bird", "title: Earlier Bird")
    assert run("build", "demo")[0] == 0
    assert rendered == ["demo/card.svg"]
    assert every > 3
    changed = pdf(demo / "output")
    rendered.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
        assert run("build", "demo", "--output", str(demo / "clean"))[0] == 0
    assert len(rendered) == every
    assert pdf(demo / "clean") == changed


def test_a_template_that_gave_up_is_not_run_for_kept_sides(demo: Path, edit: Edit, run: Run) -> None:
    loop = "{% if card.title == 'Endless' %}{% for i in range(99999) %}{% for j in range(9) %}{{ j }}"
    edit(TEMPLATE, "</svg>", loop + "{% endfor %}{% endfor %}{% endif %}</svg>")
    assert run("build", "demo")[0] == 0
    edit(CARDS, "title: Early Bird", "title: Endless")
    told = run("build", "demo")
    assert told[0] == 1
    assert "template/budget" in told[2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
        assert run("build", "demo") == told


@pytest.mark.parametrize(
    ("template", "again"),
    [
        ("{{ game.title }}", ["demo/card.svg"]),  # that of the card alone: its own words
        ('{% include "./part.svg" %}', None),
        ('{% from "./macro.svg" import said with context %}{{ said() }}', None),
    ],
)
def test_a_table_counts_where_it_is_mentioned(
    template: str,
    again: list[str] | None,
    demo: Path,
    edit: Edit,
    run: Run,
    rendered: list[str],
    settle: Settle,
) -> None:
    said = "{{ tables.cards.cards[0].title }}"
    (demo / "templates/demo/part.svg").write_text(said, "utf-8")
    (demo / "templates/demo/macro.svg").write_text(f"{{% macro said() %}}{said}{{% endmacro %}}", "utf-8")
    text = '<text x="6" y="60" font-family="IBM Plex Sans" font-size="2.5">'
    edit(TEMPLATE, "</svg>", f"{text}{template}</text></svg>")
    edit("data/demo/game.yaml", "sheets:", "tables: [cards.yaml]\n\nsheets:")
    settle(demo)
    assert run("build", "demo")[0] == 0
    rendered.clear()
    edit(CARDS, "title: Early Bird", "title: Earlier Bird")
    assert run("build", "demo")[0] == 0
    assert rendered == (again or ["demo/card.svg"] * 6)
    changed = pdf(demo / "output")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
        assert run("build", "demo", "--output", str(demo / "clean"))[0] == 0
    assert pdf(demo / "clean") == changed
