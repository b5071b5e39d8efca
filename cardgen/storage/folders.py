"""The user's own folders, outside any project."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def cache_folder() -> Path | None:
    """For things that can be made again: $CARDGEN_CACHE, else where the system keeps caches. None
    for a user without a home, who does without."""
    chosen = os.environ.get("CARDGEN_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return _found(lambda: user_cache_path("cardgen", appauthor=False))


def config_folder() -> Path | None:
    """For the user's settings: $CARDGEN_CONFIG, else where the system keeps them. None for a user
    without a home."""
    chosen = os.environ.get("CARDGEN_CONFIG")
    if chosen:
        return Path(chosen)
    from platformdirs import user_config_path

    return _found(lambda: user_config_path("cardgen", appauthor=False))


def _found(find: Callable[[], Path]) -> Path | None:
    """What platformdirs finds. Where nobody knows a home, its newer versions raise RuntimeError, and
    older ones leave `~/…`, which would be a folder called `~` in the current one."""
    try:
        path = find()
    except RuntimeError:
        return None
    return path if path.is_absolute() else None
