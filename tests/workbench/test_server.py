"""The workbench over HTTP: edits, sheets, rules, jobs, and how it begins and ends."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cardgen.commands.data.new import new_project
from cardgen.core.findings import UsageError
from cardgen.workbench.server import serving
from tests.sampling import one_in
from tests.wording import Wording
from tests.workbench.desk import Desk
from tests.workbench.served import PATIENCE_S, Served, served


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_project("owls", tmp_path)


@pytest.fixture(scope="module")
def _desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    project = new_project("owls", tmp_path_factory.mktemp("shop"))
    with served(project, environment={"CARDGEN_EDITOR": editor(project.parent)}) as running:
        yield Desk(running, project)


def editor(folder: Path) -> str:
    """A designer's own editor, which writes what it was given into said.txt."""
    script, said = folder / "my editor.sh", folder / "said.txt"
    script.write_text(f'#!/bin/sh\nprintf "%s|" "$@" > "{said}.new"\nmv "{said}.new" "{said}"\n')
    script.chmod(0o755)
    return f"'{script}' -g {{file}}:{{line}}:{{column}} ;echo"


@pytest.fixture
def shop(_desk: Desk) -> Iterator[Served]:
    """One for all tests that ask for it: its files are as they were when the next test begins."""
    yield _desk.shop
    _desk.mend()


@pytest.fixture
def owls(_desk: Desk) -> Path:
    """The project of the shop."""
    return _desk.project


def until(events: Iterator[tuple[str, Any]], kind: str, holds: Any = lambda content: True) -> Any:
    """The first event of a kind whose content is as wished."""
    ends = time.monotonic() + PATIENCE_S
    for name, content in events:
        if name == kind and holds(content):
            return content
        assert time.monotonic() < ends, f"no {kind} as wished"
    raise AssertionError("the events ended")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def cards_file(project: Path) -> Path:
    return project / "data" / "owls" / "cards.yaml"


def first_title(shop: Served) -> tuple[str, str]:
    """Id and title of the first card."""
    card = shop.ask("state.json").json["cards"][0]
    return card["id"], card["fields"]["title"]


def test_an_edit_of_a_card_is_told_and_its_picture_is_new(owls: Path, shop: Served) -> None:
    card, title = first_title(shop)
    old = shop.ask("state.json").json["cards"][0]["face"]["key"]
    before = shop.ask(f"side/{old}.png?px=300")
    assert Image.open(BytesIO(before.body)).width == 300
    assert "immutable" in before.headers["cache-control"]
    with shop.events() as events:
        edit(cards_file(owls), title, f"{title} Owl")
        change = until(events, "change", lambda content: content["cards"])
    [changed] = [each for each in change["cards"] if each["id"] == card]
    assert changed["fields"]["title"] == f"{title} Owl"
    assert changed["face"]["key"] != old
    after = shop.ask(f"side/{changed['face']['key']}.png?px=300")
    assert after.status == 200
    assert after.body != before.body


def test_a_broken_file_is_said_and_mended(owls: Path, shop: Served) -> None:
    _, title = first_title(shop)
    count = len(shop.ask("state.json").json["cards"])
    with shop.events() as events:
        edit(cards_file(owls), title, f'"{title}')  # a quote that doesn't end
        broken = until(events, "change", lambda content: content["findings"])
        assert any(each["file"] == "data/owls/cards.yaml" for each in broken["findings"])
        assert len(shop.ask("state.json").json["cards"]) == count  # as they last were
        edit(cards_file(owls), f'"{title}', title)
        until(
            events, "change", lambda content: not any(e["severity"] == "error" for e in content["findings"])
        )


def test_a_file_that_is_half_written_ends_nothing(owls: Path, shop: Served) -> None:
    path = owls / "data" / "owls" / "game.yaml"
    whole = path.read_bytes()
    with shop.events() as events:
        path.write_bytes(whole[: len(whole) // 2] + b"\xc3")
        until(events, "change")
        path.write_bytes(whole)
        until(events, "change", lambda content: not content["broken"])
    assert shop.process.poll() is None


def test_rules_and_checks_are_told_after_an_edit(owls: Path, shop: Served) -> None:
    with shop.events() as events:
        edit(cards_file(owls), "copies: ", "# so many\n    copies: ")
        done = until(events, "checked", lambda content: not content["running"])
    assert done["epoch"] >= 1
    assert isinstance(done["rules"], list)
    assert done.keys() >= {"findings", "waits"}


def test_a_sheet_is_shown_as_it_prints(shop: Served) -> None:
    name = shop.ask("state.json").json["sheets"][0]["name"]
    with shop.events() as events:
        first = shop.ask(f"sheets/{name}.json").json
        assert first["state"] == "running"
        until(events, "sheet", lambda content: content["state"] != "running")
    about = shop.ask(f"sheets/{name}.json").json
    assert about["state"] == "ready"
    assert "file" not in about  # where it lies is nobody's business
    page = about["pages"][0]
    assert (round(page["width"], 1), round(page["height"], 1)) == (215.9, 279.4)
    picture = Image.open(BytesIO(shop.ask(f"sheets/{about['key']}/0.png?px=400").body))
    assert picture.width == 400
    assert shop.ask(f"sheets/{about['key']}/999.png").status == 404
    assert shop.ask("sheets/none.json").status == 400
    assert shop.ask(f"sheets/{name}.json?paper=papyrus").json["state"] == "running"


def test_a_build_from_the_page(owls: Path, shop: Served) -> None:
    with shop.events() as events:
        number = shop.ask("jobs", method="POST", body={"kind": "build", "options": {}}).json["id"]
        done = until(events, "job", lambda content: content["state"] != "running")
    assert done["state"] == "done"
    assert {Path(file["path"]).suffix for file in done["files"]} == {".pdf"}
    assert all(Path(file["path"]).is_relative_to(owls / "output") for file in done["files"])
    assert {job["id"]: job["state"] for job in shop.ask("jobs.json").json["jobs"]}[number] == "done"


def test_a_proof_and_the_report_from_the_page(owls: Path, shop: Served) -> None:
    card = shop.ask("state.json").json["cards"][0]
    asked = {"proof": {"component": card["component"], "card": card["id"]}, "report": {}}
    with shop.events() as events:
        for kind, options in asked.items():
            shop.ask("jobs", method="POST", body={"kind": kind, "options": options})
            done = until(events, "job", lambda content: content["state"] != "running")
            assert done["state"] == "done"
            assert done["files"]
            assert all(Path(file["path"]).is_file() for file in done["files"])
            for index, file in enumerate(done["files"]):
                answer = shop.ask(f"jobs/{done['id']}/{index}")
                policy = answer.headers["content-security-policy"]
                assert policy.startswith(
                    "sandbox;" if file["path"].endswith(".html") else "default-src 'none'"
                )
                assert "script-src" not in policy


def test_what_can_t_be_asked_for(shop: Served) -> None:
    before = shop.ask("jobs.json").json
    for job in (
        {"kind": "rm", "options": {}},
        {"kind": "page", "options": {}},
        {"kind": "build", "options": {"output": "/tmp"}},
        {"kind": "build", "options": {"project": "/"}},
        {"kind": "build", "options": []},
        {"kind": 3},
    ):
        assert shop.ask("jobs", method="POST", body=job).status == 400
    assert shop.ask("jobs.json").json == before


def test_wrong_values_of_a_job_are_findings(shop: Served) -> None:
    with shop.events() as events:
        for options in (
            {"sheets": "jumbo"},
            {"paper": 3},
            {"low_ink": "yes"},
            {"sheets": ["none"]},
            {"duplex": "up"},
        ):
            shop.ask("jobs", method="POST", body={"kind": "build", "options": options})
            failed = until(events, "job", lambda content: content["state"] != "running")
            assert failed["state"] == "failed"
            assert failed["findings"]


def test_a_job_can_be_stopped(shop: Served) -> None:
    assert shop.ask("jobs/7", method="DELETE", body={}).status == 404
    with shop.events() as events:
        number = shop.ask("jobs", method="POST", body={"kind": "build", "options": {}}).json["id"]
        stopped = shop.ask(f"jobs/{number}", method="DELETE", body={}).status
        ended = until(events, "job", lambda content: content["state"] != "running")
    assert (stopped, ended["state"]) in {(200, "stopped"), (404, "done"), (200, "done")}
    with shop.events() as events:  # and the next one is done
        shop.ask("jobs", method="POST", body={"kind": "build", "options": {}})
        assert until(events, "job", lambda content: content["state"] != "running")["state"] == "done"


def test_the_report_runs_no_script(shop: Served) -> None:
    answer = shop.ask("report.html")
    assert answer.status == 200
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox;")
    assert "script-src" not in policy
    assert "default-src 'none'" in policy


def test_variants_have_benches_of_their_own(shop: Served) -> None:
    full = shop.ask("state.json").json
    light = shop.ask("state.json?ink=low").json
    assert len(light["cards"]) == len(full["cards"])
    assert shop.ask("state.json?language=xx").status == 400
    key = light["cards"][0]["face"]["key"]
    assert shop.ask(f"side/{key}.png").status == 200
    assert shop.ask("side/0000.png").status == 404
    assert shop.ask(f"side/{key}.png?px=0").status == 400
    assert shop.ask(f"side/{key}.png?px=99999").status == 400


# ---------------------------------------------------------------- how it begins and ends


def children_of(process: int) -> list[int]:
    """The processes that a process has started, by the system's own list."""
    path = Path(f"/proc/{process}/task/{process}/children")
    return [int(number) for number in path.read_text().split()]


def gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system has no list of processes")
@pytest.mark.parametrize("how", one_in(3, [signal.SIGTERM, signal.SIGINT, signal.SIGKILL]))
def test_its_processes_end_with_it(project: Path, how: signal.Signals) -> None:
    with served(project) as shop:
        with shop.events() as events:
            until(events, "checked", lambda content: not content["running"])
        children = children_of(shop.process.pid)
        assert children
        with shop.events():  # a page that listens keeps nothing alive
            os.kill(shop.process.pid, how)
            code = shop.process.wait(PATIENCE_S)
        assert code == (-9 if how is signal.SIGKILL else 0)
        end = time.monotonic() + PATIENCE_S
        while not all(map(gone, children)) and time.monotonic() < end:
            time.sleep(0.02)
        assert all(map(gone, children))


@pytest.mark.long
def test_it_ends_without_a_word_while_much_is_asked_of_it(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with served(project) as shop:
        keys = [card["face"]["key"] for card in shop.ask("state.json").json["cards"]]
        waiting = []
        for px in range(2000, 2060):
            connection = http.client.HTTPConnection("127.0.0.1", shop.port)
            connection.request("GET", f"{shop.base}side/{keys[px % 6]}.png?px={px}")
            waiting.append(connection)
        waiting[0].getresponse().read()
        os.kill(shop.process.pid, signal.SIGINT)
        assert shop.process.wait(PATIENCE_S) == 0
        for connection in waiting:
            connection.close()
    assert capfd.readouterr().err == ""


@pytest.mark.long
@pytest.mark.parametrize("after_s", one_in(4, [0.0, 0.2, 0.4, 0.6]))
def test_it_ends_without_a_word_while_the_game_is_loaded(
    project: Path, capfd: pytest.CaptureFixture[str], after_s: float
) -> None:
    with served(project) as shop:
        waiting = [http.client.HTTPConnection("127.0.0.1", shop.port) for _ in range(5)]
        for connection in waiting:
            connection.request("GET", f"{shop.base}state.json")
        time.sleep(after_s)
        os.kill(shop.process.pid, signal.SIGINT)
        assert shop.process.wait(PATIENCE_S) == 0
        for connection in waiting:
            connection.close()
    assert capfd.readouterr().err == ""


def misused(project: Path, *words: str) -> str:
    """What `cardgen preview` complains of, in a process of its own: this one may run a loop already."""
    command = [sys.executable, "-P", "-m", "cardgen", "preview", *words]
    quiet = {**os.environ, "CARDGEN_PROGRESS": "off"}
    done = subprocess.run(
        command, cwd=project, env=quiet, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == 2
    return done.stderr


def test_misuse_is_said(owls: Path, shop: Served, wording: Wording) -> None:
    wording(misused(owls, "none"), "none")
    with pytest.raises(UsageError, match="--port 99999"):
        serving._listener(99999)
    assert "not translated into 'xx'" in misused(owls, "owls", "--language", "xx")
    wording(misused(owls, "owls", "--port", str(shop.port)).replace(str(shop.port), "PORT"))


def test_a_designer_s_own_editor_is_run_without_a_shell(owls: Path, shop: Served) -> None:
    said = owls.parent / "said.txt"
    odd = owls / "data" / "owls" / "a;b $(x).yaml"
    odd.write_text("a: 1\n")
    place = {"file": "data/owls/a;b $(x).yaml", "line": 4, "column": 2}
    assert shop.ask("open", method="POST", body=place).json == {"opened": True}
    end = time.monotonic() + PATIENCE_S
    while not said.exists() and time.monotonic() < end:
        time.sleep(0.02)
    assert said.read_text() == f"-g|{odd}:4:2|;echo|"


# ---------------------------------------------------------------- since a commit


def git(folder: Path, *words: str) -> None:
    made = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    own = ["-c", "user.name=Owl", "-c", "user.email=owl@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(
        ["git", "-C", str(folder), *own, *words],
        check=True,
        capture_output=True,
        env={**os.environ, **made, "GIT_CONFIG_GLOBAL": os.devnull},
    )


def test_what_changed_since_the_last_commit(project: Path) -> None:
    git(project, "init")
    git(project, "add", "-A")
    git(project, "commit", "-m", "The first owls")
    with served(project) as shop:
        assert shop.ask("since.json").json["changed"] == []
        card, title = first_title(shop)
        old = shop.ask("state.json").json["cards"][0]["face"]["key"]
        with shop.events() as events:
            edit(cards_file(project), title, f"{title} Owl")
            until(events, "change", lambda content: content["cards"])
        found = shop.ask("since.json?rev=HEAD").json
        [change] = found["changed"]
        assert change["id"] == card
        assert {"path": "title", "old": title, "new": f"{title} Owl"}.items() <= change["fields"][0].items()
        assert change["face"]["old"] == old
        assert change["face"]["new"] != old
        pictures = [shop.ask(f"side/{change['face'][when]}.png?px=200") for when in ("old", "new")]
        assert [each.status for each in pictures] == [200, 200]
        assert pictures[0].body != pictures[1].body
        said = shop.ask("revisions.json").json
        assert [commit["subject"] for commit in said["commits"]] == ["The first owls"]
        assert said["names"] == ["main"]
        assert shop.ask("since.json?rev=nothing").status == 409
        assert shop.ask("since.json?rev=--output%3D/tmp/x").status == 409


@pytest.mark.long
def test_pictures_of_what_changed_are_known_though_not_all_sides_are_yet(tmp_path: Path) -> None:
    """In a game that isn't laid out in a moment."""
    data = tmp_path / "data" / "ptsd"
    shutil.copytree(Path(__file__).parents[2] / "data" / "ptsd", data)
    git(tmp_path, "init")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-m", "All data cards")
    cards = data / "data.yaml"
    whole, _, _ = cards.read_text(encoding="utf-8").rpartition("\n  - id: ")
    cards.write_text(whole + "\n", encoding="utf-8")
    with served(tmp_path, "ptsd") as shop:
        found = shop.ask("since.json").json
    [removed] = found["removed"]
    assert removed["face"]["old"]
    assert all(change["face"]["old"] and change["face"]["new"] for change in found["changed"])
    assert found["changed"]


def test_without_a_repository_it_is_said(shop: Served) -> None:
    answer = shop.ask("since.json")
    assert answer.status == 409
    assert "git" in answer.json["message"]


@pytest.mark.long
def test_all_sides_come_to_be_known_though_nobody_asks_for_one() -> None:
    """A start shows what there is time for; the rest is laid out while nothing else waits."""
    with served(Path(__file__).parents[2], "ptsd") as shop:
        patient_until = time.monotonic() + PATIENCE_S
        while not all(card["face"]["key"] for card in shop.ask("state.json").json["cards"]):
            assert time.monotonic() < patient_until
            time.sleep(0.05)
