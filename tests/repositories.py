"""Little git repositories for tests: settings of their own, nobody's name, the same times always."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_DATE = "2026-01-02T03:04:05+00:00"
ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": _DATE,
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": _DATE,
}


SETTINGS = ("init.defaultBranch=main", "core.autocrlf=false", "gc.auto=0", "maintenance.auto=false")


def git(folder: Path, *words: str, given: bytes | None = None) -> str:
    """What git says in a folder."""
    done = subprocess.run(
        ["git", *(word for setting in SETTINGS for word in ("-c", setting)), *words],
        cwd=folder,
        env={**{name: value for name, value in os.environ.items() if "GIT_" not in name}, **ENVIRONMENT},
        input=given,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def commit(folder: Path, message: str = "as it is") -> str:
    """Commit all of a folder, which becomes a repository if it is in none; the commit's id."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "--template=")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")
