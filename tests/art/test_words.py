"""`t('…')` in templates: said in the language of the game, its holes filled, at a price."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.art.templates import speaker, template_words
from cardgen.art.templating import TemplateEnvironment
from cardgen.core.game import Words
from cardgen.expressions.budget import SandboxError
from cardgen.files.listing import ProjectFolders
from tests.for_each import for_each
from tests.wording import Wording


def said(source: str, words: Words | None = None, **values: object) -> str:
    env = TemplateEnvironment(ProjectFolders(()))
    env.offer({"t": speaker(lambda: words, env)})
    env.begin()
    template = env.from_string(source)
    return "".join(template.root_render_func(template.new_context({**env.globals, **values}, shared=True)))


def german(*, must: bool = True, **words: str) -> Words:
    pairs = {source.replace("_", " "): (text, 1) for source, text in words.items()}
    return Words("de", "texts.po", pairs, must, 0, 0)


def test_in_the_games_own_language_a_text_is_itself() -> None:
    assert said("{{ t('Players') }}") == "Players"
    assert said("{{ t('{n} of {all}', n=1, all='<b>') }}") == "1 of &lt;b&gt;"


def test_in_another_it_is_its_translation() -> None:
    words = german(Players="Spieler & Co")
    assert said("{{ t('Players') }}", words) == "Spieler &amp; Co"
    assert said("{{ t('1–2') }}", words) == "1–2"


@for_each("source", ["{{ t('Rounds') }}", "{{ t(x) }}"])
def test_a_word_without_translation_is_no_print(source: str, wording: Wording) -> None:
    with pytest.raises(SandboxError) as caught:
        said(source, german(Players="Spieler"), x="Rounds")
    wording(caught.value)
    assert said(source, german(must=False), x="Rounds") == "Rounds"


@for_each(
    "source",
    [
        "{{ t(1) }}",
        "{{ t('{n} cards') }}",
        "{{ t('{n} cards', m=1) }}",
    ],
)
def test_what_t_cannot_say(source: str, wording: Wording) -> None:
    with pytest.raises(SandboxError) as caught:
        said(source)
    wording(caught.value)


def test_holes_are_paid_for_before_they_are_filled() -> None:
    with pytest.raises(SandboxError, match="more than"):
        said("{{ t('{a}' * 1000, a='x' * 100000) }}")


def test_the_words_of_a_games_templates(tmp_path: Path) -> None:
    folder = tmp_path / "templates/fox"
    folder.mkdir(parents=True)
    (folder / "a.svg").write_text(
        "<svg>\n{{ t('One') }}{{ t('One card' if n == 1 else '{n} cards', n=n) }}</svg>"
    )
    (folder / "b.svg").write_text("{{ t('One') }}{{ t(word) }}{{ t('12') }}{# t('No') #}t('No')")
    (folder / "broken.svg").write_text("{{ t('Lost' }}")
    (tmp_path / "templates/other.svg").write_text("{{ t('Other') }}")
    assert template_words(ProjectFolders((tmp_path,)), "fox") == {
        "One": [("templates/fox/a.svg", 2), ("templates/fox/b.svg", 1)],
        "One card": [("templates/fox/a.svg", 2)],
        "{n} cards": [("templates/fox/a.svg", 2)],
    }
