"""A project as it was at a git revision: its folders taken out of the repository and opened as a project.

What the project's folder holds is read by git alone; regular files only, each no larger than cardgen reads
any. They lie in the user's cache by commit, or in a temporary folder where there is none.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.confinement import is_confined
from cardgen.findings import CardgenError, Finding, Location, Severity, UsageError
from cardgen.model.game import ProjectPaths
from cardgen.project import INPUT_FOLDERS, Project, bundled_root
from cardgen.storage.files import write_bytes
from cardgen.storage.reading import (
    INPUTS,
    LIST,
    PICTURE,
    SCHEMA,
    ReadingError,
    in_words,
    is_regular,
    read_file,
)
from cardgen.storage.trees import temporary, tree
from cardgen.storage.walking import names_in

if TYPE_CHECKING:
    from cardgen.commands.git import Entry, Repository

HEAD = "HEAD"
GIVEN = "CARDGEN_REVISION"
"""The variable that names to a confined process the folder that `given_to` made for it."""
MOST_BYTES = 2 * 1024**3
"""Most bytes of all files of a project at a revision."""
_MOST = max(kind.most for kind in INPUTS)
_SHORT = 10
"""Characters of a commit's id that people are shown."""
_POINTER = re.compile(rb"version https://git-lfs[^\n]*\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\n")
_MOST_POINTER = 1_024
_MOST_SAID = 20
_SHARED = re.compile(r"schemas/[^/]+\.json")
_POINTERS = "pointers"
"""The file of a tree that lists them, a name a line."""
_KNOWN = "revision.json"
"""The file beside a tree that says the rest of a revision."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A project at a commit. `findings` are what is to know of its files: what was left out."""

    name: str
    commit: str
    project: Project
    findings: tuple[Finding, ...] = ()
    held: object = field(default=None, repr=False, compare=False)
    """Keeps the files where they are."""

    @property
    def short(self) -> str:
        """The commit as people write it."""
        return self.commit[:_SHORT]


def commit_of(project: Project, since: str = HEAD) -> str:
    """The id of the commit that a revision of the project's repository names. UsageError if there is no
    such, no commit yet, no repository or no git."""
    from cardgen.commands.git import Repository

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
    del revision  # the folder goes with it


def _given(project: Project) -> Revision:
    """The revision that this process was given."""
    folder = Path(os.environ[GIVEN])
    known = json.loads(read_file(folder / _KNOWN, LIST, _KNOWN, [folder]))
    findings = (
        Finding(
            **{
                **each,
                "severity": Severity(each["severity"]),
                "location": each["location"] and Location(**each["location"]),
            }
        )
        for each in known["findings"]
    )
    opened = _opened(project, folder / "tree")
    return Revision(known["name"], known["commit"], opened, tuple(findings))


def _opened(project: Project, folder: Path) -> Project:
    """The tree of a revision as a project."""
    roots = (folder,) if project.root == bundled_root() else (folder, *project.paths.roots[1:])
    return Project(folder, ProjectPaths(roots))


def at_revision(project: Project, since: str = HEAD, *, is_kept: bool = True) -> Revision:
    """A project as it was at a revision, with the bundled one behind it where that is behind the project.
    Its files are kept in the user's cache, unless they are for one use.

    Raises UsageError as `commit_of` does, CardgenError for more files than cardgen reads.
    """
    from cardgen.commands.git import Repository

    if is_confined():
        return _given(project)
    repository = Repository.of(project.root)
    commit = repository.commit(since)
    short = commit[:_SHORT]
    entries, links = repository.files(commit, INPUT_FOLDERS)
    files, findings = _wanted(entries, repository.prefix, short)
    if links:
        message = (
            f"{links:,} links and submodules are left out of {short}: it does not hold what they lead to"
        )
        findings.append(Finding(Severity.NOTE, "revision/links", message, Location(INPUT_FOLDERS[0])))

    ours = _schemas(project)

    def made() -> Iterator[tuple[str, bytes]]:
        pointers = []
        yield from ours.items()
        with repository.contents() as contents:
            for name, entry in files.items():
                content = contents.read(entry)
                if (pointer := _POINTER.match(content)) is not None and entry.size <= _MOST_POINTER:
                    stored = _stored(project, repository, name, pointer[1].decode("ascii"))
                    content = content if stored is None else stored
                    pointers += [] if stored is not None else [name]
                yield name, content
        yield _POINTERS, "\n".join(pointers).encode("utf-8", "surrogateescape")

    try:
        names = f"{commit}\0{repository.prefix}\0{sorted(ours)}".encode("utf-8", "surrogateescape")
        key = hashlib.blake2b(b"\0".join((names, *ours.values())), digest_size=16).hexdigest()
        folder, held = tree("revisions", key, made) if is_kept else temporary(made)
        if is_kept and _pointers(folder):  # they may be there by now, and are looked for again
            folder, held = temporary(made)
    except ValueError as error:
        raise UsageError(f"the commit {short} is no project's: {error}", None, "usage/git") from None
    for name in _pointers(folder)[:_MOST_SAID]:
        message = (
            f"of the file at {short} there is a pointer only (Git LFS): what shows it can't be compared"
        )
        hint = "git lfs fetch --all, then run this again"
        findings.append(Finding(Severity.WARNING, "revision/lfs", message, Location(name), hint))
    return Revision(since, commit, _opened(project, folder), tuple(findings), held)


def _schemas(project: Project) -> dict[str, bytes]:
    """The schemas of what all games share, as the project has them today: our code reads both states by the
    same. The bundled project's stand behind."""
    folder = project.root / "schemas"
    names = names_in(folder, "schemas", project.paths.roots, ".json")
    return {
        f"schemas/{name}": read_file(folder / name, SCHEMA, f"schemas/{name}", project.paths.roots)
        for name in names
        if is_regular(folder / name)
    }


def _wanted(entries: Iterable[Entry], prefix: str, short: str) -> tuple[dict[str, Entry], list[Finding]]:
    """The files that are taken out, by their names in the project, and what is said of others."""
    files: dict[str, Entry] = {}
    findings: list[Finding] = []
    for entry in entries:
        name = entry.name.removeprefix(prefix)
        if _SHARED.fullmatch(name):
            continue
        if entry.size > _MOST and len(findings) < _MOST_SAID:
            more = f"more than the {in_words(_MOST)} that any may have"
            message = f"the file had {entry.size:,} bytes at {short}, {more}"
            findings.append(Finding(Severity.WARNING, "revision/size", message, Location(name)))
        elif entry.size <= _MOST:
            files[name] = entry
    size = sum(entry.size for entry in files.values())
    if size > MOST_BYTES:
        message = f"the project had {size:,} bytes at {short}, more than any game needs"
        hint = f"at most {in_words(MOST_BYTES)} are compared"
        raise CardgenError(Finding(Severity.ERROR, "revision/size", message, None, hint))
    return files, findings


def _stored(project: Project, repository: Repository, name: str, digest: str) -> bytes | None:
    """The content that a pointer of Git LFS stands for, where it is at hand: in the repository's store, or
    as the file that lies in the project."""
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
    """The files of a tree of which there are pointers only."""
    content = read_file(folder / _POINTERS, LIST, _POINTERS, [folder])
    return content.decode("utf-8", "surrogateescape").splitlines()
