"""Git revisions: read a stranger's repository safely, and a project at a revision."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from cardgen.commands.production.stamping import recalled
from cardgen.core.findings import CardgenError, Finding, Location, Severity, UsageError
from cardgen.core.records import asdict, dataclass, field
from cardgen.files.confinement_limits import Limits, is_confined, limit
from cardgen.files.listing import ProjectFolders, names_in
from cardgen.files.project import INPUT_FOLDERS, Project, bundled_root
from cardgen.files.reading import (
    INPUTS,
    LIST,
    PICTURE,
    SCHEMA,
    ReadingError,
    in_words,
    is_regular,
    read_file,
)
from cardgen.files.trees import temporary, tree
from cardgen.files.writing import write_bytes

if TYPE_CHECKING:
    import subprocess
    from io import BufferedReader


MOST_FILES = 20_000
"""The limit of files, links and submodules in a commit. The shipped games have 800 files in all."""
MOST_LISTED = 8_000_000
"""Bytes of git's listings: 400 for each file's name."""
MOST_ANSWER = 1_000_000
"""Bytes of any other answer: names of branches, the history of a project."""
MOST_NAMES = 5_000
"""Branches and tags that are listed."""
MOST_SUBJECT = 200
"""Columns of a commit's subject."""
LIMITS = Limits(memory=1_000_000_000, seconds=10, file_size=0)
"""The limits of a git process: a large repository needs a tenth, and none needs to write a file."""
_SECONDS = 120
"""Seconds that a git process may take. A pipe instead of a file would block it."""
_BLOCK = 64 * 1024
_GIVEN = (
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    # By default git maps a gigabyte of a pack into memory, more than it may use.
    "-c",
    "core.packedGitWindowSize=32m",
    "-c",
    "core.packedGitLimit=256m",
)
_KEPT = frozenset(("HOME", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "USERPROFILE", "XDG_CONFIG_HOME"))
"""Environment variables that git gets, with PATH. Git's own are dropped, since they could name programs."""
_SET = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LANG": "C",
    "LC_ALL": "C",
}
_NO_SETTINGS = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
_PARTIAL = r"^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$"
_COMMIT = re.compile(rb"[0-9a-f]{40}([0-9a-f]{24})?")
_FOREIGN = re.compile("dubious ownership|unsafe repository")
_NO_MEMORY = re.compile("out of memory|cannot allocate memory", re.IGNORECASE)
_LONGEST = 1_000
"""Characters of a revision's name."""
_MOST_SAID = 4_000
"""Bytes of git's error messages that are read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a commit: its id and name, from the repository's root, and how many bytes it has."""

    id: str
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository as seen from a folder in it: `prefix` leads to that from its root, "" or ending in "/";
    `store` is git's own folder. `is_foreign` is true if another user owns it, and this user's settings
    trust it (`safe.directory`)."""

    folder: Path
    prefix: str
    store: Path
    is_foreign: bool = False

    @classmethod
    def of(cls, folder: Path) -> Repository:
        """Find the repository that contains a folder. Raises UsageError if there is none or no git, and for
        a partial clone."""
        words = ("rev-parse", "--is-inside-work-tree", "--show-prefix", "--git-common-dir")
        code, out, said = _run(folder, False, *words)
        is_foreign = bool(code and _FOREIGN.search(said))
        if is_foreign:  # read the user's own settings only now: they may trust it
            code, out, said = _run(folder, True, *words)
        lines = out.split(b"\n")
        if code or lines[0] != b"true" or len(lines) < 3:
            if is_foreign:
                hint = f"if you trust it: git config --global --add safe.directory '{folder}'"
                raise UsageError(
                    "git refuses to read this repository: another user owns it", hint, "usage/git"
                )
            hint = "start one there: git init && git add -A && git commit"
            raise UsageError(f"the project in {folder} is not in a git repository", hint, "usage/git")
        found = cls(folder, os.fsdecode(lines[1]), folder / os.fsdecode(lines[2]), is_foreign)
        if not found._run("config", "--null", "--get-regexp", _PARTIAL)[0]:
            hint = "clone all of it, without --filter (in a workflow: without filter:): git clone URL"
            message = "this repository is a partial clone: it lacks older files"
            raise UsageError(message, hint, "usage/git")
        return found

    def _run(self, *words: str) -> tuple[int, bytes, str]:
        return _run(self.folder, self.is_foreign, *words)

    def commit(self, revision: str) -> str:
        """Return the id of the commit that a revision names. Raises UsageError if it names none."""
        name = f"{revision}^{{commit}}"
        if not revision or "\0" in revision or len(revision) > _LONGEST:
            raise UsageError(
                "no git revision is named",
                "name a commit, branch or tag, such as HEAD~1; list commits: git log --oneline",
                "usage/git",
            )
        code, out, _ = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", name)
        found = out.strip().rpartition(b"\n")[2]
        if code == 0 and _COMMIT.fullmatch(found):
            return found.decode("ascii")
        if self._run("rev-parse", "--verify", "--quiet", "HEAD")[0]:
            hint = "make one: git add -A && git commit"
            raise UsageError("this repository has no commit yet", hint, "usage/git")
        hint = (
            "name a commit, branch or tag, such as HEAD~1 or origin/main; list commits: git log --oneline"
        )
        if self._run("rev-parse", "--is-shallow-repository")[1].strip() == b"true":
            hint = "fetch all commits (in a workflow, set fetch-depth: 0): git fetch --unshallow"
        raise UsageError(f"git knows no commit '{revision}'", hint, "usage/git")

    def files(self, commit: str, folders: Iterable[str]) -> tuple[list[Entry], int]:
        """Return the regular files of a commit in folders below the given folder, and the number of skipped
        links and submodules. Raises CardgenError for more than MOST_FILES."""
        places = [f"{self.prefix}{folder}/" for folder in folders]
        words = ("ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", *places)
        code, out, said = _run(self.folder, self.is_foreign, *words, most=MOST_LISTED)
        lines = out.split(b"\0")[:-1]
        if len(out) > MOST_LISTED or len(lines) > MOST_FILES:
            raise _too_many(commit)
        if code:
            raise _refused(said)
        entries: list[Entry] = []
        for line in lines:
            about, _, name = line.partition(b"\t")
            mode, kind, id, size = about.split()
            if kind == b"blob" and mode in (b"100644", b"100755", b"100664"):
                if not size.isdigit():
                    raise _refused(f"{os.fsdecode(name)} is not available")
                entries.append(Entry(id.decode("ascii"), os.fsdecode(name), int(size)))
        return entries, len(lines) - len(entries)

    def history(self, most: int) -> list[tuple[str, str, str]]:
        """Return the last commits that touched the folder, the newest first: id, day as 2026-11-22,
        subject."""
        form = f"--format=%H%x09%cs%x09%<({MOST_SUBJECT},trunc)%s"
        code, out, _ = self._run("rev-list", f"--max-count={most}", form, "HEAD", "--", ".")
        lines = [] if code else out.decode("utf-8", "replace").split("\n")
        # Git prints a line with only "commit" and its id before each commit's line.
        parts = [line.rstrip().split("\t", 2) for line in lines[1::2]]
        return [(each[0], each[1], "".join(each[2:])) for each in parts]

    def names(self) -> list[str]:
        """Return the names of branches and tags, sorted."""
        words = ("for-each-ref", f"--count={MOST_NAMES}", "--format=%(refname:short)")
        code, out, _ = self._run(*words, "refs/heads", "refs/remotes", "refs/tags")
        return [] if code else sorted(out.decode("utf-8", "replace").split("\n"))[1:]

    def contents(self, entries: Iterable[Entry]) -> Iterator[bytes]:
        """Yield the contents of files. Raises UsageError if the repository lacks one."""
        with _started(self.folder, self.is_foreign, "cat-file", "--batch") as git:
            for entry in entries:
                with suppress(OSError):  # already ended
                    git.questions.write(f"{entry.id}\n".encode("ascii"))
                    git.questions.flush()
                head = git.answers.readline(_BLOCK).split()
                if len(head) != 3 or head[1] != b"blob":
                    if not head:
                        git.end()
                    raise _refused(f"{entry.name} is not available")
                content = git.answers.read(entry.size + 1) if int(head[2]) == entry.size else b""
                if len(content) <= entry.size or not content.endswith(b"\n"):
                    if 0 < len(content) <= entry.size:
                        git.end()
                    raise _refused(f"{entry.name} has a different size than recorded")
                yield content[:-1]


class _Git:
    """A running git, which is killed after `_SECONDS`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.questions = cast("IO[bytes]", process.stdin)
        self.answers = cast("BufferedReader", process.stdout)
        self._complaints = cast("BufferedReader", process.stderr)
        self._said = b""
        self._is_late = False
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()
        self._timer = threading.Timer(_SECONDS, self._stop)
        self._timer.daemon = True
        self._timer.start()

    def _listen(self) -> None:
        """Keep the first error messages, and drain the others, for which git would wait."""
        while block := self._complaints.read1(_BLOCK):
            self._said = (self._said + block)[:_MOST_SAID]

    def _stop(self) -> None:
        self._is_late = True
        self._process.kill()

    def close(self) -> None:
        """End git, which may still be working."""
        self._timer.cancel()
        self._process.kill()
        for pipe in (self.questions, self.answers):
            with suppress(OSError):  # git writes the last answer only now
                pipe.close()
        self._listening.join()
        self._complaints.close()
        self._process.wait()

    def end(self) -> tuple[int, str]:
        """Return the exit code and the errors of a git that has finished. Raises UsageError if git had to
        be stopped."""
        code = self._process.wait()
        self._listening.join()
        said = self._said.decode("utf-8", "replace")
        if self._is_late:
            raise UsageError("git does not answer", "check that it runs: git status", "usage/git")
        needed = ""
        if code == -getattr(signal, "SIGXCPU", 0):
            needed = f"{LIMITS.seconds} s of processor time"
        elif code and _NO_MEMORY.search(said):
            needed = f"{LIMITS.memory_shown} of memory"
        if needed:
            hint = "check the repository: git fsck"
            raise UsageError(f"git needs more than {needed} to read the commit", hint, "usage/git")
        return code, said


def _refused(said: str) -> UsageError:
    words = said.strip().removeprefix("fatal: ").partition("\n")[0] or "it gives no reason"
    hint = "check the repository: git fsck"
    return UsageError(f"git could not read the commit: {words}", hint, "usage/git")


def _too_many(commit: str) -> CardgenError:
    message = f"the project had more than {MOST_FILES:,} files at {commit[:10]}, more than any game needs"
    hint = "compare with a commit in which the project had only the game's files"
    return CardgenError(Finding(Severity.ERROR, "revision/size", message, None, hint))


def _run(folder: Path, is_foreign: bool, *words: str, most: int | None = None) -> tuple[int, bytes, str]:
    """Return exit code, output and errors of git in a folder; at most one byte more than `most` bytes of
    output. Raises UsageError if it can't run, or without `most` if it prints more than MOST_ANSWER bytes.
    """
    with _started(folder, is_foreign, *words) as git:
        bound = MOST_ANSWER if most is None else most
        out = git.answers.read(bound + 1)
        if len(out) > bound:
            if most is None:
                raise _refused(f"it answers more than {bound:,} bytes")
            return 0, out, ""
        code, said = git.end()
        return code, out, said


@contextmanager
def _started(folder: Path, is_foreign: bool, *words: str) -> Iterator[_Git]:
    """Yield a git process in a folder, killed at the end if it is still running."""
    import subprocess

    command: tuple[Any, ...] = (_program(), *_GIVEN, "-C", folder, *words)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_variables(is_foreign),
            preexec_fn=_limited if os.name == "posix" else None,
        )
    except (OSError, subprocess.SubprocessError):
        raise _no_git() from None
    git = _Git(process)
    try:
        yield git
    finally:
        git.close()


def _limited() -> None:
    limit(LIMITS)


def _program() -> str:
    """Return the user's installed git, never one in the current folder, which may be a stranger's."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in _folders():
        program = os.path.join(folder, name)
        if os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    raise _no_git()


def _folders() -> list[str]:
    """Return the folders of programs, without relative ones."""
    return [each for each in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(each)]


def _no_git() -> UsageError:
    hint = "install git, which finds the changes"
    return UsageError("git is not installed or can't be run", hint, "usage/git")


def _variables(is_foreign: bool) -> dict[str, str]:
    """Return the environment of git. In another user's repository it reads this user's own settings too."""
    kept = {name: value for name, value in os.environ.items() if name.upper() in _KEPT}
    path = {"PATH": os.pathsep.join(_folders())}
    return kept | path | _SET | ({} if is_foreign else _NO_SETTINGS)


HEAD = "HEAD"
GIVEN = "CARDGEN_REVISION"
"""The variable with the folder that `given_to` made for a confined process."""
MOST_BYTES = 2 * 1024**3
"""Most bytes of all files of a project at a revision."""
_MOST = max(kind.most for kind in INPUTS)
_SHORT = 10
"""Characters of a commit's short id."""
_POINTER = re.compile(rb"version https://git-lfs[^\n]*\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\n")
_MOST_POINTER = 1_024
_MOST_SHOWN = 20
_SHARED = re.compile(r"schemas/[^/]+\.json")
_POINTERS = "pointers"
"""The file of a tree that lists them, a name a line."""
_KNOWN = "revision.json"
"""The file beside a tree with the other fields of a revision."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A project at a commit. `findings` report its skipped files."""

    name: str
    commit: str
    project: Project
    findings: tuple[Finding, ...] = ()
    held: object = field(default=None, repr=False, compare=False)
    """Keeps the files from being deleted."""

    @property
    def short(self) -> str:
        """Return the commit's short id."""
        return self.commit[:_SHORT]


def commit_of(project: Project, since: str = HEAD) -> str:
    """Return the id of the commit that a revision of the project's repository names. Raises UsageError for
    an unknown one, without a commit, without a repository or without git."""

    if is_confined():
        return _given(project).commit
    return Repository.of(project.root).commit(since)


@contextmanager
def given_to(project: Project, since: str) -> Iterator[Path]:
    """Make a folder with the project at a revision, for a confined process, which can't run git. Raises
    as `at_revision` does."""
    revision = at_revision(project, since, is_kept=False)
    folder = revision.project.root.parent
    known = {
        "name": revision.name,
        "commit": revision.commit,
        "findings": [asdict(each) for each in revision.findings],
    }
    write_bytes(folder / _KNOWN, json.dumps(known).encode("ascii"))
    yield folder
    del revision  # deletes the folder too


def _given(project: Project) -> Revision:
    """Return the revision that was passed to this process."""
    folder = Path(os.environ[GIVEN])
    known = json.loads(read_file(folder / _KNOWN, LIST, _KNOWN, [folder]))
    opened = _opened(project, folder / "tree")
    return Revision(known["name"], known["commit"], opened, recalled(known["findings"]))


def _opened(project: Project, folder: Path) -> Project:
    """Return the tree of a revision as a project."""
    roots = (folder,) if project.root == bundled_root() else (folder, *project.paths.roots[1:])
    return Project(folder, ProjectFolders(roots))


def at_revision(project: Project, since: str = HEAD, *, is_kept: bool = True) -> Revision:
    """Return a project at a revision, with the bundled one behind it if it is behind the project now. Its
    files are kept in the user's cache, unless they are for one use. Raises UsageError as `commit_of` does,
    CardgenError for more files than cardgen reads."""

    if is_confined():
        return _given(project)
    repository = Repository.of(project.root)
    commit = repository.commit(since)
    short = commit[:_SHORT]
    entries, links = repository.files(commit, INPUT_FOLDERS)
    files, findings = _wanted(entries, repository.prefix, short)
    if links:
        message = f"{links:,} links and submodules are skipped in {short}: it doesn't contain their targets"
        findings.append(Finding(Severity.NOTE, "revision/links", message, Location(INPUT_FOLDERS[0])))

    ours = _schemas(project)

    def made() -> Iterator[tuple[str, bytes]]:
        pointers = []
        yield from ours.items()
        for name, content in zip(files, repository.contents(files.values()), strict=True):
            if (pointer := _POINTER.match(content)) is not None and len(content) <= _MOST_POINTER:
                stored = _stored(project, repository, name, pointer[1].decode("ascii"))
                content = content if stored is None else stored
                pointers += [] if stored is not None else [name]
            yield name, content
        yield _POINTERS, "\n".join(pointers).encode("utf-8", "surrogateescape")

    try:
        names = f"{commit}\0{repository.prefix}\0{sorted(ours)}".encode("utf-8", "surrogateescape")
        key = hashlib.blake2b(b"\0".join((names, *ours.values())), digest_size=16).hexdigest()
        folder, held = tree("revisions", key, made) if is_kept else temporary(made)
        if is_kept and _pointers(folder):  # their content may exist by now, so read again
            folder, held = temporary(made)
    except ValueError as error:
        hint = "name another commit; list commits: git log --oneline"
        raise UsageError(f"the commit {short} contains no project: {error}", hint, "usage/git") from None
    for name in _pointers(folder)[:_MOST_SHOWN]:
        message = f"the file at {short} is only a pointer (Git LFS): sides that show it can't be compared"
        hint = "fetch its content, then run this again: git lfs fetch --all"
        findings.append(Finding(Severity.WARNING, "revision/lfs", message, Location(name), hint))
    return Revision(since, commit, _opened(project, folder), tuple(findings), held)


def _schemas(project: Project) -> dict[str, bytes]:
    """Return the shared schemas from the current project, so that the same schemas read both states. The
    bundled project's schemas are the fallback."""
    folder = project.root / "schemas"
    names = names_in(folder, "schemas", project.paths.roots, ".json")
    return {
        f"schemas/{name}": read_file(folder / name, SCHEMA, f"schemas/{name}", project.paths.roots)
        for name in names
        if is_regular(folder / name)
    }


def _wanted(entries: Iterable[Entry], prefix: str, short: str) -> tuple[dict[str, Entry], list[Finding]]:
    """Return the files to extract, by their names in the project, and findings about others."""
    files: dict[str, Entry] = {}
    findings: list[Finding] = []
    for entry in entries:
        name = entry.name.removeprefix(prefix)
        if _SHARED.fullmatch(name):
            continue
        if entry.size > _MOST and len(findings) < _MOST_SHOWN:
            more = f"more than the {in_words(_MOST)} that any may have"
            message = f"the file had {entry.size:,} bytes at {short}, {more}"
            findings.append(Finding(Severity.WARNING, "revision/size", message, Location(name)))
        elif entry.size <= _MOST:
            files[name] = entry
    size = sum(entry.size for entry in files.values())
    if size > MOST_BYTES:
        message = f"the project had {size:,} bytes at {short}, more than any game needs"
        hint = f"compare with a commit of at most {in_words(MOST_BYTES)}"
        raise CardgenError(Finding(Severity.ERROR, "revision/size", message, None, hint))
    return files, findings


def _stored(project: Project, repository: Repository, name: str, digest: str) -> bytes | None:
    """Return the content behind a Git LFS pointer, if it is available: in the repository's store, or in the
    project's working file."""
    store = repository.store / "lfs" / "objects"
    places = {
        store / digest[:2] / digest[2:4] / digest: store,
        project.root / name: project.root,
    }
    for place, within in places.items():
        try:
            content = read_file(place, PICTURE, name, [within])
        except ReadingError:
            continue
        if hashlib.sha256(content).hexdigest() == digest:
            return content
    return None


def _pointers(folder: Path) -> list[str]:
    """Return the files of a tree that are only pointers."""
    content = read_file(folder / _POINTERS, LIST, _POINTERS, [folder])
    return content.decode("utf-8", "surrogateescape").splitlines()
