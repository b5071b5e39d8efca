"""A project as it was at a git revision: what is taken out of the repository, and what is not."""

from __future__ import annotations

import hashlib
import os
import shutil
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import CalledProcessError

import pytest

import cardgen
from cardgen.commands.production import git as asking
from cardgen.commands.production.git import Entry, Repository, at_revision, commit_of
from cardgen.files.confinement_limits import Limits
from cardgen.files.project import bundled_root
from tests.repositories import commit, git
from tests.sharing import LIMITED
from tests.wording import Wording

Edit = Callable[[str, str, str], Path]
UseGit = Callable[[str], None]
GIT = shutil.which("git") or "git"
CARDS = "data/demo/cards.yaml"
PIXELS = b"pixels " * 1000


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit git, as commands do: see tests/sharing.py."""
    monkeypatch.setattr(asking, "_limited", LIMITED)


@pytest.fixture
def use_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UseGit:
    """Put a program for the shell in place of git."""
    program = tmp_path / "bin/git"

    def use(script: str) -> None:
        if not program.exists():
            program.parent.mkdir()
            monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    return use


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_revision_is_a_project(demo: Path, edit: Edit) -> None:
    first = commit(demo)
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    second = commit(demo)
    edit(CARDS, "title: Dawn Owl", "title: Day Owl")
    project = cardgen.Project.open(demo)
    titles = {}
    for name in ("HEAD~1", "HEAD", first[:12], "main"):
        found = at_revision(project, name)
        assert found.commit == {"HEAD": second, "main": second}.get(name, first)
        assert found.findings == ()
        assert found.project.paths.roots == (found.project.root, bundled_root())
        game = cardgen.load("demo", project=found.project)
        titles[name] = game.component("cards").cards[1].fields["title"]
    assert list(titles.values()) == ["Night Owl", "Dawn Owl", "Night Owl", "Dawn Owl"]
    assert commit_of(project, "main") == second


def test_what_is_no_input_stays_in_the_repository(demo: Path) -> None:
    (demo / "notes.md").write_text("secret")
    (demo / "output/x.pdf").write_bytes(b"%PDF")
    commit(demo)
    folder = at_revision(cardgen.Project.open(demo)).project.root
    assert {name.partition("/")[0] for name in files_of(folder)} == {
        "data",
        "templates",
        "schemas",
        "pointers",
    }
    assert (folder / CARDS).read_bytes() == (demo / CARDS).read_bytes()


def test_the_second_time_git_is_not_asked_for_files(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(demo)
    project = cardgen.Project.open(demo)
    first = at_revision(project)
    monkeypatch.setattr(Repository, "contents", None)
    assert at_revision(project).project.root == first.project.root


def test_a_project_may_be_a_folder_of_a_repository(demo: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    inner = whole / "games" / "päck age"
    shutil.copytree(demo, inner)
    (whole / "data").mkdir()
    (whole / "data/other.yaml").write_text("a: 1")
    commit(whole)
    folder = at_revision(cardgen.Project.open(inner)).project.root
    assert files_of(folder) - {"pointers"} == {
        name for name in files_of(inner) if name.startswith(("data/", "templates/", "schemas/"))
    }


def test_where_git_was_run_does_not_matter(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook has git's variables, which name another repository or a folder of its own."""
    id = commit(demo)
    monkeypatch.setenv("GIT_DIR", "/nowhere/.git")
    monkeypatch.setenv("GIT_WORK_TREE", "/nowhere")
    assert at_revision(cardgen.Project.open(demo)).commit == id


def test_what_names_no_commit_is_misuse(demo: Path, wording: Wording) -> None:
    commit(demo)
    for revision in ("nosuch", "--all", "HEAD:data", "", "a\0b", "x" * 2000):
        with pytest.raises(cardgen.UsageError) as wrong:
            at_revision(cardgen.Project.open(demo), revision)
        wording(wrong.value)
        assert wrong.value.findings[0].code == "usage/git"
        assert wrong.value.findings[0].hint


def test_without_a_commit_a_repository_or_git(
    demo: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    project = cardgen.Project.open(demo)
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(project)
    wording(caught.value)
    git(demo, "init", "-q")
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(project)
    wording(caught.value)
    with pytest.raises(cardgen.UsageError) as caught:  # no work tree
        at_revision(cardgen.Project.open(demo / ".git"))
    wording(caught.value)
    (demo / "git").write_text("#!/bin/sh\ntouch sprung\n")
    (demo / "git").chmod(0o755)
    monkeypatch.chdir(demo)
    for path in (str(demo / "data"), ".", ""):  # a pack may bring a program of that name
        monkeypatch.setenv("PATH", path)
        with pytest.raises(cardgen.UsageError) as caught:
            at_revision(project)
        wording(caught.value)
    assert not (demo / "sprung").exists()
    (demo / "git").write_bytes(b"\x7fELF")
    monkeypatch.setenv("PATH", str(demo))
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(project)
    wording(caught.value)


def test_a_shallow_clone_says_so(demo: Path, edit: Edit, tmp_path: Path) -> None:
    commit(demo)
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    commit(demo)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{demo}", "shallow")
    with pytest.raises(cardgen.UsageError) as wrong:
        at_revision(cardgen.Project.open(tmp_path / "shallow"), "HEAD~1")
    assert "fetch-depth: 0" in str(wrong.value.findings[0].hint)


def test_links_and_submodules_are_left_out(demo: Path, tmp_path: Path, wording: Wording) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("secret: 1")
    os.symlink(outside, demo / "data/demo/link.yaml")
    commit(demo)
    git(demo, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},data/module")
    git(demo, "commit", "-q", "-m", "submodule")
    found = at_revision(cardgen.Project.open(demo))
    [note] = found.findings
    assert (note.code, note.severity) == ("revision/links", "note")
    wording(note)
    assert not {"data/demo/link.yaml", "data/module"} & files_of(found.project.root)


def test_a_tree_that_leads_out_of_its_folder_is_refused(demo: Path, wording: Wording) -> None:
    """git itself makes none; a hostile repository may have one."""
    commit(demo)
    blob = git(demo, "hash-object", "-w", "--stdin", given=b"evil")
    entry = b"100644 ..\0" + bytes.fromhex(blob)
    inner = git(demo, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", given=entry)
    outer = git(demo, "mktree", given=f"040000 tree {inner}\tdata\n".encode())
    id = git(demo, "commit-tree", "-m", "evil", outer)
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(cardgen.Project.open(demo), id)
    wording(caught.value)


def test_files_that_are_too_large_are_left_out(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (demo / "templates/demo/big.png").write_bytes(PIXELS)
    commit(demo)
    monkeypatch.setattr(asking, "_MOST", len(PIXELS) - 1)
    found = at_revision(cardgen.Project.open(demo))
    [warning] = found.findings
    assert (warning.code, str(warning.location)) == ("revision/size", "templates/demo/big.png")
    assert "templates/demo/big.png" not in files_of(found.project.root)


def test_more_than_any_game_needs_is_refused(
    demo: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    commit(demo)
    for bound in ("MOST_BYTES", "MOST_FILES", "MOST_LISTED"):
        with monkeypatch.context() as patch:
            patch.setattr(asking, bound, 3)
            with pytest.raises(cardgen.CardgenError) as wrong:
                at_revision(cardgen.Project.open(demo))
        wording(wrong.value)
        assert wrong.value.findings[0].code == "revision/size"


def test_a_repository_that_lacks_a_file_says_so(demo: Path, wording: Wording) -> None:
    commit(demo)
    blob = git(demo, "rev-parse", f"HEAD:{CARDS}")
    lost = demo / ".git/objects" / blob[:2] / blob[2:]
    lost.chmod(0o600)
    lost.unlink()
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(cardgen.Project.open(demo))
    wording(caught.value)


def test_nothing_of_a_repository_is_run(demo: Path, tmp_path: Path) -> None:
    """A repository's settings may name programs: a monitor of files, filters, hooks, a pager."""
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\necho sprung >> {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    (demo / ".gitattributes").write_text("*.yaml filter=trap diff=trap\n")
    id = commit(demo)
    for name in ("core.fsmonitor", "filter.trap.smudge", "diff.trap.textconv", "core.pager"):
        git(demo, "config", name, str(trap))
    found = at_revision(cardgen.Project.open(demo), id)
    assert (found.project.root / CARDS).read_bytes() == (demo / CARDS).read_bytes()
    assert not (tmp_path / "sprung").exists()


# ---------------------------------------------------------------- schemas that all games share


def test_schemas_that_all_games_share_are_todays(demo: Path) -> None:
    schema = demo / "schemas/game.schema.json"
    schema.write_text('{"type": "string"}')
    commit(demo)
    project = cardgen.Project.open(demo)
    shutil.copy(bundled_root() / "schemas/game.schema.json", schema)
    assert cardgen.load("demo", project=at_revision(project).project).title == "Demo"
    schema.unlink()
    found = at_revision(project)
    assert not (found.project.root / "schemas/game.schema.json").exists()
    assert cardgen.load("demo", project=found.project).title == "Demo"


# ---------------------------------------------------------------- Git LFS


@pytest.mark.parametrize("place", ["stored", "in the project", "another in the project"])
def test_a_pointer_stands_for_its_file_where_that_is_at_hand(
    demo: Path, place: str, wording: Wording
) -> None:
    digest = hashlib.sha256(PIXELS).hexdigest()
    picture = demo / "templates/demo/moon.png"
    picture.write_text(
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(PIXELS)}\n"
    )
    commit(demo)
    stored = demo / ".git/lfs/objects" / digest[:2] / digest[2:4] / digest
    if place == "stored":
        stored.parent.mkdir(parents=True)
        stored.write_bytes(PIXELS)
    elif place == "in the project":
        picture.write_bytes(PIXELS)
    elif place == "another in the project":
        picture.write_bytes(PIXELS[1:])
    found = at_revision(cardgen.Project.open(demo))
    content = (found.project.root / "templates/demo/moon.png").read_bytes()
    if place in ("stored", "in the project"):
        assert content == PIXELS
        assert found.findings == ()
        return
    [warning] = found.findings
    assert (warning.code, str(warning.location)) == ("revision/lfs", "templates/demo/moon.png")
    wording(warning)
    assert content.startswith(b"version https://git-lfs")
    stored.parent.mkdir(parents=True)
    stored.write_bytes(PIXELS)
    again = at_revision(cardgen.Project.open(demo))
    assert again.findings == ()
    assert (again.project.root / "templates/demo/moon.png").read_bytes() == PIXELS


# ---------------------------------------------------------------- git that fails


def test_somebody_elses_repository_is_read_where_the_user_trusts_it(
    demo: Path, tmp_path: Path, use_git: UseGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = commit(demo)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    use_git(f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {GIT} "$@"')
    with pytest.raises(cardgen.UsageError, match="another user owns it") as wrong:
        at_revision(cardgen.Project.open(demo))
    assert "safe.directory" in str(wrong.value.findings[0].hint)
    (home / ".gitconfig").write_text(f"[safe]\n directory = {demo}\n")
    assert at_revision(cardgen.Project.open(demo)).commit == id


def test_a_file_that_is_another_than_was_listed(demo: Path, wording: Wording) -> None:
    commit(demo)
    repository = Repository.of(demo)
    entries, _ = repository.files("HEAD", ["data"])
    other = Entry(entries[0].id, entries[0].name, entries[0].size + 1)
    assert [len(each) for each in repository.contents(entries)] == [each.size for each in entries]
    for wrong in (other, Entry("0" * 40, "gone", 0)):
        with pytest.raises(cardgen.UsageError) as caught:
            list(repository.contents([entries[0], wrong]))
        wording(caught.value)
    with pytest.raises(cardgen.UsageError) as caught:
        repository.files("0" * 40, ["data"])
    wording(caught.value)


@pytest.mark.parametrize(
    "script",
    [
        "exec sleep 600",
        "exit 1",
    ],
)
def test_a_git_that_does_not_work(
    demo: Path, script: str, use_git: UseGit, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    use_git(script)
    monkeypatch.setattr("cardgen.commands.production.git._SECONDS", 0.3)
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(cardgen.Project.open(demo))
    wording(caught.value)


@pytest.mark.parametrize("answer", ["", "blob 5", "{id} blob 5\\nab"])
def test_a_git_that_ends_in_the_middle(demo: Path, answer: str, use_git: UseGit, wording: Wording) -> None:
    use_git(f"read line; printf '{answer}'")
    repository = Repository(demo, "", demo)
    with pytest.raises(cardgen.UsageError) as caught:
        list(repository.contents([Entry("1" * 40, "data/a.yaml", 5)]))
    wording(caught.value)


# ---------------------------------------------------------------- what a repository's settings can do

PROMISORS = {
    "ext": ("ext::sh -c touch% {trap}", "[protocol]\n allow = always\n"),
    "file": ("file://{folder}", " uploadpack = touch {trap}; git-upload-pack\n"),
    "ssh": ("ssh://127.0.0.1/x", "[core]\n sshCommand = sh -c 'touch {trap}'\n"),
}
"""Addresses of remotes, and settings, that start a program when git fetches what a partial clone lacks."""


@pytest.mark.parametrize("kind", PROMISORS)
def test_a_partial_clone_is_refused_and_fetches_nothing(
    demo: Path,
    tmp_path: Path,
    kind: str,
    use_git: UseGit,
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    """An old git knows no GIT_NO_LAZY_FETCH."""
    commit(demo)
    trap = tmp_path / "sprung"
    blob = git(demo, "rev-parse", f"HEAD:{CARDS}")
    (demo / ".git/objects" / blob[:2] / blob[2:]).unlink()
    url, settings = (text.format(trap=trap, folder=demo) for text in PROMISORS[kind])
    git(demo, "config", "core.repositoryformatversion", "1")
    with (demo / ".git/config").open("a") as file:
        file.write(
            f'[extensions]\n partialClone = origin\n[remote "origin"]\n url = "{url}"\n promisor = true\n'
            " partialclonefilter = blob:none\n"
            f'{settings}[protocol "{kind}"]\n allow = always\n'
        )
    use_git(f'unset GIT_NO_LAZY_FETCH\nexec {GIT} "$@"')
    with pytest.raises(cardgen.UsageError) as wrong:
        at_revision(cardgen.Project.open(demo))
    wording(wrong.value)
    assert wrong.value.findings[0].code == "usage/git"
    assert "git clone" in str(wrong.value.findings[0].hint)
    monkeypatch.setattr(asking, "_PARTIAL", "nothing")
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(cardgen.Project.open(demo))
    wording(caught.value)
    assert not trap.exists()
    with pytest.raises(CalledProcessError):  # this is what springs the trap
        git(demo, "cat-file", "blob", blob)
    assert trap.exists()


@pytest.mark.usefixtures("limited")
def test_git_gets_nothing_from_outside_and_little_of_the_machine(
    demo: Path, use_git: UseGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = {
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": "x",
        "GIT_OBJECT_DIRECTORY": "/nowhere", "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nowhere",
        "GIT_TRACE": "/nowhere", "GIT_SSH_COMMAND": "x", "GIT_EXEC_PATH": "/nowhere", "GIT_ASKPASS": "x",
        "GIT_ALLOW_PROTOCOL": "ext", "LD_PRELOAD": "", "SSH_AUTH_SOCK": "x", "SECRET_TOKEN": "x",
    }  # fmt: skip
    for name, value in hostile.items():
        monkeypatch.setenv(name, value)
    id = commit(demo)
    assert at_revision(cardgen.Project.open(demo)).commit == id
    use_git("env; ulimit -v; ulimit -t; ulimit -f")
    said = asking._run(demo, False, "version")[1].decode().splitlines()
    variables = dict(line.split("=", 1) for line in said[:-3])
    assert variables.keys() <= {"PATH", "PWD", "SHLVL", "_"} | asking._KEPT | {
        "GIT_ALLOW_PROTOCOL", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_NO_LAZY_FETCH",
        "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "LANG", "LC_ALL",
    }  # fmt: skip
    assert variables["GIT_ALLOW_PROTOCOL"] == "none"
    assert (variables["GIT_CONFIG_GLOBAL"], variables["GIT_CONFIG_NOSYSTEM"]) == (os.devnull, "1")
    trusted = asking._run(demo, True, "version")[1].decode()  # another user's, which safe.directory names
    assert "GIT_CONFIG_GLOBAL" not in trusted
    assert "GIT_ALLOW_PROTOCOL=none" in trusted
    limits = asking.LIMITS
    assert [int(each) for each in said[-3:]] == [limits.memory // 1024, limits.seconds, limits.file_size]


# ---------------------------------------------------------------- repositories that unpack to very much


def put(folder: Path, kind: bytes, content: bytes) -> str:
    """Write an object as git does, without a look at what it says; its id."""
    raw = b"%s %d\0" % (kind, len(content)) + content
    id = hashlib.sha1(raw).hexdigest()
    place = folder / ".git/objects" / id[:2] / id[2:]
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(zlib.compress(raw, 1))
    return id


def put_tree(folder: Path, entries: Sequence[tuple[bytes, bytes, str]]) -> str:
    return put(folder, b"tree", b"".join(b"%s %s\0" % (m, n) + bytes.fromhex(id) for m, n, id in entries))


def put_nested(folder: Path, leaf: tuple[bytes, str], levels: int) -> str:
    """The id of a commit with 10 of a thing in 10 folders in 10 folders… of a game."""
    mode, id = leaf
    for _ in range(levels):
        id = put_tree(folder, [(mode, b"%d.yaml" % number, id) for number in range(10)])
        mode = b"40000"
    for name in (b"demo", b"data"):
        id = put_tree(folder, [(mode, name, id)])
    return git(folder, "commit-tree", "-m", "many", id)


@pytest.mark.long
@pytest.mark.usefixtures("limited")
def test_a_tree_of_very_many_paths_ends_at_the_bound(demo: Path) -> None:
    commit(demo)
    id = put_nested(demo, (b"100644", put(demo, b"blob", b"x: 1\n")), 7)
    with pytest.raises(cardgen.CardgenError, match="more than 20,000 files") as wrong:
        at_revision(cardgen.Project.open(demo), id)
    assert wrong.value.findings[0].code == "revision/size"
    assert asking.MOST_FILES == 20_000


@pytest.mark.long
@pytest.mark.usefixtures("limited")
def test_a_tree_of_folders_without_end_and_no_file_ends_at_the_processor_time(
    demo: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    commit(demo)
    id = put_nested(demo, (b"40000", put(demo, b"tree", b"")), 10)
    monkeypatch.setattr(asking, "LIMITS", Limits(seconds=1, file_size=0))
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(cardgen.Project.open(demo), id)
    wording(caught.value)


@pytest.mark.long
@pytest.mark.usefixtures("limited")
def test_a_commit_that_is_larger_than_the_memory(
    demo: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    head = git(demo, "cat-file", "commit", commit(demo)).encode()
    id = put(demo, b"commit", head + b"\n" * 100_000_000)
    monkeypatch.setattr(asking, "LIMITS", Limits(memory=80_000_000, file_size=0))
    with pytest.raises(cardgen.UsageError) as wrong:
        at_revision(cardgen.Project.open(demo), id)
    wording(wrong.value)
    assert wrong.value.findings[0].code == "usage/git"


def test_what_git_lists_of_a_history_is_bounded(
    demo: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    commit(demo)
    (demo / "data/demo/new.yaml").touch()
    commit(demo, "s\u00fc" * 1000 + " end")
    (demo / "data/demo/new.yaml").write_text("a: 1")
    last = commit(demo, "last\tone")
    for number in range(9):
        git(demo, "branch", f"branch-{number}")
    repository = Repository.of(demo)
    history = repository.history(2)
    assert history[0] == (last, "2026-01-02", "last\tone")
    assert len(history) == 2
    assert len(history[1][2]) <= asking.MOST_SUBJECT
    monkeypatch.setattr(asking, "MOST_NAMES", 4)
    assert repository.names() == [f"branch-{number}" for number in range(4)]
    monkeypatch.setattr(asking, "MOST_ANSWER", 20)
    with pytest.raises(cardgen.UsageError) as caught:
        repository.names()
    wording(caught.value)


def test_a_file_that_is_longer_than_it_says_is_refused_at_once(
    demo: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    commit(demo)
    place = demo / ".git/objects/12" / ("12" * 19)
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(zlib.compress(b"blob 12\0" + bytes(10_000_000)))
    tree = put_tree(demo, [(b"100644", b"cards.yaml", "12" * 20)])
    for name in (b"demo", b"data"):
        tree = put_tree(demo, [(b"40000", name, tree)])
    id = git(demo, "commit-tree", "-m", "lie", tree)
    monkeypatch.setattr(asking, "_SECONDS", 10_000)  # git is not waited for
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(cardgen.Project.open(demo), id)
    wording(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
def test_a_pipe_in_place_of_an_object_is_not_waited_for(
    demo: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    commit(demo)
    blob = git(demo, "rev-parse", f"HEAD:{CARDS}")
    place = demo / ".git/objects" / blob[:2] / blob[2:]
    place.unlink()
    os.mkfifo(place)
    monkeypatch.setattr(asking, "_SECONDS", 0.3)
    with pytest.raises(cardgen.UsageError) as caught:
        at_revision(cardgen.Project.open(demo))
    wording(caught.value)
