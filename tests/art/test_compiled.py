"""Compiled templates kept between processes: used while they hold, and never when they don't."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.art.templating import TemplateEnvironment
from cardgen.files import cache
from cardgen.files.listing import ProjectFolders
from tests.art.support import Workshop

CARD = "{% import 'demo/part.svg' as part %}<svg>{{ card.title }}{{ 10|pt }}{{ part.dot() }}</svg>"
PART = "{% macro dot() %}<circle/>{% endmacro %}"


class Compiler:
    """Renders a template in a new environment and counts what it compiles."""

    def __init__(self, shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shop = shop
        self.compiled: list[str] = []
        original = TemplateEnvironment.compile

        def compile(env: TemplateEnvironment, source: str, name: str, filename: str) -> object:
            self.compiled.append(name)
            return original(env, source, name, filename)

        monkeypatch.setattr(TemplateEnvironment, "compile", compile)

    def __call__(self, *, mark_lines: bool = False) -> tuple[str, list[str]]:
        """What the template prints, and which templates were compiled for that."""
        self.compiled = []
        env = TemplateEnvironment(ProjectFolders((self.shop.root,)), mark_lines=mark_lines)
        return env.get_template("demo/card.svg").render(card={"title": "Fox"}), self.compiled


@pytest.fixture
def render(
    shop: Workshop, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Compiler:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path_factory.mktemp("cache")))
    shop.write("demo/card.svg", CARD)
    shop.write("demo/part.svg", PART)
    return Compiler(shop, monkeypatch)


def test_a_template_is_compiled_once(render: Compiler) -> None:
    first, made = render()
    assert made == ["demo/card.svg", "demo/part.svg"]
    assert render() == (first, [])
    assert first == "<svg>Fox3.5278<circle/></svg>"


def test_what_a_template_mentions_is_kept_with_it(render: Compiler) -> None:
    paths = ProjectFolders((render.shop.root,))
    first = TemplateEnvironment(paths).mentioned("demo/card.svg")
    assert first is not None
    assert "card" in first
    render.compiled = []
    assert TemplateEnvironment(paths).mentioned("demo/card.svg") == first
    assert render.compiled == []


def test_an_edited_template_is_compiled_anew(render: Compiler) -> None:
    render()
    render.shop.write("demo/part.svg", PART.replace("circle", "ellipse"))
    text, made = render()
    assert made == ["demo/part.svg"]
    assert "<ellipse/>" in text


def test_what_marks_lines_is_never_kept(render: Compiler) -> None:
    plain, _ = render()
    for _ in range(2):
        marked, made = render(mark_lines=True)
        assert made == ["demo/card.svg", "demo/part.svg"]
        assert marked == plain  # `render` joins it, and what is joined has no marks
    assert render() == (plain, [])


def test_other_code_of_ours_compiles_anew(render: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    render()
    monkeypatch.setattr(cache, "our_environment", lambda: "later")
    assert len(render()[1]) == 2


def test_a_cache_that_cannot_be_written_is_no_error(
    render: Compiler, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "file"))
    assert len(render()[1]) == 2
    assert len(render()[1]) == 2
