"""A game pushed to a running table: the other side is a socket of our own."""

from __future__ import annotations

import copy
import json
import socket
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import lupa
import pytest

import cardgen
from cardgen.commands.build.uploading import push_table
from cardgen.core.findings import CardgenError, Findings
from cardgen.exports.tts_objects import Memo
from cardgen.files.network import LiveError, execute
from tests.exports.tts_games import Deck
from tests.wording import Wording


def note(guid: str, text: str, identity: str) -> dict[str, Any]:
    place = {"posX": 1.0, "posY": 1.0, "posZ": 1.0, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}
    words = {"Nickname": "", "Description": text, "GMNotes": ""}
    memo = Memo("tiny", identity, of=1).text()
    return {"GUID": guid, "Name": "Notecard", "Transform": place, "Memo": memo, **words}


class Running:
    """A program that listens as the game does. Scripts run in a real Lua, on `objects`."""

    def __init__(
        self, objects: list[dict[str, Any]], *, noise: bool = False, error: str | None = None
    ) -> None:
        self.objects = objects
        self.noise, self.error = noise, error
        self.server = socket.create_server(("127.0.0.1", 0))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.back = free.getsockname()[1]
        self.ports = (self.server.getsockname()[1], self.back)
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            with connection:
                message = json.loads(_all_of(connection))
            assert (message["messageID"], message["guid"]) == (3, "-1")
            if self.noise:
                self._answer({"messageID": 2, "message": "printed"})
                self._answer("no JSON")
            if self.error is not None:
                self._answer({"messageID": 3, "error": self.error, "guid": "-1"})
            else:
                self._answer({"messageID": 5, "returnValue": self._run(message["script"])})

    def _answer(self, message: object) -> None:
        with socket.create_connection(("127.0.0.1", self.back)) as connection:
            text = message if isinstance(message, str) else json.dumps(message)
            connection.sendall(text.encode())

    def _run(self, script: str) -> Any:
        lua = lupa.LuaRuntime(unpack_returned_tuples=True)
        own = lua.globals()

        def found(guid: str) -> Any:
            return lua.table_from({"destruct": lambda: self._remove(guid)})

        own.getObjects = lambda: lua.table_from(
            [lua.table_from({"getJSON": partial(_text_of, each)}) for each in self.objects]
        )
        own.getObjectFromGUID = found
        own.spawnObjectJSON = lambda wish: self.objects.append(json.loads(wish["json"]))
        own.JSON = lua.table_from({"encode": lambda table: json.dumps(list(table.values()))})
        own.Wait = lua.table_from({"frames": lambda function, _: function()})
        return lua.execute(script)

    def _remove(self, guid: str) -> None:
        self.objects[:] = [each for each in self.objects if each["GUID"] != guid]


def _all_of(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65536), b""))


def _text_of(each: dict[str, Any], _: bool) -> str:
    return json.dumps(each)


@pytest.fixture
def table() -> Iterator[list[Running]]:
    running: list[Running] = []
    yield running
    for each in running:
        each.server.close()


FRESH = {
    "ObjectStates": [
        note("00000a", 'New "text"\n', "note/a"),
        note("00000b", "Same", "note/b"),
        note("00000c", "More", "note/c"),
    ],
    "TabStates": {},
}


def test_what_is_different_is_put_back_in_its_place(table: list[Running], wording: Wording) -> None:
    moved = note("00000a", "Old", "note/a")
    moved["Transform"]["posX"] = 9.0
    same, theirs = note("00000b", "Same", "note/b"), {"GUID": "ffffff", "Name": "Chess_King"}
    gone = note("00000d", "Gone", "note/d")
    game = Running([moved, copy.deepcopy(same), theirs, gone], noise=True)
    table.append(game)
    findings = Findings()
    push_table(FRESH, "tiny", findings, ports=game.ports)
    by_guid = {each["GUID"]: each for each in game.objects}
    assert set(by_guid) == {"00000a", "00000b", "00000c", "ffffff"}
    assert by_guid["00000a"]["Description"] == 'New "text"\n'
    assert by_guid["00000a"]["Transform"]["posX"] == 9.0
    assert (by_guid["00000b"], by_guid["ffffff"]) == (same, theirs)
    (said,) = findings
    wording(said)
    before = copy.deepcopy(game.objects)
    push_table(FRESH, "tiny", findings, ports=game.ports)
    assert game.objects == before


def test_no_game_is_a_finding(wording: Wording) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(CardgenError) as refused:
        push_table(FRESH, "tiny", Findings(), ports=(port, 0))
    assert refused.value.findings[0].code == "tts/live"
    wording(refused.value.findings[0])


def test_what_the_game_says_is_told(table: list[Running]) -> None:
    table.append(Running([], error="attempt to index a nil value"))
    with pytest.raises(CardgenError, match="attempt to index"):
        push_table(FRESH, "tiny", Findings(), ports=table[0].ports)


def test_an_answer_that_is_no_table(table: list[Running]) -> None:
    table.append(Running([{"DeckIDs": [1]}]))
    with pytest.raises(CardgenError, match="not a table"):
        push_table(FRESH, "tiny", Findings(), ports=table[0].ports)


def test_another_editor_and_silence(wording: Wording) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as other:
        game, taken = server.getsockname()[1], other.getsockname()[1]
        with pytest.raises(LiveError, match="another program"):
            execute("return 1", game=game, editor=taken)
        with pytest.raises(LiveError) as caught:
            execute("return 1", game=game, editor=0, seconds=0.05)
        wording(caught.value)


def test_nothing_but_this_machine_is_talked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts: list[str] = []
    listen = socket.create_server

    def server(address: tuple[str, int]) -> socket.socket:
        hosts.append(address[0])
        return listen(address)

    def connection(address: tuple[str, int], timeout: float) -> socket.socket:
        hosts.append(address[0])
        raise OSError

    monkeypatch.setattr(socket, "create_server", server)
    monkeypatch.setattr(socket, "create_connection", connection)
    with pytest.raises(LiveError):
        execute("return 1", editor=0)
    assert hosts == ["127.0.0.1", "127.0.0.1"]


def test_an_export_is_pushed_when_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pushed: list[tuple[str, int]] = []

    def push(fresh: dict[str, Any], game: str, _: Findings) -> None:
        pushed.append((game, len(fresh["ObjectStates"])))

    monkeypatch.setattr("cardgen.commands.build.uploading.push_table", push)
    deck = Deck(tmp_path).make(2)
    deck.export(push=True)
    deck.export(push=True)
    assert pushed == [("tiny", len(deck.save()["ObjectStates"]))] * 2
    wish = cardgen.ExportOptions(game="tiny", to="tts", components=("cards",), settings={"push": True})
    with pytest.raises(cardgen.UsageError):
        cardgen.export_to(wish, project=cardgen.Project.open(tmp_path))
