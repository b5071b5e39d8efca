"""`cardgen pull`, from a server of this machine."""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cardgen
from cardgen.cli.main import main
from cardgen.commands.data import pull as pulling
from cardgen.files import network as fetching
from cardgen.files.project import Project
from tests.files.making import rows, xlsx
from tests.files.serving import WAY, answer, serving
from tests.game.test_spreadsheets import project
from tests.wording import Wording

__all__ = ["project"]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in the project."""
    monkeypatch.chdir(project)

    def call(*words: str) -> tuple[int, str, str]:
        code = main([*words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


HEAD = "title,type,price,unique\n"


class Published:
    """What is published: by path the content and its media type."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, str]] = {}
        self.port = 0

    def reply(self, line: str, channel: ssl.SSLSocket) -> None:
        found = self.files.get(line.split()[1])
        if found is None:
            channel.sendall(answer(b"", status="404 Not Found"))
        else:
            channel.sendall(answer(found[0], f"Content-Type: {found[1]}"))

    def put(self, path: str, content: bytes | str, kind: str = "text/csv") -> None:
        self.files[path] = (content.encode() if isinstance(content, str) else content, kind)


@pytest.fixture
def web(project: Path) -> Iterator[Published]:
    """A server, of which the game says that it publishes its deck."""
    web = Published()
    with serving(web.reply) as web.port:
        manifest = project / "data/duel/game.yaml"
        text = manifest.read_text(encoding="utf-8")
        manifest.write_text(
            f"{text}pull: {{deck.csv: 'https://sheets.example:{web.port}/deck'}}\n", "utf-8"
        )
        yield web


def pull(project: Path, *, write: bool = True) -> pulling.Pulled:
    (found,) = pulling.pull("duel", project=Project.open(project), write=write, way=WAY)
    return found


def deck(project: Path) -> str:
    return (project / "data/duel/deck.csv").read_text(encoding="utf-8")


def test_what_changed_is_said_card_by_card(project: Path, web: Published) -> None:
    web.put("/deck", f"{HEAD}Fox,agent,4,\nOak,plan,3,\nYak,agent,2,\n")
    before = deck(project)
    looked = pull(project, write=False)
    assert deck(project) == before
    found = pull(project)
    assert deck(project) == f"{HEAD}Fox,agent,4,\nOak,plan,3,\nYak,agent,2,\n"
    assert (found.is_new, found.is_changed, found.rows, found.findings) == (False, True, 3, ())
    assert (
        list(found.lines)
        == list(looked.lines)
        == [
            "data/duel/deck.csv:2: cards/fox changed",
            "  price: 1 → 4",
            "data/duel/deck.csv:4: cards/yak new",
            "cards/owl removed; it was at data/duel/deck.csv:3",
        ]
    )
    again = pull(project)
    assert (again.is_changed, again.findings, again.rows) == (False, (), 3)


def test_the_last_good_file_stays(project: Path, web: Published, wording: Wording) -> None:
    before = deck(project)
    for content, kind in (
        (b"<!DOCTYPE html><title>Sign in</title>", "text/html"),
        (b"\n <html>", "text/csv"),
        (b'{"error": 1}', "application/json"),
        (b"", "text/csv"),
        (b'a,b\n1,"2', "text/csv"),
        (xlsx({"Cards": rows(("a",))}), "text/csv"),
    ):
        web.put("/deck", content, kind)
        found = pull(project)
        assert (found.findings[0].code, found.is_changed) == ("pull/content", False)
        wording(found.findings[0])
        assert re.match(r"data/duel/game\.yaml:\d+:\d+: pull", str(found.findings[0]))
        assert deck(project) == before
    assert [path.name for path in (project / "data/duel").iterdir() if path.name.startswith(".")] == []


def test_what_is_not_there(project: Path, web: Published) -> None:
    before = deck(project)
    (finding,) = pull(project).findings
    assert (finding.code, "answers 404 Not Found" in finding.message) == ("pull/failed", True)
    assert deck(project) == before


def test_a_file_that_was_not_there_and_one_with_errors(project: Path, web: Published) -> None:
    (project / "data/duel/deck.csv").unlink()
    web.put("/deck", f"{HEAD}Fox,agent,x,\n")
    found = pull(project)
    assert (found.is_new, found.is_changed, found.rows) == (True, True, 1)
    assert [(each.code, each.message) for each in found.findings] == [
        ("pull/errors", "there is an error in the game now")
    ]
    assert deck(project) == f"{HEAD}Fox,agent,x,\n"


def test_new_html_and_words_in_brackets_are_told_once_and_read_as_stated(
    project: Path, web: Published
) -> None:
    cards = "".join(f"Card {at}<br>,agent,{at},\n" for at in range(3))
    web.put("/deck", HEAD + cards.replace("<br>", " [zed] [mark]<br>"))
    assert [each.code for each in pull(project, write=False).findings] == [
        "tables/icon-word",
        "tables/icon-word",
        "tables/html",
    ]
    manifest = project / "data/duel/game.yaml"
    stated = 'data: deck.csv\n    markup: {html: true, icons: {"[zed]": zed, "[mark]": false}}\n'
    manifest.write_text(manifest.read_text("utf-8").replace("data: deck.csv\n", stated), "utf-8")
    found = pull(project)
    assert [each.code for each in found.findings] == ["icon/stand-in"]
    game = cardgen.load("duel", project=Project.open(project))
    assert next(game.cards()).fields["title"] == "Card 0 :zed: [mark]"
    web.put("/deck", HEAD + cards.replace("<br>", " [zed]"))
    assert not pull(project).findings


def test_a_workbook(project: Path, web: Published) -> None:
    manifest = project / "data/duel/game.yaml"
    text = manifest.read_text(encoding="utf-8").replace("data: deck.csv", "data: deck.xlsx#Cards")
    manifest.write_text(text.replace("{deck.csv:", "{deck.xlsx:"), "utf-8")
    head = ("title", "type", "price")
    for cost in (1, 2):
        book = xlsx({"Notes": rows(("x",)), "Cards": rows(head, ("Fox", "agent", cost))})
        web.put("/deck", book, "application/octet-stream")
        found = pull(project)
    assert list(found.lines) == ["data/duel/deck.xlsx:Cards!A2: cards/fox changed", "  price: 1 → 2"]
    web.put("/deck", xlsx({"Notes": rows(("x",))}), "application/octet-stream")
    found = pull(project)
    assert (found.is_changed, [each.code for each in found.findings]) == (
        False,
        ["pull/content", "tables/sheet"],
    )


@pytest.mark.skipif(not hasattr(Path, "symlink_to"), reason="needs links")
def test_nothing_is_written_out_of_the_project(project: Path, web: Published, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (project / "data/duel").rename(outside)
    (project / "data/duel").symlink_to(outside)
    web.put("/deck", f"{HEAD}Fox,agent,9,\n")
    with pytest.raises(cardgen.CardgenError):
        pull(project)
    assert "9" not in (outside / "deck.csv").read_text(encoding="utf-8")


def test_the_command(project: Path, web: Published, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "Way", lambda: WAY)
    web.put("/deck", f"{HEAD}Fox,agent,4,\nOwl,tool,2,yes\nOak,plan,3,\n")
    code, out, err = run("pull", "duel", "--dry-run")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "data/duel/deck.csv: changed, 3 rows",
        "  data/duel/deck.csv:2: cards/fox changed",
        "    price: 1 → 4",
        "nothing was written (--dry-run)",
    ]
    assert "agent,1" in deck(project)
    assert run("pull", "duel")[0] == 0
    assert run("pull", "duel") == (0, "data/duel/deck.csv: as it was, 3 rows\n", "")
    web.files.clear()
    code, out, err = run("pull", "duel")
    assert (code, out) == (1, "data/duel/deck.csv: left as it was\n")
    assert "sheets.example answers 404 Not Found [pull/failed]" in err


def test_misuse(project: Path, run: Run) -> None:
    code, _, err = run("pull", "duel")
    assert (code, "has no address of a published spreadsheet" in err) == (2, True)
    code, _, err = run("pull", "hackers")
    assert (code, "ships with cardgen" in err) == (2, True)
    manifest = project / "data/duel/game.yaml"
    text = manifest.read_text(encoding="utf-8")
    for entry in (
        "{deck.csv: 'http://sheets.example/'}",
        "{../deck.csv: 'https://a.example/'}",
        "{a.yaml: 'https://a'}",
    ):
        manifest.write_text(f"{text}pull: {entry}\n", "utf-8")
        code, _, err = run("pull", "duel")
        assert (code, "pull" in err) == (1, True), entry
