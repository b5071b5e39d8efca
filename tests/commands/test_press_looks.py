"""`check --inks cmyk`: where colours come from that a press can't print as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cardgen.pdf import inks as profiles
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
GLOW = "#00ff5a"
TEMPLATE = "templates/demo/card.svg"
PAPER = 'fill="{{ theme.paper }}"'


def _told(run: Run, *words: str, color: str = GLOW) -> list[str]:
    """What is said of a colour; there is a tint of an icon on some cards as well."""
    _, out, _ = run("check", "demo", "--all", *words)
    return [line for line in out.splitlines() if "[press/" in line and color in line]


@pytest.mark.long
def test_a_colour_of_the_theme_is_told_once_where_it_stands(run: Run, edit: Edit) -> None:
    path = edit("data/demo/game.yaml", "'#fbf7ee'", f"'{GLOW}'")
    line = path.read_text().splitlines().index(f"  paper: '{GLOW}'") + 1
    assert _told(run) == [], "only who asks is told"
    assert run("check", "demo", "--profile", "coated")[0] == 2
    (told,) = _told(run, "--inks", "cmyk")
    assert told.startswith(f"data/demo/game.yaml:{line}")
    found = re.search(
        r"the press can't print #00ff5a on (\d+) mm² of a side: it prints #(\w{6}), .* \(ΔE (\d+)\)", told
    )
    assert found is not None
    assert int(found[3]) >= 10
    assert 3500 < int(found[1]) < 5700  # most of a poker card
    assert "and 5 more" in told
    assert found[2] in run("check", "demo", "--inks", "cmyk")[1].partition("hint:")[2]


@pytest.mark.long
def test_a_picture_is_told_by_its_file(run: Run, edit: Edit, demo: Path, wording: Wording) -> None:
    Image.new("RGB", (300, 300), GLOW).save(demo / "templates/demo/glow.png")
    edit(TEMPLATE, "</svg>", '<image href="glow.png" x="20" y="20" width="20" height="20"/></svg>')
    (told,) = _told(run, "--inks", "cmyk")
    wording(told, "templates/demo/glow.png", "00")


def test_ink_over_the_limit_is_a_note(run: Run, edit: Edit) -> None:
    edit(TEMPLATE, PAPER, 'fill="#0c1e2c"')
    color = "#0c1e2c"
    assert _told(run, "--inks", "cmyk", color=color) == []
    (told,) = _told(run, "--inks", "cmyk", "--ink-limit", "200", color=color)
    assert re.search(r"note: #0c1e2c needs 2\d\d % ink, but the press allows 200 %", told)
    assert "[press/ink]" in told


def test_a_spot_colour_is_no_mixture(run: Run, edit: Edit) -> None:
    edit(
        "data/demo/game.yaml",
        "\ncomponents:",
        f"\nspots: {{glow: {{name: Glow, shows: '{GLOW}'}}}}\n\ncomponents:",
    )
    edit(TEMPLATE, PAPER, 'fill="{{ spots.glow }}"')
    assert _told(run, "--inks", "cmyk") == []


def _stated(edit: Edit, press: str) -> Path:
    return edit("data/demo/game.yaml", "\ncomponents:", f"\npress: {press}\n\ncomponents:")


@pytest.mark.long
def test_a_game_that_states_its_press_is_judged_for_it(run: Run, edit: Edit, wording: Wording) -> None:
    edit(TEMPLATE, PAPER, 'fill="#0c1e2c"')
    _stated(edit, "{ink_limit: 200}")
    color = "#0c1e2c"
    (told,) = _told(run, color=color)
    wording(told, "200")
    assert _told(run, "--inks", "cmyk", "--ink-limit", "300", color=color) == []
    assert _told(run, "--inks", "rgb", color=color) == []


def test_a_profile_that_is_not_there_is_told_at_its_line(run: Run, edit: Edit, demo: Path) -> None:
    path = _stated(edit, "{profile: shop.icc}")
    line = path.read_text().splitlines().index("press: {profile: shop.icc}") + 1
    place = f"data/demo/game.yaml:{line}:"
    code, out, _ = run("check", "demo")
    (told,) = [each for each in out.splitlines() if "[game/press]" in each]
    assert code == 1
    assert told.startswith(place)
    assert "shop.icc" in told
    assert place in run("build", "demo", "--inks", "cmyk")[2]
    assert "[game/press]" not in run("check", "demo", "--inks", "cmyk", "--profile", "coated")[1]
    coated = Path(profiles.__file__).with_name("coated.icc")
    (demo / "data/demo/shop.icc").write_bytes(coated.read_bytes())
    assert "[game/press]" not in run("check", "demo")[1]


@pytest.mark.long
def test_the_report_has_what_the_check_says(run: Run, edit: Edit) -> None:
    edit(TEMPLATE, PAPER, f'fill="{GLOW}"')

    def press(*words: str) -> Any:
        return json.loads(run("report", "demo", "--format", "json", *words)[1]).get("press")

    (told,) = _told(run, "--inks", "cmyk", "--ink-limit", "240")
    page = press("--inks", "cmyk", "--ink-limit", "240")
    glow = next(each for each in page["missed"] if each["screen"] == GLOW)
    assert f"{TEMPLATE}:{glow['place']['line']}:" in told
    assert f"ΔE {glow['delta_e']:.0f}" in told
    assert len(glow["cards"]) == 6
    assert 100 < page["most_ink"] <= 240
    _stated(edit, "{ink_limit: 240}")
    assert press() == page
    assert press("--inks", "rgb") is None


@pytest.mark.long
def test_small_text_in_many_inks_is_a_note(run: Run, edit: Edit) -> None:
    color = "#2e6b58"
    text = (
        f'<text x="9" y="80" font-family="IBM Plex Sans" font-size="2.8" fill="{color}">small</text></svg>'
    )
    path = edit(TEMPLATE, "</svg>", text)
    assert _told(run, color=color) == []
    (told,) = _told(run, "--inks", "cmyk", color=color)
    line = next(n for n, each in enumerate(path.read_text().splitlines(), 1) if color in each)
    assert told.startswith(f"{TEMPLATE}:{line}: note: text of 7.9 pt in {color} takes ")
    assert "[press/small-text]" in told
    for larger, other in (("4", color), ("2.8", "#1a1a1a")):
        path.write_text(path.read_text().replace('font-size="2.8"', f'font-size="{larger}"'))
        path.write_text(path.read_text().replace(color, other))
        assert _told(run, "--inks", "cmyk", color=other) == []
        path.write_text(path.read_text().replace(f'font-size="{larger}"', 'font-size="2.8"'))
