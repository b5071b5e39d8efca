"""Whatever a game's words are, its report is the same page with other words in it."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

import cardgen
from tests.for_each import for_each
from tests.pdf_grammar import judge
from tests.printed import hidden

PROJECT = Path(__file__).parents[1] / "hostile" / "project"
HOSTILE = [
    "</title><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>\"'><b a=",
    "</style></svg>]]>--><style>*{}",
    "/*fonts*/ {{ 7 * 7 }} {% raw %}",
    "$\\frac{1}$ &lt;b&gt; & `<i>` `",
    "<para><font color=red>x</para>",
    "\U0001f31f\u4f60\u0627\u200d\u0301 %(x)s %d",
]
RULES = """\
rules:
  - {id: each, question: @, why: @, kind: each, component: cards, holds: 'false', message: %}
  - {id: count, question: @, why: @, kind: count, component: cards, equals: 3}
  - {id: spread, question: @, kind: distribution, component: cards, value: value, mean: {max: 1}}
  - {id: titles, question: @, kind: count, component: cards, group_by: title, report: true}
"""


class Elements(HTMLParser):
    """How many elements of each name a page has, and the names of all attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found[tag] += tag != "code"  # what a question has between backquotes is set as code
        self.attributes.update(name for name, _ in attrs)


def game_of(text: str, folder: Path) -> cardgen.Game:
    """The small game with the text wherever words can be."""
    project = Path(shutil.copytree(PROJECT, folder))
    quoted = json.dumps(text, ensure_ascii=False)
    said = re.sub("[{}]", "", quoted)  # what stands in a message's braces is an expression
    path = project / "data/demo/game.yaml"
    words = path.read_text("utf-8").replace("components:", "rules: rules.yaml\ncomponents:", 1)
    for old in ("Demo", "Somebody", "Two cards to be attacked.", "Cards"):
        words = words.replace(f": {old}\n", f": {quoted}\n")
    path.write_text(words, "utf-8")
    cards = project / "data/demo/cards.yaml"
    cards.write_text(cards.read_text("utf-8").replace("title: First", f"title: {quoted}"), "utf-8")
    (project / "data/demo/rules.yaml").write_text(RULES.replace("%", said).replace("@", quoted), "utf-8")
    return cardgen.load("demo", project=cardgen.Project.open(project))


@pytest.fixture(scope="module")
def wished(tmp_path_factory: pytest.TempPathFactory) -> Elements:
    """What is in the report of the game with plain words."""
    plain = game_of("x " * 9, tmp_path_factory.mktemp("words") / "plain")
    return Elements(cardgen.make_report(plain, "html").decode("utf-8"))


@for_each("text", HOSTILE)
def test_words_stay_words(text: str, wished: Elements, tmp_path: Path) -> None:
    hostile = game_of(text, tmp_path / "hostile")
    page = cardgen.make_report(hostile, "html").decode("utf-8")
    found = Elements(page)
    assert (found.found, found.attributes) == (wished.found, wished.attributes)
    assert page.count("@font-face") == 5
    assert page.index("@font-face") > page.index("<style>")
    summary = json.loads(cardgen.make_report(hostile, "json"))
    assert [rule["question"] for rule in summary["rules"]] == [text] * 4
    if text in HOSTILE[5:]:  # tags that its library knows, and letters that few fonts have
        assert judge(cardgen.make_report(hostile, "pdf")).faults == ()


def test_the_summary_can_be_printed(tmp_path: Path) -> None:
    game = game_of("a \u202eb ##[group]\u2066\u200f", tmp_path / "game")
    summary = cardgen.make_report(game, "json").decode("utf-8")
    assert not hidden(summary)
    assert "##[" not in summary
    assert json.loads(summary)["rules"][0]["question"] == "a \u202eb ##[group]\u2066\u200f"
