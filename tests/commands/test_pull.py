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
from cardgen.commands.data.add import add_component
from cardgen.commands.data.table_decks import new_from_table
from cardgen.files import network as fetching
from cardgen.files.network import Way
from cardgen.files.project import Project
from cardgen.workbench import setup_tasks, start_tasks
from tests.files.making import rows, xlsx
from tests.files.serving import WAY, answer, here, serving, trusting
from tests.for_each import for_each
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


SHARED = "https://docs.google.com/spreadsheets/d/1aB-cdefghijk_L"
EXPORTED = f"{SHARED}/export?format="
PUBLISHED = "https://docs.google.com/spreadsheets/d/e/2PACX-1vTabc_d"


@for_each(
    ("link", "ending", "address"),
    [
        (f"{SHARED}/edit?usp=sharing", ".xlsx", f"{EXPORTED}xlsx"),
        (f"{SHARED}/edit?gid=7#gid=7", ".xlsx", f"{EXPORTED}xlsx"),
        (f"{SHARED}/edit?gid=7#gid=7", ".csv", f"{EXPORTED}csv&gid=7"),
        (f"{SHARED}/edit#gid=0", ".tsv", f"{EXPORTED}tsv&gid=0"),
        (SHARED, ".csv", f"{EXPORTED}csv"),
        (SHARED.replace("/d/", "/u/1/d/"), ".ods", f"{EXPORTED}ods"),
        (f"{PUBLISHED}/pubhtml", ".xlsx", f"{PUBLISHED}/pub?output=xlsx"),
        (f"{PUBLISHED}/pubhtml?gid=3&single=true", ".csv", f"{PUBLISHED}/pub?output=csv&gid=3&single=true"),
        (f"{PUBLISHED}/pub?gid=3&single=true&output=csv", ".csv", None),
        (f"{EXPORTED}csv&gid=7", ".csv", None),
        ("https://docs.google.com/document/d/1aB-cdefghijk_L/edit", ".csv", None),
        ("https://docs.google.com.example/spreadsheets/d/1aB-cdefghijk_L/edit", ".csv", None),
        ("https://example.org/deck.csv", ".csv", None),
    ],
)
def test_link_that_shares_a_sheet_becomes_that_of_its_export(
    link: str, ending: str, address: str | None
) -> None:
    assert pulling.download_address(link, ending) == (address or link)


class Shared(Published):
    """A Google sheet on this machine."""

    def __init__(self) -> None:
        super().__init__()
        self.id = "/spreadsheets/d/1aB-cdefghijk_L"

    @property
    def link(self) -> str:
        return f"https://docs.google.com:{self.port}{self.id}/edit?gid=0#gid=0"

    def book(self, cost: int) -> None:
        head = ("Name", "Cost")
        tabs = {
            "Cards": rows(head, ("Fox", cost), ("Owl", 1)),
            "Tokens": rows(("Name", "Value"), ("Coin", 5)),
            "_Notes": rows(("To do",)),
        }
        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        self.put(f"{self.id}/export?format=xlsx", xlsx(tabs), kind)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shared]:
    def for_any_host() -> ssl.SSLContext:
        context = trusting()
        context.check_hostname = False
        return context

    monkeypatch.setattr(fetching, "Way", lambda: Way(here, lambda address: True, for_any_host))
    shared = Shared()
    with serving(shared.reply) as shared.port:
        yield shared


def test_game_of_a_shared_sheet_has_its_tabs_and_is_refreshed(tmp_path: Path, shared: Shared) -> None:
    shared.book(2)
    new = new_from_table("river", tmp_path, shared.link)
    assert [each.deck.id for each in new.components] == ["cards", "tokens"]
    assert new.skipped == ("_Notes",)
    project = Project.open(new.folder)
    assert shared.link in (new.folder / "data/river/game.yaml").read_text("utf-8")
    order = {"project": str(new.folder), "game": "river"}
    assert setup_tasks.TASKS["pull"](order) == {"files": [], "findings": []}
    shared.book(3)
    answer = setup_tasks.TASKS["pull"](order)
    assert [each["shown"].endswith("data/river/deck.xlsx") for each in answer["files"]] == [True]
    fox = next(card for card in cardgen.load("river", project=project).cards() if card.id == "fox")
    assert fox.fields["cost"] == 3
    added = add_component("minis", "river", project=project, source=f"{shared.link}#Cards")
    assert "data/river/minis.xlsx" in added.files
    assert [each.file for each in pulling.pull("river", project=project)] == [
        "data/river/deck.xlsx",
        "data/river/minis.xlsx",
    ]
    with pytest.raises(cardgen.UsageError) as caught:
        add_component("cards", "river", project=project, source=shared.link)
    assert f"'{shared.link}#Cards'" in str(caught.value.findings[0].hint)


def test_start_page_makes_a_game_of_a_link(tmp_path: Path, shared: Shared) -> None:
    shared.book(2)
    made = start_tasks.TASKS["new_game"]({"name": "river", "into": str(tmp_path), "file": shared.link})
    assert (made["game"], made["cards"], made["skipped"]) == ("river", 3, ["_Notes"])


@for_each(
    ("content", "kind", "code"),
    [
        (b"<!DOCTYPE html><title>Sign in</title>", "text/html", "pull/content"),
        (b"\x00", "application/octet-stream", "tables/damaged"),
        (None, "", "pull/failed"),
    ],
)
def test_sheet_that_is_not_shared_makes_no_game(
    tmp_path: Path, shared: Shared, content: bytes | None, kind: str, code: str
) -> None:
    shared.files.clear()
    if content is not None:
        shared.put(f"{shared.id}/export?format=xlsx", content, kind)
    with pytest.raises(cardgen.CardgenError) as caught:
        new_from_table("river", tmp_path, shared.link)
    assert caught.value.findings[0].code.startswith(code)
    assert not (tmp_path / "river").exists()


@for_each("text", [None, 7, "http://a.example/x.csv", "/etc/passwd", "https://" + "x" * 2000])
def test_page_sends_only_addresses(text: object) -> None:
    with pytest.raises(cardgen.UsageError):
        pulling.checked_link(text)
