"""What a drawing paints at places in it."""

from __future__ import annotations

from cardgen.svg.grounds import inks_at
from cardgen.svg.tree import parse
from tests.for_each import for_each


def ink(content: str, *spot: float, root: str = "") -> str | None:
    """The paint at a place, the middle unless said."""
    source = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" {root}>{content}</svg>'
    (found,) = inks_at(parse(source.encode()), [(spot[0], spot[1]) if spot else (12.0, 12.0)])
    return found


DISC = '<circle cx="12" cy="12" r="9" fill="red"/>'


@for_each(
    ("content", "found"),
    [
        ("", None),
        (DISC, "red"),
        ('<circle cx="12" cy="12" r="9"/>', ""),
        ('<g fill="currentColor"><ellipse cx="12" cy="12" rx="9" ry="5"/></g>', "currentColor"),
        ('<g style="fill:blue"><rect x="2" y="3" width="20" height="11"/></g>', "blue"),
        ('<polygon points="2 2 22 2 12 22" fill="red"/>', "red"),
        ('<path d="M3 12A9 9 0 0 0 21 12A9 9 0 0 0 3 12Z" fill="red"/>', "red"),
        ('<path d="M3 12a9 9 0 1 1 0 .1" fill="red"/>', "red"),
        ('<path d="M0 24C0 0 24 0 24 24Z" fill="red"/>', "red"),
        ('<path d="M0 20Q12 0 24 20Z" fill="red"/>', "red"),
        ('<path d="M0 20Q12 6 24 20Z" fill="red"/>', None),
        ('<path d="M2 2H22V22H2Z M7 7V17H17V7Z" fill="red"/>', None),
        ('<path d="M2 2H22V22H2Z M7 7H17V17H7Z" fill="red"/>', "red"),
        ('<path d="M2 2H22V22H2Z M7 7H17V17H7Z" fill="red" fill-rule="evenodd"/>', None),
        ('<circle cx="12" cy="12" r="9" fill="none" stroke="red" stroke-width="3"/>', None),
        ('<path d="M2 11H22" fill="none" stroke="red" stroke-width="3"/>', "red"),
        ('<line x1="2" y1="2" x2="22" y2="22" stroke="red"/>', "red"),
        ('<polyline points="2 2 22 2 12 22" fill="none" stroke="red"/>', None),
        (DISC + '<circle cx="12" cy="12" r="2" fill="blue"/>', "blue"),
        (DISC + '<circle cx="12" cy="12" r="2" fill="blue" opacity="0.2"/>', "red"),
        (DISC + '<g display="none"><circle cx="12" cy="12" r="2" fill="blue"/></g>', "red"),
        (DISC + '<circle cx="12" cy="12" r="2" fill="blue" fill-opacity="20%"/>', "red"),
        (DISC + '<circle cx="0" cy="0" r="2" fill="blue" transform="translate(12 12)"/>', "blue"),
        ('<defs><circle id="a" r="2" fill="blue"/></defs><use href="#a" x="12" y="12"/>', "blue"),
        (
            '<symbol id="a" viewBox="0 0 9 9"><circle cx="4" cy="4" r="2" fill="blue"/></symbol>'
            '<use href="#a" x="6" y="6" width="12" height="12"/>',
            "blue",
        ),
        ('<svg x="8" y="8" width="8" height="8"><rect width="8" height="8" fill="blue"/></svg>', "blue"),
        (
            '<linearGradient id="g"><stop stop-color="gold"/><stop offset="1"/></linearGradient>'
            '<rect width="24" height="24" fill="url(#g)"/>',
            "gold",
        ),
        ('<rect width="24" height="24" fill="url(#nix)"/>', ""),
        ('<use href="#nix"/>', None),
    ],
)
def test_the_ink_in_the_middle(content: str, found: str | None) -> None:
    assert ink(content) == found


def test_what_the_root_says_holds() -> None:
    assert ink('<circle cx="12" cy="12" r="9"/>', root='fill="none"') is None
    assert ink('<circle cx="12" cy="12" r="9"/>', root='fill="currentColor"') == "currentColor"


@for_each(("flags", "inside"), [("0 0", 8), ("0 1", 16), ("1 0", 8), ("1 1", 16)])
def test_an_arc_bends_to_its_side(flags: str, inside: float) -> None:
    path = f'<path d="M12 2A10 10 0 {flags} 12 22Z" fill="red"/>'
    assert ink(path, inside, 12) == "red"
    assert ink(path, 24 - inside, 12) is None


def test_a_large_drawing_is_looked_at_so_far() -> None:
    paths = "".join(f'<path d="{"M0 0C1 1 2 2 3 3" * 100}" fill="blue"/>' for _ in range(500))
    assert ink(DISC + paths + '<circle cx="12" cy="12" r="2" fill="blue"/>') == "red"
