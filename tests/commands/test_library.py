"""The library as a program uses it: games from memory, one card as bytes, streams, progress, threads."""

from __future__ import annotations

import io
import os
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image

import cardgen
from cardgen.files import memory

GAME = {
    "data/duel/game.yaml": "id: duel\ntitle: Duel\nversion: 1.0.0\nauthor: A\nlanguage: en\n"
    "players: {min: 2, max: 2}\ncomponents:\n  cards: {title: Cards, kind: card, trim: poker, "
    "data: cards.yaml, schema: cards.schema.json, face: cards.svg}\n"
    "sheets: {poker: {layout: poker, components: [cards]}}\n",
    "schemas/duel/cards.schema.json": '{"properties": {"cards": {"items": {"properties": '
    '{"copies": {"type": "integer", "minimum": 0}}}}}}',
    "data/duel/cards.yaml": "cards:\n  - {id: ace, name: Ace}\n  - {id: king, name: King, copies: 2}\n",
    "templates/duel/cards.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 69.5 94.9">'
    '<rect width="69.5" height="94.9" fill="#fff"/><text x="35" y="40" font-size="6" '
    'font-family="IBM Plex Sans">{{ card.name }}</text></svg>\n',
}


@pytest.fixture
def duel() -> cardgen.Game:
    return cardgen.load(GAME)


def save(files: dict[str, str], folder: Path) -> Path:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
    return folder


def test_memory_and_disk_have_the_same_bytes_and_findings(tmp_path: Path) -> None:
    wrong = GAME | {"data/duel/cards.yaml": GAME["data/duel/cards.yaml"].replace("copies: 2", "copies: -2")}
    for files in (GAME, wrong):
        made = []
        folder = save(files, tmp_path / str(len(str(files))))
        for game in (cardgen.Project.from_files(files), folder):
            loaded = cardgen.load(game, partial=True)
            findings = [str(each) for each in cardgen.check(loaded)]
            card = cardgen.render_card(loaded, "ace", "pdf")
            made.append((findings, card))
        assert made[0] == made[1]
    assert any("copies" in each for each in made[0][0])


def test_a_project_in_memory_writes_nothing_but_its_output(
    duel: cardgen.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("png", "svg", "pdf"):
        assert cardgen.render_card(duel, "ace", name)  # type: ignore[arg-type]
    project = cardgen.Project.from_files(GAME)
    with pytest.raises(cardgen.UsageError, match="no folder for outputs"):
        cardgen.build(cardgen.BuildOptions("duel"), project=project)
    result = cardgen.build(cardgen.BuildOptions("duel", output=tmp_path / "out"), project=project)
    assert [Path(file.path).name for file in result.files] == ["poker.pdf"]
    assert not os.path.exists(memory._PLACE)
    again = cardgen.build(cardgen.BuildOptions("duel", output=tmp_path / "out"), project=project)
    assert again.up_to_date
    changed = cardgen.Project.from_files(GAME | {"data/duel/cards.yaml": "cards: [{id: ace, name: One}]\n"})
    assert not cardgen.build(
        cardgen.BuildOptions("duel", output=tmp_path / "out"), project=changed
    ).up_to_date


def test_load_takes_a_path_a_project_or_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = save(GAME, tmp_path / "p")
    places: list[Any] = [
        folder,
        f"{tmp_path}/p",
        folder / "data/duel",
        folder / "data/duel/game.yaml",
        cardgen.Project.open(folder),
        {name: text.encode() for name, text in GAME.items()},
    ]
    assert {cardgen.load(place).title for place in places} == {"Duel"}
    assert cardgen.load("duel", project=cardgen.Project.open(folder)).id == "duel"
    with pytest.raises(cardgen.UsageError, match="several games"):
        cardgen.load(GAME | {"data/other/game.yaml": "title: Other"})
    with pytest.raises(cardgen.UsageError, match="no game"):
        cardgen.load({})
    with pytest.raises(cardgen.UsageError, match="only the id"):
        cardgen.load(GAME, project=cardgen.Project.open(folder))


@pytest.mark.parametrize(
    "name", ["/etc/x", "../x", "a//b", "a/./b", "", "a\\b", "a\nb", "/".join("a" * 40)], ids=ascii
)
def test_names_that_are_no_files_of_a_project_are_refused(name: str) -> None:
    with pytest.raises(cardgen.UsageError):
        cardgen.Project.from_files({name: ""})


def test_a_file_is_no_folder_too() -> None:
    for files in ({"a": "", "a/b": ""}, {"a/b/c": "", "a/b": ""}):
        with pytest.raises(cardgen.UsageError, match=r"both a file|also a file"):
            cardgen.Project.from_files(files)


def test_files_that_are_too_large_or_missing_are_findings(duel: cardgen.Game) -> None:
    big = GAME | {"data/duel/cards.yaml": "#" * (8 * 1024 * 1024 + 1)}
    with pytest.raises(cardgen.CardgenError) as error:
        cardgen.load(big)
    assert {finding.code for finding in error.value.findings} == {"file/size"}
    missing = {name: text for name, text in GAME.items() if "templates" not in name}
    with pytest.raises(cardgen.CardgenError) as error:
        cardgen.render(cardgen.load(missing))
    assert "there is no file 'cards.svg'" in str(error.value)


def test_files_go_to_other_processes_and_go_when_nobody_has_them() -> None:
    project = cardgen.Project.from_files(GAME | {"data/duel/notes.txt": "of this test alone"})
    sent = pickle.dumps(project)
    root = project.root
    del project
    assert not memory.entry(root)
    copy = pickle.loads(sent)
    assert (copy.root, copy.own_games()) == (root, ["duel"])


def test_one_card_is_a_png_an_svg_or_a_pdf(duel: cardgen.Game) -> None:
    image = Image.open(io.BytesIO(cardgen.render_card(duel, "ace", dpi=100)))
    assert image.size == (250, 350)
    assert image.mode == "RGBA"
    with_bleed = Image.open(io.BytesIO(cardgen.render_card(duel, "ace", dpi=100, bleed=True)))
    assert with_bleed.size == (275, 375)
    svg = cardgen.render_card(duel, "king", "svg").decode()
    assert 'aria-label="King"' in svg
    page = pypdfium2.PdfDocument(cardgen.render_card(duel, "king", "pdf"))[0]
    assert "King" in page.get_textpage().get_text_range()
    left, bottom, right, top = page.get_trimbox()
    assert (round(right - left), round(top - bottom)) == (180, 252)
    for wrong in (
        {"card": "queen"},
        {"card": "k*"},
        {"card": "ace", "side": "back"},
        {"card": "ace", "format": "gif"},
        {"card": "ace", "dpi": 5},
    ):
        with pytest.raises(cardgen.UsageError):
            cardgen.render_card(duel, **wrong)  # type: ignore[arg-type]


def test_a_sheet_goes_to_a_stream_as_to_a_file(duel: cardgen.Game, tmp_path: Path) -> None:
    art = cardgen.render(duel)
    sheet = cardgen.impose(duel, art, "poker")
    stream = io.BytesIO()
    assert cardgen.export(duel, art, sheet, stream) is None
    path = cardgen.export(duel, art, sheet, tmp_path / "poker.pdf")
    assert stream.getvalue() == path.read_bytes()


def test_progress_is_called_and_cancels(duel: cardgen.Game, tmp_path: Path) -> None:
    steps: list[str] = []

    def note(step: str, done: int, total: int) -> None:
        steps.append(step)

    def stop(step: str, done: int, total: int) -> None:
        raise cardgen.Cancelled

    art = cardgen.render(duel, progress=note)
    sheet = cardgen.impose(duel, art, "poker")
    cardgen.export(duel, art, sheet, tmp_path / "a.pdf", progress=note)
    assert {"laying out", "drawing"} <= set(steps)
    project = cardgen.Project.from_files(GAME)
    options = cardgen.BuildOptions("duel", output=tmp_path / "out")
    for call in (
        lambda: cardgen.load(GAME, progress=stop),
        lambda: cardgen.check(duel, progress=stop),
        lambda: cardgen.render(duel, progress=stop),
        lambda: cardgen.render_card(duel, "ace", progress=stop),
        lambda: cardgen.export(duel, art, sheet, tmp_path / "b.pdf", progress=stop),
        lambda: cardgen.build(options, project=project, progress=stop),
    ):
        with pytest.raises(cardgen.Cancelled):
            call()
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["a.pdf"]


def test_threads_get_what_one_gets(duel: cardgen.Game) -> None:
    wanted = [("ace", "png"), ("king", "pdf"), ("ace", "svg"), ("king", "png")]
    alone = [cardgen.render_card(duel, *each) for each in wanted]  # type: ignore[arg-type]

    def draw(number: int) -> bytes:
        return cardgen.render_card(cardgen.load(GAME), *wanted[number % 4])  # type: ignore[arg-type]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(draw, range(16))) == alone * 4


def test_nothing_is_printed_and_no_folder_changed(
    duel: cardgen.Game, capfd: pytest.CaptureFixture[str]
) -> None:
    before = (os.getcwd(), dict(os.environ), sys.stdout, sys.stderr)
    cardgen.check(duel)
    cardgen.render_card(duel, "ace")
    assert (os.getcwd(), dict(os.environ), sys.stdout, sys.stderr) == before
    assert capfd.readouterr() == ("", "")
