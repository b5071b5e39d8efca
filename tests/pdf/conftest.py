"""The game with a piece of every kind, and readers that may be absent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.pdf_grammar.readers import AbsentError

GAME = Path(__file__).parent / "game"


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project folder with the game `all`, pictures and all."""
    folder = Path(shutil.copytree(GAME, tmp_path_factory.mktemp("everything") / "project"))
    pictures = folder / "templates" / "all"
    Image.linear_gradient("L").resize((96, 96)).convert("RGB").save(pictures / "photo.jpg")
    shade = Image.new("RGBA", (96, 96), (200, 40, 40, 255))
    shade.putalpha(Image.linear_gradient("L").resize((96, 96)))
    shade.save(pictures / "shade.png")
    return folder


def asked(reader: Callable[[Path], list[str]], path: Path) -> list[str]:
    """A reader's complaints. Skips where the program is missing, but not on a build server."""
    try:
        return reader(path)
    except AbsentError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{error} is not installed")
