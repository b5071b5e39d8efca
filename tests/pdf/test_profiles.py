"""Profiles of presses by name and as files, and what can't be one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import ImageCms

from cardgen.core.findings import UsageError
from cardgen.pdf import inks as profiles
from tests.for_each import for_each
from tests.svg.samples import press
from tests.wording import Wording


def test_the_shipped_profile_states_its_licence() -> None:
    profile = profiles.load_profile("coated")
    assert "FOGRA39L" in profile.title
    assert profile.condition == "FOGRA39"
    home = Path(profiles.__file__)
    for file in profiles.SHIPPED.values():
        assert "licence" in home.with_name(file).with_suffix(".txt").read_text(encoding="utf-8")


def test_a_shipped_profile_need_not_lie_in_the_project(tmp_path: Path) -> None:
    shipped = profiles.load_profile("coated", tmp_path / "coated", [tmp_path])
    assert shipped == profiles.load_profile("coated")


def test_a_file_of_the_users(tmp_path: Path) -> None:
    copy = tmp_path / "shop.icc"
    copy.write_bytes(profiles.load_profile("coated").content)
    profile = profiles.load_profile(str(copy))
    assert (profile.name, profile.condition) == (str(copy), None)


@pytest.mark.parametrize(
    "name",
    [
        "glossy",
        "missing.icc",
        "words.icc",
        "screen.icc",
    ],
)
def test_what_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, wording: Wording) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words.icc").write_bytes(b"no profile at all" * 20)
    Path("screen.icc").write_bytes(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    with pytest.raises(UsageError, match="color profile") as raised:
        profiles.load_profile(name)
    wording(raised.value)


WHOLE = press()
SHIPPED = (Path(profiles.__file__).parent / "coated.icc").read_bytes()


@for_each(
    "content",
    [
        SHIPPED[: len(SHIPPED) // 2],
        SHIPPED[:-1],
        SHIPPED + bytes(4),
        WHOLE[: len(WHOLE) // 2],
        WHOLE + bytes(15_000_000),
        b"\xff\xff\xff\xff" + WHOLE[4:],
        bytes(4) + WHOLE[4:],
        (len(WHOLE) // 2).to_bytes(4) + WHOLE[4 : len(WHOLE) // 2],  # a half that says it is whole
        WHOLE[:128] + b"\xff\xff\xff\xff" + WHOLE[132:],
        WHOLE[:136] + b"\x7f\xff\xff\xff" + WHOLE[140:],
        WHOLE[:136] + bytes(4) + WHOLE[140:],
    ],
)
def test_a_profile_that_is_not_whole_is_refused(tmp_path: Path, content: bytes, wording: Wording) -> None:
    (tmp_path / "shop.icc").write_bytes(content)
    with pytest.raises(UsageError) as raised:
        profiles.load_profile(str(tmp_path / "shop.icc"))
    wording(raised.value)
    assert raised.value.findings[0].hint


def test_a_profile_may_be_filled_up(tmp_path: Path) -> None:
    for more in range(4):
        (tmp_path / "shop.icc").write_bytes(WHOLE + bytes(more))
        assert profiles.load_profile(str(tmp_path / "shop.icc")).content[: len(WHOLE)] == WHOLE
