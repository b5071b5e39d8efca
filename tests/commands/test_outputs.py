"""What a build leaves behind: the same bytes always, whole files or none, nothing lost."""

from __future__ import annotations

import errno
import hashlib
import io
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

import cardgen
from cardgen.art.splitting import Split, Splitter
from tests.faults.dying import SOME_OR_ALL
from tests.measuring import VARIABLE

Edit = Callable[[str, str, str], Path]
CARDS = "data/demo/cards.yaml"


def build(project: Path, **options: object) -> cardgen.BuildResult:
    return cardgen.build(
        cardgen.BuildOptions(game="demo", **options),  # type: ignore[arg-type]
        project=cardgen.Project.open(project),
    )


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.is_file()
    }


def clean_build(project: Path, elsewhere: Path) -> dict[str, str]:
    """What an empty cache and an empty folder give."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(elsewhere / "cache"))
        build(project, output=elsewhere / "out")
    return digests(elsewhere / "out" / "demo")


def command(project: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "cardgen", "build", "demo", "--quiet", "--project", str(project), *words]


def test_same_input_same_bytes_elsewhere_and_with_an_empty_cache(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(demo)
    other = Path(
        shutil.copytree(demo, tmp_path / "somewhere" / "else", ignore=shutil.ignore_patterns("output"))
    )
    done = subprocess.run(
        command(other),
        env={
            **os.environ,
            "CARDGEN_CACHE": str(tmp_path / "fresh"),
            "PYTHONHASHSEED": "7",
            "TZ": "Asia/Tokyo",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert digests(other / "output" / "demo") == digests(demo / "output" / "demo")


def test_an_edit_and_its_undoing_give_a_clean_build_s_bytes(demo: Path, edit: Edit) -> None:
    build(demo)
    first = digests(demo / "output" / "demo")
    edit(CARDS, "Gardener", "Head Gardener")
    build(demo)
    assert digests(demo / "output" / "demo") != first
    edit(CARDS, "Head Gardener", "Gardener")
    build(demo)
    assert digests(demo / "output" / "demo") == first


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (CARDS, "Gardener", "Head Gardener"),
        ("data/demo/game.yaml", "'#1d2433'", "'#3d2433'"),
        ("data/demo/game.yaml", "version: 0.1.0", "version: 0.2.0"),
        ("templates/demo/card.svg", 'rx="2.5"', 'rx="1.5"'),
        ("templates/demo/icons/leaf.svg", 'stroke-linejoin="round"', 'stroke-linejoin="bevel"'),
    ],
)
def test_an_edit_of_anything_gives_a_clean_build_s_bytes(
    demo: Path,
    edit: Edit,
    settle: Callable[[Path], None],
    file: str,
    old: str,
    new: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build(demo)
    before = digests(demo / "output" / "demo")
    edit(file, old, new)
    settle(demo / Path(file).parts[0])
    build(demo)
    after = digests(demo / "output" / "demo")
    assert after != before
    shutil.rmtree(demo / "output")
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "empty"))
    build(demo)
    assert digests(demo / "output" / "demo") == after


def test_an_edit_lays_out_only_the_cards_that_it_touched(
    demo: Path, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(demo)
    laid_out: list[str] = []
    split = Splitter.split

    def counted(self: Splitter, source: str, *rest: Any) -> Split:
        laid_out.append(source)
        return split(self, source, *rest)

    monkeypatch.setattr(Splitter, "split", counted)
    edit(CARDS, "Gardener", "Head Gardener")
    build(demo)
    assert len(laid_out) == 1
    assert "Head Gardener" in laid_out[0]


def test_links_to_nowhere_are_no_reason_to_stop(demo: Path) -> None:
    (demo / "templates" / "gone.svg").symlink_to(demo / "nowhere.svg")
    (demo / "data" / "loop.yaml").symlink_to(demo / "data" / "loop.yaml")
    assert not build(demo).up_to_date
    assert build(demo).up_to_date


def test_no_date_of_today(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    build(demo)
    with pikepdf.open(demo / "output" / "demo" / "poker.pdf") as pdf:
        assert str(pdf.docinfo["/CreationDate"]).startswith("D:20010909")
        assert pdf.docinfo["/Title"] == "Demo: poker"


def test_the_manifest_tells_what_is_there(demo: Path) -> None:
    build(demo)
    build(demo, sheets=("single",))
    folder = demo / "output" / "demo"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [entry["sheet"] for entry in manifest["files"]] == ["poker", "single"]
    for entry in manifest["files"]:
        content = (folder / entry["path"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert entry["bytes"] == len(content)
        with pikepdf.open(io.BytesIO(content)) as pdf:
            assert entry["pages"] == len(pdf.pages)
            box = [float(side) / 72 * 25.4 for side in pdf.pages[0].mediabox]
            assert entry["page_mm"] == pytest.approx(box[2:], abs=0.01)


KILLED = """
import gc, os, signal, sys
from cardgen.cli import main

*words, rehearsal = sys.argv[1:]
assert main([*words[:-1], rehearsal]) == 0  # imports what is needed, once for all children
gc.freeze()

CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.chmod", "os.utime")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def killing(step):
    seen = 0

    def watch(event, about):
        nonlocal seen
        if event in CHANGES or event == "open" and (about[2] or 0) & WRITING:
            seen += 1
            if seen == step:
                os.kill(os.getpid(), signal.SIGKILL)

    return watch


for line in sys.stdin:
    child = os.fork()
    if not child:
        sys.addaudithook(killing(int(line)))
        os._exit(main(words))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@SOME_OR_ALL
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_build_killed_at_any_step_leaves_whole_files(
    demo: Path, edit: Edit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    """Killed before its first change of a file, then before the second, and so on, until it is through."""
    monkeypatch.delenv(VARIABLE, raising=False)  # the files of what was measured would be steps, too
    build(demo)
    folder = demo / "output" / "demo"
    old = digests(folder)
    edit(CARDS, "Gardener", "Head Gardener")
    new = clean_build(demo, tmp_path)
    rehearsal = shutil.copytree(demo, tmp_path / "rehearsal", ignore=shutil.ignore_patterns("output"))
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, *command(demo)[3:], str(rehearsal)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for step in itertools.count(1, every):
            server.stdin.write(f"{step}\n")
            server.stdin.flush()
            code = int(server.stdout.readline())
            found = {path.name: path for path in folder.iterdir() if not path.name.startswith(".cardgen-")}
            assert set(found) == {"poker.pdf", "manifest.json"}
            assert digests(folder)["poker.pdf"] in (old["poker.pdf"], new["poker.pdf"])
            assert json.loads(found["manifest.json"].read_text(encoding="utf-8"))["game"] == "demo"
            if code == 0:
                break
            assert code == -signal.SIGKILL
        server.stdin.close()
    assert step > 10
    assert digests(folder) == new != old, "nothing is left over by the next run"


def test_builds_at_once_do_not_disturb_each_other(demo: Path) -> None:
    build(demo)
    expected = digests(demo / "output" / "demo")
    shutil.rmtree(demo / "output" / "demo")
    sheets = ("poker", "single", "poker", "single")
    processes = [
        subprocess.Popen(command(demo, "--sheet", sheet), stderr=subprocess.PIPE, text=True)
        for sheet in sheets
    ]
    for process in processes:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    folder = demo / "output" / "demo"
    assert digests(folder)["poker.pdf"] == expected["poker.pdf"]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [entry["sheet"] for entry in manifest["files"]] == ["poker", "single"]


def test_a_full_disk_is_an_error_that_loses_nothing(
    demo: Path, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(demo)
    before = digests(demo / "output" / "demo")
    edit(CARDS, "Gardener", "Head Gardener")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(cardgen.CardgenError) as caught:
        build(demo)
    assert caught.value.findings[0].code == "output/disk-full"
    assert digests(demo / "output" / "demo") == before


def test_fonts_are_embedded_once_and_text_can_be_had_back(demo: Path) -> None:
    build(demo)
    pdf = demo / "output" / "demo" / "poker.pdf"
    fonts = subprocess.run(["pdffonts", str(pdf)], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in fonts.splitlines()[2:]]
    assert rows
    assert all(row[-5:-2] == ["yes", "yes", "yes"] for row in rows), fonts
    text = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    assert "Skip your next turn, then:" in text
    assert "Everybody passes the highest card" in text
    assert "print at 100 %" in text


def test_a_face_is_stored_once_however_often_it_is_placed(demo: Path, edit: Edit) -> None:
    build(demo)
    pdf = demo / "output" / "demo" / "poker.pdf"
    small = pdf.stat().st_size
    edit(CARDS, "id: old-oak", "id: old-oak\n    copies: 200")
    result = build(demo)
    assert result.files[0].pages == 48
    added = pdf.stat().st_size - small
    assert added / 46 < 3000, f"{added} bytes more for 46 more pages of one card"


def test_images_are_brought_down_where_that_is_asked_for(
    run: Callable[..., tuple[int, str, str]], demo: Path, edit: Edit
) -> None:
    path = demo / "templates/demo/art.jpg"
    Image.linear_gradient("L").resize((1200, 1200)).convert("RGB").save(path, quality=95)
    edit(
        "templates/demo/card.svg",
        "  <path d=",
        '  <image href="art.jpg" width="25.4" height="25.4"/>\n  <path d=',
    )
    assert run("build", "demo")[0] == 0
    assert run("build", "demo", "--image-dpi", "150")[0] == 0

    def widths(name: str) -> set[int]:
        with pikepdf.open(demo / "output/demo" / name) as pdf:
            streams = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
            return {int(each.Width) for each in streams if each.get("/Subtype") == "/Image"}

    assert (widths("poker.pdf"), widths("poker.150-dpi.pdf")) == ({1200}, {150})
    code, _, err = run("build", "demo", "--image-dpi", "10")
    assert (code, "--image-dpi 10 is not between 72 and 2400" in err) == (2, True)
