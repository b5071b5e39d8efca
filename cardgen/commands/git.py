"""What is asked of `git`, and how: nothing of a repository is run, nothing is fetched, nothing is written.

A repository may be a stranger's. None of the commands used here runs hooks or filters; what else its
configuration could have git start (a file-system monitor, a remote's helper) is turned off.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.findings import UsageError

if TYPE_CHECKING:
    import subprocess

_GIVEN = (
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
)
_FORGOTTEN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_CONFIG_PARAMETERS")
"""What a hook that runs cardgen has from git; the repository asked for is the project's."""
_SECONDS = 60
_COMMIT = re.compile(rb"[0-9a-f]{40}([0-9a-f]{24})?")
_LONGEST = 1_000
"""Characters of a revision's name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a commit: its id and name, from the repository's root, and how many bytes it has."""

    id: str
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository as seen from a folder in it: `prefix` leads to that from its root, "" or ending in "/";
    `store` is the folder of all that git keeps."""

    folder: Path
    prefix: str
    store: Path

    @classmethod
    def of(cls, folder: Path) -> Repository:
        """The repository that a folder lies in. Raises UsageError if there is none, or no git."""
        code, out, said = _run(
            folder, "rev-parse", "--is-inside-work-tree", "--show-prefix", "--git-common-dir"
        )
        lines = out.split(b"\n")
        if code or lines[0] != b"true" or len(lines) < 3:
            if "dubious ownership" in said:
                hint = f"if you trust it: git config --global --add safe.directory '{folder}'"
                raise UsageError(
                    "git does not read this repository, which is somebody else's", hint, "usage/git"
                )
            hint = "start one there: git init && git add -A && git commit"
            raise UsageError(f"the project in {folder} is in no git repository", hint, "usage/git")
        return cls(folder, os.fsdecode(lines[1]), folder / os.fsdecode(lines[2]))

    def commit(self, revision: str) -> str:
        """The id of the commit that a revision names. Raises UsageError if it names none."""
        name = f"{revision}^{{commit}}"
        if not revision or "\0" in revision or len(revision) > _LONGEST:
            raise UsageError("no git revision is named", "such as HEAD~1, a branch or a tag", "usage/git")
        code, out, _ = _run(self.folder, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
        found = out.strip().rpartition(b"\n")[2]
        if code == 0 and _COMMIT.fullmatch(found):
            return found.decode("ascii")
        if _run(self.folder, "rev-parse", "--verify", "--quiet", "HEAD")[0]:
            hint = "git add -A && git commit; then changes can be told"
            raise UsageError("this repository has no commit yet", hint, "usage/git")
        hint = "a commit, a branch or a tag, such as HEAD~1 or origin/main; see: git log --oneline"
        if _run(self.folder, "rev-parse", "--is-shallow-repository")[1].strip() == b"true":
            hint = (
                "only the last commits were fetched (in a workflow: fetch-depth: 0): git fetch --unshallow"
            )
        raise UsageError(f"git knows no commit '{revision}'", hint, "usage/git")

    def files(self, commit: str, folders: Iterable[str]) -> tuple[list[Entry], int]:
        """The regular files of a commit in folders below the folder asked from, and how many links and
        submodules are among them, which are left out."""
        places = [f"{self.prefix}{folder}/" for folder in folders]
        found = _run(self.folder, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", *places)
        if found[0]:
            raise _refused(found[2])
        entries, left_out = [], 0
        for line in found[1].split(b"\0"):
            about, _, name = line.partition(b"\t")
            if not name:
                continue
            mode, kind, id, size = about.split()
            if kind == b"blob" and mode in (b"100644", b"100755", b"100664"):
                if not size.isdigit():
                    raise _refused(f"{os.fsdecode(name)} is not at hand")
                entries.append(Entry(id.decode("ascii"), os.fsdecode(name), int(size)))
            else:
                left_out += 1
        return entries, left_out

    def history(self, most: int) -> list[tuple[str, str, str]]:
        """The last commits that touched the folder, the newest first: id, day as 2026-11-22, subject."""
        words = ("log", "-z", f"--max-count={most}", "--no-show-signature", "--format=%H%x09%cs%x09%s")
        found = _run(self.folder, *words, "HEAD", "--", ".")
        lines = found[1].decode("utf-8", "replace").split("\0") if not found[0] else []
        return [(id, day, subject) for id, day, subject in (line.split("\t", 2) for line in lines if line)]

    def names(self) -> list[str]:
        """The names of branches and tags, sorted."""
        words = ("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
        code, out, _ = _run(self.folder, *words)
        return [] if code else sorted(out.decode("utf-8", "replace").split("\n"))[1:]

    @contextmanager
    def contents(self) -> Iterator[Contents]:
        """Something to read files of commits with."""
        process = _start(self.folder, "cat-file", "--batch")
        try:
            yield Contents(process)
        finally:
            process.kill()
            process.communicate()


class Contents:
    """Reads files by their ids from a running `git cat-file`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def read(self, entry: Entry) -> bytes:
        """The content of a file. Raises UsageError if the repository has not got it."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        try:
            asked.write(entry.id.encode("ascii") + b"\n")
            asked.flush()
        except OSError:
            raise _refused("it ended") from None
        head = answers.readline().split()
        if len(head) != 3 or head[1] != b"blob" or int(head[2]) != entry.size:
            raise _refused(f"{entry.name} is not at hand")
        content = answers.read(entry.size)
        if len(content) != entry.size or answers.read(1) != b"\n":
            raise _refused(f"{entry.name} ended too early")
        return content


def _refused(said: str) -> UsageError:
    words = said.strip().removeprefix("fatal: ").partition("\n")[0] or "it does not say why"
    hint = "a clone in part has not got all files of old commits; what else is wrong says git fsck"
    return UsageError(f"git could not read the commit: {words}", hint, "usage/git")


def _run(folder: Path, *words: str) -> tuple[int, bytes, str]:
    """Exit code, output and complaints of git in a folder. Raises UsageError if it can't be run."""
    import subprocess

    process = _start(folder, *words)
    try:
        out, said = process.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise UsageError("git does not answer", "see whether it runs: git status", "usage/git") from None
    return process.returncode, out, said.decode("utf-8", "replace")


def _start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    import subprocess

    command: Sequence[Any] = (_program(), *_GIVEN, "-C", folder, *words)
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if words[0] == "cat-file" else subprocess.PIPE,
            env=_variables(),
        )
    except OSError:
        raise _no_git() from None


def _program() -> str:
    """git as the user installed it: never one in the current folder, which may be a stranger's."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        program = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    raise _no_git()


def _no_git() -> UsageError:
    hint = "install git; changes are told by what it knows"
    return UsageError("there is no git that can be run", hint, "usage/git")


def _variables() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _FORGOTTEN}
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    return kept | quiet
