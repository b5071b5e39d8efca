"""Orders in one's account at their service: what is sent, what is remembered, and what is not said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.commands.build.uploading import STATE, Upload, access, upload
from cardgen.core.findings import CardgenError, Findings, UsageError
from cardgen.files.network import Way
from cardgen.game.facts import load_service
from tests.files.crafting import SECRETS, Crafting, crafting
from tests.files.serving import WAY
from tests.shipped import PROJECT
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
SERVICE = load_service(PROJECT.paths, "tgc")


def piece(order: str, number: int, card: str, copies: int = 1, back: str | None = None) -> dict[str, Any]:
    face = f"{order}/{number:02}-{card}.png"
    return {"number": number, "card": card, "copies": copies, "face": face, "back": back}


def order(name: str, product: str, *pieces: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "product": product, "title": product, "pieces": list(pieces)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An export of every kind of thing, its pictures a few bytes each."""
    return written(
        tmp_path,
        order(
            "cards",
            "PokerDeck",
            piece("cards", 1, "fox", 3, "cards/back.png"),
            piece("cards", 2, "owl", 120, "cards/back.png"),
            piece("cards", 3, "two-faced", 1, "cards/03-back.png"),
        ),
        order(
            "chits",
            "SmallSquareChit",
            piece("chits", 1, "coin", 9, "chits/back.png"),
            piece("chits", 2, "hole"),
        ),
        order("rules", "LargeBooklet", piece("rules", 1, "page-1"), piece("rules", 2, "page-2")),
        order("mat", "MediumGameMat", piece("mat", 1, "table", 2)),
        order("box", "PokerTuckBox54", piece("box", 1, "box")),
        order("stickers", "CustomMiniSticker", piece("stickers", 1, "sheet")),
    )


def written(folder: Path, *orders: dict[str, Any]) -> Path:
    for each in [piece for order in orders for piece in order["pieces"]]:
        for name in filter(None, (each["face"], each["back"])):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(name.encode())
    manifest = {"title": "Night Market", "orders": orders}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


@pytest.fixture
def service() -> Iterator[Crafting]:
    with crafting() as found:
        yield found


def sent(folder: Path, service: Crafting, **more: Any) -> tuple[Upload, Findings]:
    findings = Findings()
    service.asked.clear()
    done = upload(
        folder,
        SERVICE,
        findings,
        environment=more.pop("environment", SECRETS),
        address=service.address,
        way=WAY,
        pause=0,
        **more,
    )
    return done, findings


def codes(findings: Findings) -> list[str]:
    return sorted(finding.code for finding in findings)


def test_a_whole_order(folder: Path, service: Crafting) -> None:
    done, findings = sent(folder, service)
    assert (done.pictures, done.made, done.changed) == (12, 14, 0)
    deck = {"back_from": "Deck"}
    made = {
        "folder": [{"name": "Night Market", "user_id": "U-1", "parent_id": "F-0"}],
        "game": [{"name": "Night Market", "designer_id": "D-1"}],
        "deck": [
            {
                "name": "cards",
                "identity": "PokerDeck",
                "quantity": "1",
                "back_id": "file-1",
                "game_id": "game-1",
            }
        ],
        "card": [
            {"name": "fox", "deck_id": "deck-1", "quantity": "3", "face_id": "file-2"} | deck,
            {
                "name": "owl",
                "deck_id": "deck-1",
                "quantity": "99",
                "face_id": "file-3",
                "back_from": "Deck",
            },
            {
                "name": "owl",
                "deck_id": "deck-1",
                "quantity": "21",
                "face_id": "file-3",
                "back_from": "Deck",
            },
            {
                "name": "two-faced",
                "deck_id": "deck-1",
                "quantity": "1",
                "face_id": "file-4",
                "back_from": "Card",
                "back_id": "file-5",
            },
        ],
        "twosidedsluggedset": [
            {
                "name": "chits 1",
                "identity": "SmallSquareChit",
                "quantity": "1",
                "back_id": "file-6",
                "game_id": "game-1",
            },
            {"name": "chits 2", "identity": "SmallSquareChit", "quantity": "1", "game_id": "game-1"},
        ],
        "twosidedslugged": [
            {"name": "coin", "quantity": "9", "face_id": "file-7", "set_id": "twosidedsluggedset-1"},
            {"name": "hole", "quantity": "1", "face_id": "file-8", "set_id": "twosidedsluggedset-2"},
        ],
        "booklet": [
            {"name": "rules", "identity": "LargeBooklet", "quantity": "1", "game_id": "game-1"},
        ],
        "bookletpage": [
            {
                "name": f"page-{n}",
                "booklet_id": "booklet-1",
                "sequence_number": f"{n}",
                "image_id": f"file-{8 + n}",
            }
            for n in (1, 2)
        ],
        "onesided": [
            {
                "name": "table",
                "identity": "MediumGameMat",
                "quantity": "2",
                "face_id": "file-11",
                "game_id": "game-1",
            }
        ],
        "tuckbox": [
            {
                "name": "box",
                "identity": "PokerTuckBox54",
                "quantity": "1",
                "outside_id": "file-12",
                "game_id": "game-1",
            }
        ],
    }
    for path, wanted in made.items():
        asked = service.fields("POST", path)
        assert [{**each, "session_id": "S-1"} for each in wanted] == asked, path
    contents = [content for _, path, _, content in service.asked if path == "file"]
    assert contents[:2] == [b"cards/back.png", b"cards/01-fox.png"]
    assert codes(findings) == ["upload/by-hand", "upload/done"]
    assert (service.asked[0][1], service.asked[-1][:2]) == ("session", ("DELETE", "session/S-1"))


def test_a_second_run_does_what_is_new(folder: Path, service: Crafting) -> None:
    sent(folder, service)
    done, _ = sent(folder, service)
    assert done == Upload()
    assert (service.paths("POST"), service.paths("PUT")) == (["session"], [])
    (folder / "cards/01-fox.png").write_bytes(b"another fox")
    done, findings = sent(folder, service)
    assert (done.pictures, done.bytes, done.made, done.changed) == (1, 11, 0, 1)
    assert service.paths("POST") == ["session", "file"]
    assert service.paths("PUT") == ["card/card-1"]
    assert codes(findings) == ["upload/by-hand", "upload/done"]


def test_an_interrupted_upload_goes_on(folder: Path, service: Crafting) -> None:
    service.refuse["POST", "card", 2] = (500, "out of KEY-1234 order")
    with pytest.raises(CardgenError) as told:
        sent(folder, service)
    (finding,) = told.value.findings
    assert finding.code == "upload/refused"
    assert finding.message == "The Game Crafter answers 500: out of … order"
    before = service.paths("POST")
    sent(folder, service)
    after = service.paths("POST")
    assert not {"game", "folder", "deck"} & set(after)
    assert [*before, *after].count("file") == 12
    assert sorted(json.loads((folder / STATE).read_text("utf-8"))["things"])[0].startswith("LargeBooklet")


def test_what_is_gone_is_said_and_stays(folder: Path, service: Crafting) -> None:
    sent(folder, service)
    written(folder, order("cards", "PokerDeck", piece("cards", 1, "fox", 3, "cards/back.png")))
    _, findings = sent(folder, service, partial=True)
    assert codes(findings) == ["upload/done"]
    _, findings = sent(folder, service)
    assert codes(findings) == ["upload/done", "upload/left"]
    assert service.paths("DELETE") == ["session/S-1"]


def test_a_dry_run_asks_nobody(folder: Path, service: Crafting) -> None:
    done, findings = sent(folder, service, dry_run=True, environment={})
    assert service.asked == []
    assert not (folder / STATE).exists()
    real, _ = sent(folder, service)
    assert done == real
    assert "would be uploaded to The Game Crafter" in next(
        finding.message for finding in findings if finding.code == "upload/done"
    )


def test_nothing_secret_is_kept(folder: Path, service: Crafting) -> None:
    sent(folder, service)
    text = (folder / STATE).read_text("utf-8")
    assert not any(secret in text for secret in (*SECRETS.values(), "S-1"))


def test_a_list_that_is_none(folder: Path, service: Crafting) -> None:
    bad_list = '{"upload": 1, "game": "", "folder": "", "pictures": [], "things": {}}'
    for text in ("", "[]", '{"upload": 2}', bad_list):
        (folder / STATE).write_text(text, encoding="utf-8")
        with pytest.raises(CardgenError) as told:
            sent(folder, service)
        assert told.value.findings[0].code == "upload/state"
        assert service.asked == []


@pytest.mark.parametrize(
    ("designers", "wanted", "found"),
    [
        ([("D-1", "Fox")], "", "D-1"),
        ([("D-1", "Fox"), ("D-2", "Owl")], "Owl", "D-2"),
        ([("D-1", "Fox"), ("D-2", "Owl")], "D-1", "D-1"),
        ([("D-1", "Fox"), ("D-2", "Owl")], "", "has several designers of yours"),
        ([("D-1", "Fox"), ("D-2", "Owl")], "Elk", "has no such designer of yours"),
        ([], "", "has no designer of yours"),
    ],
)
def test_for_whom_a_game_is_made(
    tmp_path: Path, service: Crafting, designers: list[tuple[str, str]], wanted: str, found: str
) -> None:
    service.designers = [{"id": id, "name": name} for id, name in designers]
    folder = written(tmp_path)
    environment = {**SECRETS, "TGC_DESIGNER": wanted}
    if found.startswith("D-"):
        sent(folder, service, environment=environment)
        assert service.fields("POST", "game")[0]["designer_id"] == found
    else:
        with pytest.raises(CardgenError, match=found):
            sent(folder, service, environment=environment)


def test_who_uploads() -> None:
    assert access({"TGC_SESSION": "S-9"}).session == "S-9"
    assert (access(SECRETS).key, access(SECRETS).session) == ("KEY-1234", "")
    with pytest.raises(UsageError, match="needs TGC_USER, TGC_PASSWORD in the environment"):
        access({"TGC_API_KEY": "KEY-1234"})


def test_the_command(
    run: Run, demo: Path, service: Crafting, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    for name in (*SECRETS, "TGC_SESSION"):
        monkeypatch.delenv(name, raising=False)
    code, _, errors = run("export", "demo", "--to", "tgc", "--upload")
    assert code == 2
    assert "--upload needs TGC_API_KEY, TGC_USER, TGC_PASSWORD in the environment" in errors
    code, _, errors = run("export", "demo", "--to", "mpc", "--upload", "--dry-run")
    assert (code, "--upload" in errors) == (2, True)
    wording(errors)
    code, _, errors = run("export", "demo", "--to", "tgc", "--dry-run")
    assert (code, "--dry-run" in errors) == (2, True)
    wording(errors)
    assert not list((demo / "output").glob("**/export.json"))
    code, _, errors = run("export", "demo", "--to", "tgc", "--upload", "--dry-run")
    assert code == 0
    assert "would be uploaded to The Game Crafter" in errors
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    defaults = {"address": service.address, "way": WAY, "pause": 0}
    assert upload.__kwdefaults__ is not None
    for name, value in defaults.items():
        monkeypatch.setitem(upload.__kwdefaults__, name, value)
    code, told, errors = run("export", "demo", "--to", "tgc", "--upload")
    assert code == 0
    assert "uploaded to The Game Crafter" in errors
    assert not any(secret in told + errors for secret in SECRETS.values())
    assert service.fields("POST", "deck")[0]["identity"] == "PokerDeck"
    assert (demo / "output/demo/tgc" / STATE).is_file()
    code, _, errors = run("export", "demo", "--to", "tgc", "--upload")
    assert "0 pictures uploaded to The Game Crafter, 0 items created, 0 changed" in errors
    assert (demo / "output/demo/tgc" / STATE).is_file()


def test_the_usual_way_is_the_open_internet() -> None:
    assert upload.__kwdefaults__ is not None
    assert upload.__kwdefaults__["way"] is None
    assert Way().allow("127.0.0.1") is False
