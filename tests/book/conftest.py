"""A demo project whose game has a rulebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.production import stages as production
from cardgen.core.artwork import IconRun, SetText, TextRun
from cardgen.core.book import BookPage
from cardgen.core.findings import Findings

COMPONENT = """
  rules:
    title: Rules
    kind: book
    trim: a5
    book: rulebook.md
{look}
sheets:
  rules: {{layout: single, components: [rules]}}
  booklet: {{layout: booklet, components: [rules]}}
"""


@dataclass(frozen=True)
class Made:
    """A book laid out, or None, and the findings on the way."""

    book: production.RenderedBook | None
    findings: Findings

    @property
    def pages(self) -> tuple[BookPage, ...]:
        assert self.book is not None, [str(finding) for finding in self.findings]
        return self.book.book.pages

    @property
    def said(self) -> list[tuple[str, int | None, str]]:
        """Code, line and message of each finding."""
        return [
            (finding.code, finding.location.line if finding.location else None, finding.message)
            for finding in self.findings.sorted()
        ]


def add_book(demo: Path, markdown: str, look: str = "") -> Path:
    manifest = demo / "data/demo/game.yaml"
    text = manifest.read_text(encoding="utf-8")
    indented = "".join(f"      {line}\n" for line in look.splitlines())
    entry = COMPONENT.format(look=f"    look:\n{indented}" if look else "")
    assert text.count("\nsheets:\n") == 1
    manifest.write_text(text.replace("\nsheets:\n", entry), encoding="utf-8")
    (demo / "data/demo/rulebook.md").write_text(markdown, encoding="utf-8")
    return demo


@pytest.fixture
def with_book(demo: Path) -> Callable[..., Path]:
    """Adds a rulebook with this Markdown, and this look (lines of YAML), to the demo project."""
    return partial(add_book, demo)


@pytest.fixture
def make(with_book: Callable[..., Path]) -> Callable[..., Made]:
    """Lays out the demo project's rulebook with this Markdown."""

    def lay_out(markdown: str, look: str = "", *, low_ink: bool = False) -> Made:
        game = cardgen.load("demo", project=cardgen.Project.open(with_book(markdown, look)))
        findings = Findings()
        book = production.render_book(game, game.component("rules"), findings, low_ink=low_ink)
        return Made(book, findings)

    return lay_out


def texts(page: BookPage) -> list[str]:
    """The lines of a page, from the top, with its icons."""
    lines: dict[float, list[tuple[float, str]]] = {}
    for item in page.artwork.items:
        if not isinstance(item, SetText):
            continue
        for run in item.runs:
            if isinstance(run, TextRun):
                y = item.matrix.f + run.y
                lines.setdefault(round(y, 1), []).append((item.matrix.e + run.x, run.text))
            else:
                assert isinstance(run, IconRun)
                line = min(lines, key=lambda y: abs(y - item.matrix.f - run.y - run.size / 2), default=0.0)
                lines.setdefault(line, []).append((item.matrix.e + run.x, f":{run.icon}:"))
    return ["".join(text for _, text in sorted(line)) for _, line in sorted(lines.items())]


def all_text(made: Made) -> str:
    """Everything that the book says, line after line."""
    return "\n".join(line for page in made.pages for line in texts(page))
