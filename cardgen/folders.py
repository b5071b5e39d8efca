"""The user's own folders, outside any project."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """For things that can be made again: $CARDGEN_CACHE, else where the system keeps caches."""
    chosen = os.environ.get("CARDGEN_CACHE")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("cardgen", appauthor=False)


def config_folder() -> Path:
    """For the user's settings: $CARDGEN_CONFIG, else where the system keeps them."""
    chosen = os.environ.get("CARDGEN_CONFIG")
    if chosen:
        return Path(chosen)
    from platformdirs import user_config_path

    return user_config_path("cardgen", appauthor=False)
