"""docs/templates.md names everything that a template can use."""

from __future__ import annotations

import re

import pytest
from jinja2.defaults import DEFAULT_FILTERS

from cardgen.art.functions import Rng
from cardgen.art.markdown import Markdown
from cardgen.art.templates import Templates
from cardgen.files.listing import ProjectFolders
from tests.art.support import BUNDLED, Workshop, book

DOCS = (BUNDLED / "docs" / "templates.md").read_text("utf-8")
WORDS = set(re.findall(r"[A-Za-z_][\w-]*", DOCS))


@pytest.fixture
def templates(shop: Workshop) -> Templates:
    return Templates(shop.game([{}]), ProjectFolders((BUNDLED,)), book(), low_ink=False)


def test_every_filter_and_function_is_documented(templates: Templates) -> None:
    env = templates._env
    names = {name for name in (*env.filters, *env.globals) if not name.startswith("_")}
    left_out = re.search(r"^\| Jinja2's filters \| All but `([a-z ]+)` \|$", DOCS, re.MULTILINE)
    assert left_out is not None
    theirs = set(DEFAULT_FILTERS) - set(left_out[1].split())
    assert theirs - names == set()
    assert names - theirs - WORDS == set()


def test_every_variable_is_documented(templates: Templates, shop: Workshop) -> None:
    component = shop.game([{}]).components[0]
    variables = templates._variables(component, component.cards[0], "face")
    assert variables.keys() - WORDS == set()
    assert variables["component"].keys() - WORDS == set()
    assert variables["game"].keys() - WORDS == set()


def test_methods_of_chance_are_documented() -> None:
    methods = {name for name in vars(Rng) if not name.startswith("_")}
    assert methods - set(re.findall(r"`\.(\w+)\(", DOCS)) == set()


def test_every_attribute_of_ours_is_documented() -> None:
    source = "".join(path.read_text("utf-8") for path in (BUNDLED / "cardgen" / "art").glob("[!n]*.py"))
    used = set(re.findall(r'"(cg:[a-z-]+)"', source)) - {"cg:at", "cg:typed"}
    assert used - set(re.findall(r"cg:[a-z-]+", DOCS)) == set()


def test_the_first_example_renders(shop: Workshop) -> None:
    example = re.search(r"```xml\n(<svg.*?)```", DOCS, re.S)
    assert example is not None
    shop.write("demo/card.svg", example[1])
    shop.theme = {"ink": "#112233", "paper": "#ffffff"}
    card = {"title": "Title", "suit": "key", "text": "Some **text**."}
    assert shop.render(cards=[card], bundled=True).findings == []


def test_the_generative_example_renders(shop: Workshop) -> None:
    example = re.search(r"```xml\n({% set dice.*?)```", DOCS, re.S)
    assert example is not None
    shop.theme = {"ink": "#112233", "paper": "#ffffff"}
    result = shop.render(example[1])
    assert result.findings == []
    assert result.pictures[0].svg.count("<polygon") > 100


def test_what_the_docs_say_of_markdown() -> None:
    assert "cg:block" in Markdown()("a\n\nb")
