"""Properties of CSS that do nothing on a card, and are said so: all but those that something here reads."""

from __future__ import annotations

from cardgen.svg.names import names
from cardgen.svg.style import PRESENTATION

_READ = PRESENTATION | names(
    "backdrop-filter clip color-interpolation color-interpolation-filters cx cy d flood-color "
    "flood-opacity height hyphens lighting-color marker mask-image mask-type overflow r rx ry solid-color "
    "solid-opacity stop-color stop-opacity transform "
    "transform-box transform-origin unicode-bidi width word-break x y"
)
"""What is drawn or set, or has a finding of its own."""
_NOT_ON_PAPER = names(
    "animation appearance block-progression box-sizing break-after break-before break-inside "
    "buffered-rendering color-rendering contain content-visibility cursor enable-background "
    "font-smoothing forced-color-adjust image-orientation orphans page-break-after "
    "page-break-before page-break-inside pointer-events print-color-adjust scroll-behavior "
    "shape-rendering tap-highlight-color text-rendering text-size-adjust touch-action transition "
    "user-select widows will-change"
)
"""What changes nothing on paper, whatever it says."""
_TEXT = names(
    "column-count column-fill column-gap column-rule column-span column-width columns "
    "font-language-override font-optical-sizing font-palette font-synthesis "
    "font-synthesis-small-caps font-synthesis-style font-synthesis-weight font-variant-emoji "
    "glyph-orientation-horizontal glyph-orientation-vertical hanging-punctuation "
    "hyphenate-character hyphenate-limit-chars hyphenate-limit-lines hyphenate-limit-zone "
    "initial-letter kerning line-break line-clamp overflow-wrap quotes ruby-align ruby-position "
    "tab-size text-align-all text-align-last text-autospace text-box text-box-edge text-box-trim "
    "text-combine-upright text-decoration-skip text-decoration-skip-ink text-emphasis "
    "text-emphasis-color text-emphasis-position text-emphasis-style text-fill-color text-justify "
    "text-orientation text-overflow text-spacing-trim text-stroke text-stroke-color "
    "text-stroke-width text-underline-position text-wrap text-wrap-mode text-wrap-style "
    "vertical-align white-space-collapse word-wrap"
)
_BOXES = (
    names(
        "accent-color align-content align-items align-self aspect-ratio background "
        "background-blend-mode background-clip background-color background-image background-position "
        "background-repeat background-size border border-bottom border-color border-image border-left "
        "border-radius border-right border-style border-top border-width bottom box-decoration-break "
        "box-reflect box-shadow content flex flex-direction float gap grid inset isolation "
        "justify-content left list-style margin margin-bottom margin-left margin-right margin-top "
        "max-height max-width min-height min-width object-fit object-position outline padding "
        "padding-bottom padding-left padding-right padding-top perspective position right rotate scale "
        "shape-image-threshold shape-outside top translate z-index zoom"
    )
    - PRESENTATION
)
"""Properties that are told apart from attributes of other programs where they are written as attributes."""
_INITIAL = names(
    "0 0% 0pt 0px auto currentcolor inherit initial none normal revert revert-layer transparent unset"
)
_WHITE = "white #fff #ffffff rgb(255 255 255)"
_INITIAL_OF = {
    "background": _WHITE,
    "background-color": _WHITE,
    "break-inside": "avoid",
    "column-fill": "balance",
    "font-synthesis": "weight style small-caps position",
    "font-variant-emoji": "normal",
    "hanging-punctuation": "none",
    "hyphenate-character": "auto",
    "line-break": "strict loose",
    "overflow-wrap": "break-word anywhere",
    "word-wrap": "break-word",
    "position": "static relative",
    "quotes": "auto",
    "scale": "1",
    "solid-opacity": "1",
    "tab-size": "8",
    "text-align-last": "start left",
    "text-decoration-skip-ink": "all",
    "text-emphasis-position": "over right under left",
    "text-justify": "inter-word",
    "text-orientation": "mixed sideways",
    "text-overflow": "clip",
    "text-underline-position": "under from-font",
    "text-wrap": "wrap",
    "text-wrap-mode": "wrap",
    "vertical-align": "baseline",
    "white-space-collapse": "collapse preserve break-spaces",
    "object-fit": "fill",
    "zoom": "1 100%",
}
"""Further values that change nothing here."""
_HINTS = {
    "column-count": "draw a box for each column",
    "columns": "draw a box for each column",
    "text-align-last": "set the last line in a text of its own",
    "text-wrap": 'for a last line that is not too short, write cg:last-line="30%"',
    "text-wrap-style": 'for a last line that is not too short, write cg:last-line="30%"',
    "text-stroke": "write stroke and stroke-width",
    "text-stroke-color": "write stroke",
    "text-stroke-width": "write stroke-width",
    "text-fill-color": "write fill",
    "vertical-align": "write baseline-shift",
    "background": "draw a <rect> behind it",
    "background-color": "draw a <rect> behind it",
    "border": "draw a <rect> with a stroke",
    "box-shadow": "write filter: drop-shadow(…)",
    "border-radius": "write rx and ry",
}
_WEBKIT = "-webkit-"
_HOLDS_TEXT = names("a g svg text textPath tspan")
_OF_TEXT = names("text textPath tspan")


def plain_name(name: str) -> str:
    """The name of a property without WebKit's prefix, which all browsers read."""
    return name.removeprefix(_WEBKIT) if name.removeprefix(_WEBKIT) in _TEXT | _BOXES else name


def unread(element: str, name: str, value: str, *, declared: bool) -> tuple[str, str, str] | None:
    """A property without effect at an element (code, message, hint), `declared` in a style or written as an
    attribute; None for one that is read, changes nothing anyway, or is another program's own."""
    bare = plain_name(name)
    if bare in _READ or bare in _NOT_ON_PAPER or bare.startswith("-"):
        return None
    if bare == "rotate" and element in _OF_TEXT:  # it turns the letters
        return None
    known = bare in _TEXT or bare in _BOXES
    if not known and not declared:
        return None
    if bare in _TEXT and element not in _HOLDS_TEXT:  # Inkscape states all of them at each shape
        return None
    words = value.lower().removesuffix("!important").replace(",", " ").split()
    if all(word in _INITIAL or word in _INITIAL_OF.get(bare, "").split() for word in words):
        return None
    of_text = bare in _TEXT or element in _OF_TEXT
    hint = _HINTS.get(bare, "leave it out")
    return ("text/unset" if of_text else "svg/unset", f"{name} has no effect", hint)
