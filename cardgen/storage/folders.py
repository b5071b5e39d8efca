"""The user's own folders, outside any project."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platformdirs import PlatformDirs


def cache_folder() -> Path | None:
    """For things that can be made again: $CARDGEN_CACHE, else where the system keeps caches. None
    for a user without a home, who does without."""
    return _folder("CARDGEN_CACHE", lambda folders: folders.user_cache_path)


def config_folder() -> Path | None:
    """For the user's settings: $CARDGEN_CONFIG, else where the system keeps them. None for a user
    without a home."""
    return _folder("CARDGEN_CONFIG", lambda folders: folders.user_config_path)


def _folder(variable: str, find: Callable[[PlatformDirs], Path]) -> Path | None:
    """What the variable says, else what platformdirs finds. Where nobody knows a home, new versions of it
    raise RuntimeError, and old ones leave `~/…`, which would be a folder called `~` in the current one."""
    if chosen := os.environ.get(variable):
        return Path(chosen)
    from platformdirs import PlatformDirs

    try:
        path = find(PlatformDirs("cardgen", appauthor=False))
    except RuntimeError:
        return None
    return path if path.is_absolute() else None
