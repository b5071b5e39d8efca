"""The owner of a project, which decides if a command runs sandboxed by default.

A project is a stranger's if its folder has another owner, if a build server checks a pull request, or if
its `cardgen.yaml` contains `trusted: false`. Nothing in the project can override this: only `--no-sandbox`
and `cardgen.yaml` in the user's config folder can.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cardgen.commands.production.choices import project_settings
from cardgen.core.findings import Findings, UsageError
from cardgen.core.records import dataclass
from cardgen.files.listing import ProjectFolders
from cardgen.files.project import SETTINGS, Project
from cardgen.files.reading import is_there
from cardgen.files.writing import config_folder


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The decision that a command is sandboxed. `reason` is None if the user asked for it."""

    reason: str | None = None


def sandbox_of(arguments: Sequence[str], options: Mapping[str, Any]) -> Sandbox | None:
    """Return why the command line `arguments`, whose parsed form is `options`, is sandboxed; None if it
    isn't.

    Raises UsageError usage/untrusted for a stranger's project and a command that can't be sandboxed,
    CardgenError for settings in error.
    """
    stated: bool | None = options.get("sandboxed")
    trusts = options.get("no_sandbox")
    if stated and trusts:
        raise UsageError("--sandboxed and --no-sandbox contradict each other", "remove one of them")
    if stated:
        return Sandbox()
    if trusts is None or trusts:  # None if a command reads no game
        return None
    reason = why_untrusted(Project.open(options.get("project")))
    if reason is None:
        return None
    if "sandboxed" not in options:
        problem = f"`cardgen {options['command']}` can't run sandboxed"
        raise untrusted(reason, problem, None, arguments)
    return Sandbox(reason)


def untrusted(reason: str, problem: str, hint: str | None, arguments: Sequence[str]) -> UsageError:
    """Return the refusal of a command line for a stranger's project, with the command that trusts it."""
    more = f"{hint}; or, " if hint else ""
    hint = f"{more}if you trust the game: {trusting(arguments)}"
    return UsageError(f"{reason}, and {problem}", hint, "usage/untrusted")


def trusting(arguments: Sequence[str]) -> str:
    """Return the same command line with `--no-sandbox`."""
    words = list(arguments)
    words.insert(words.index("--") if "--" in words else len(words), "--no-sandbox")
    return shlex.join(("cardgen", *words))


def why_untrusted(project: Project) -> str | None:
    """Return why a project counts as a stranger's; None if it doesn't."""
    root = project.root
    if not is_there(root / "data"):
        return None
    reason = _owner(root) or _pull_request(os.environ)
    if reason is None and project_settings(project.paths).get("trusted") is False:
        reason = f"{SETTINGS} doesn't trust this project"
    return None if reason is None or _is_trusted_by_user(root) else reason


def _owner(root: Path) -> str | None:
    """Return why a folder belongs to somebody else. Windows is skipped."""
    if sys.platform == "win32":
        return None
    user = os.geteuid()
    own = {user}
    if user == 0 and os.environ.get("SUDO_UID", "").isdigit():
        own.add(int(os.environ["SUDO_UID"]))
    for folder in (root, root / "data"):
        try:
            if folder.stat().st_uid not in own:
                return "another user owns this project's folder"
        except OSError:
            continue
    return None


def _pull_request(environment: Mapping[str, str]) -> str | None:
    is_one = environment.get("GITHUB_EVENT_NAME", "").startswith("pull_request")
    return "this is a pull request" if is_one or environment.get("CI_MERGE_REQUEST_IID") else None


def _is_trusted_by_user(root: Path) -> bool:
    """Return True if the user's own settings trust this project, a parent folder, or all."""
    folder = config_folder()
    path = None if folder is None else folder / SETTINGS
    if path is None or not is_there(path) or _is_within(path, root):
        return False
    from cardgen.game.sources import Sources

    findings = Findings()
    document = Sources(ProjectFolders((path.parent,)), findings).read(SETTINGS)
    findings.raise_if_errors()
    trusted = document.data.get("trusted") if document and isinstance(document.data, dict) else None
    if isinstance(trusted, bool):
        return trusted
    if not isinstance(trusted, list) or not all(isinstance(each, str) for each in trusted):
        message = f"{path}: 'trusted' is neither true nor a list of folders"
        raise UsageError(message, "write `trusted: [/home/me/games]`")
    return any(_is_within(root, Path(each).expanduser()) for each in trusted if os.path.isabs(each))


def _is_within(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
