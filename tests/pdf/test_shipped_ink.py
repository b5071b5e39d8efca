"""The ink of the shipped games' sheets, pixel by pixel, as Ghostscript puts it on paper."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import cardgen

LIMIT = 240
GHOSTSCRIPT = "gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=tiff32nc -r36".split()


@pytest.mark.long
@pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")
@pytest.mark.parametrize("game", ["access-denied", "blockminers", "hackers", "mindnet", "ptsd"])
def test_no_sheet_takes_more_ink_than_the_limit(game: str, tmp_path: Path) -> None:
    project = cardgen.Project.open(Path(__file__).resolve().parents[2])
    order = cardgen.BuildOptions(
        game, sheets=("poker",), output=tmp_path, press=cardgen.PressOptions(ink_limit=LIMIT)
    )
    (file,) = cardgen.build(order, project=project).files
    out = tmp_path / "%d.tif"
    subprocess.run([*GHOSTSCRIPT, f"-sOutputFile={out}", file.path], check=True, capture_output=True)
    pages = sorted(tmp_path.glob("*.tif"))
    assert len(pages) == file.pages
    most = max(float(np.asarray(Image.open(page), np.uint16).sum(axis=2).max()) / 255 for page in pages)
    assert 1.5 < most <= LIMIT / 100 + 0.02
