"""The folder that is pushed to the web: what the addresses of saves name is in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cardgen

from .tts_games import BACK, Deck


def urls(value: object) -> set[str]:
    if isinstance(value, dict):
        return {url for each in value.values() for url in urls(each)}
    if isinstance(value, list):
        return {url for each in value for url in urls(each)}
    return {value} if isinstance(value, str) and value.startswith("https://") else set()


def test_all_that_saves_name_is_there(tmp_path: Path) -> None:
    deck, folder = Deck(tmp_path / "project").make(3), tmp_path / "site/public"
    base = "https://example.org/some%20games"
    for _ in range(2):
        deck.export(publish=str(folder), **{"base-url": base})
        named = {
            url
            for path in (deck.folder / "table.json", deck.folder / "objects/Cards.json")
            for url in urls(json.loads(path.read_text(encoding="utf-8")))
        }
        assert named
        assert {(folder / url.removeprefix(f"{base}/")).is_file() for url in named} == {True}
        first = {path.name for path in folder.rglob("*") if path.is_file()}
        deck.write("templates/tiny/card.svg", BACK)
    assert first > {".nojekyll"}
    assert len(list((folder / "images").iterdir())) == 4, (
        "older pictures stay: two of the deck, its back, the top"
    )


@pytest.mark.parametrize(
    "settings", [{"publish": "x"}, {"publish": "output/tiny/tts/images", "base-url": "https://example.org"}]
)
def test_a_folder_needs_an_address_and_a_place_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]
) -> None:
    deck = Deck(tmp_path).make(2)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(cardgen.UsageError):
        deck.export(**settings)
    assert not deck.folder.exists()
