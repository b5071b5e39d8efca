"""Computed properties to the typesetter's styles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple, TypeVar

from cardgen.core.artwork import Color
from cardgen.core.findings import CardgenError, Location, Problem, Severity, did_you_mean
from cardgen.core.geometry import MM_PER_PT, Matrix
from cardgen.core.records import dataclass, replace
from cardgen.svg.normal import normalised
from cardgen.svg.outlines import transform_of
from cardgen.svg.style import RGBA, Properties, StyleSheet, inherit, parse_color
from cardgen.svg.tree import FARTHEST, NUMBER, Node, SvgError, parse, short
from cardgen.text.fonts import FontBook, without_style
from cardgen.text.shaping import Font, FontError
from cardgen.text.spans import Anchor, Direction, Span, Style, clusters, direction_of

GROUP = "cg:group"
"""The attribute that names texts with one common size."""
LAST_LINE = "cg:last-line"
SPACES = "cg:spaces"
_WIDEST = 10.0
"""Times its own width to which a space may stretch."""
_NUMBER = re.compile(rf"\s*({NUMBER})\s*([A-Za-z%]*)\s*")
_LONGEST = 64
"""Characters of a length, and of a group's name."""
_MOST_STEPS = 50
"""Most sizes that a text may be shrunk to."""
_SAME = 1e-4
"""mm; sizes in templates are rounded to that."""
WEIGHTS = {"normal": 400, "regular": 400, "bold": 700, "bolder": 700}
SLANTS = {"normal": False, "italic": True, "oblique": True}
_KEPT = (
    *("font-family", "font-size", "font-weight", "font-style", "fill", "color"),
    *("letter-spacing", "word-spacing", "baseline-shift", "font-kerning", "font-feature-settings"),
    *("font-variant", "font-variant-alternates", "font-variant-caps", "font-variant-east-asian"),
    *("font-variant-ligatures", "font-variant-numeric", "font-variant-position"),
)
_VARIANTS: dict[str, dict[str, str]] = {
    "font-variant-ligatures": {
        "none": "-liga -clig -calt",
        "common-ligatures": "",
        "no-common-ligatures": "-liga -clig",
        "discretionary-ligatures": "dlig",
        "no-discretionary-ligatures": "-dlig",
        "historical-ligatures": "hlig",
        "no-historical-ligatures": "-hlig",
        "contextual": "",
        "no-contextual": "-calt",
    },
    "font-variant-caps": {
        "small-caps": "smcp",
        "all-small-caps": "smcp c2sc",
        "petite-caps": "pcap",
        "all-petite-caps": "pcap c2pc",
        "unicase": "unic",
        "titling-caps": "titl",
    },
    "font-variant-numeric": {
        "lining-nums": "lnum",
        "oldstyle-nums": "onum",
        "proportional-nums": "pnum",
        "tabular-nums": "tnum",
        "diagonal-fractions": "frac",
        "stacked-fractions": "afrc",
        "ordinal": "ordn",
        "slashed-zero": "zero",
    },
    "font-variant-position": {"sub": "subs", "super": "sups"},
    "font-variant-east-asian": {
        "jis78": "jp78",
        "jis83": "jp83",
        "jis90": "jp90",
        "jis04": "jp04",
        "simplified": "smpl",
        "traditional": "trad",
        "full-width": "fwid",
        "proportional-width": "pwid",
        "ruby": "ruby",
    },
    "font-variant-alternates": {"historical-forms": "hist"},
}
"""Features of fonts that a word of a property turns on, or with a minus off (CSS Fonts 4, section 6)."""
_RIVALS = (
    *(("lining-nums", "oldstyle-nums"), ("proportional-nums", "tabular-nums")),
    *(("diagonal-fractions", "stacked-fractions"), ("full-width", "proportional-width"), ("sub", "super")),
    *(("common-ligatures", "no-common-ligatures"), ("contextual", "no-contextual")),
    ("discretionary-ligatures", "no-discretionary-ligatures"),
    ("historical-ligatures", "no-historical-ligatures"),
    tuple(_VARIANTS["font-variant-caps"]),
    ("jis78", "jis83", "jis90", "jis04", "simplified", "traditional"),
)
"""Words that exclude each other."""
_SETTING = re.compile(r"""\s*(?:"([ -~]{4})"|'([ -~]{4})')(?:\s+(on|off|[0-9]{1,4}))?\s*""")
_MOST_SETTINGS = 50
"""Most features in one value of `font-feature-settings`."""
_USUAL_FEATURES = frozenset(("calt", "ccmp", "clig", "kern", "liga", "locl", "mark", "mkmk", "rlig"))
"""Features that are on in all fonts; turning one on is no mistake in a font without it."""
_SUPERSCRIPT, _SUBSCRIPT = 0.4, -0.2
"""Raise of superscripts and subscripts in em of the text around them; Inkscape's figures."""

_GENERIC = frozenset(("cursive", "fantasy", "monospace", "sans-serif", "serif", "system-ui"))
"""Generic names that end a list of families: fonts.yaml maps each to a family."""
_MOST_FAMILIES = 20
"""Most families of a list that are used."""
_SMALL = 0.8
"""The size of a small capital made from a capital."""
_SET: dict[str, tuple[str, ...]] = {
    "unicode-bidi": ("embed", "isolate", "plaintext"),
    "writing-mode": ("horizontal-tb", "lr", "lr-tb", "rl", "rl-tb"),
}
"""Supported values of properties that are otherwise unsupported, besides those of every text."""
_FITS = {"none": False, "shrink": True}
_ANCHORS: dict[str, Anchor] = {"start": "start", "middle": "middle", "end": "end"}
_TURNED_ANCHORS: dict[str, Anchor] = {"start": "end", "middle": "middle", "end": "start"}
_DIRECTIONS: dict[str, Direction] = {"ltr": "ltr", "rtl": "rtl", "auto": "auto"}

_UNSET = {
    "font-variation-settings": "font-variation-settings is not supported",
    "font-stretch": "font-stretch is not supported",
    "text-indent": "text-indent is not supported",
    "text-shadow": "text-shadow is not supported",
    "font": "the shorthand 'font' is not supported here",
    "font-size-adjust": "font-size-adjust is not supported",
    "unicode-bidi": "overriding the direction of letters is not supported",
    "writing-mode": "only horizontal text is supported",
}
_UNSET_HINTS = {
    "font": "write font-family, font-size, font-weight",
    "writing-mode": "rotate it by 90°",
    "font-stretch": "name the condensed family, such as IBM Plex Sans Condensed",
}


def length(text: str, name: str, em: float = 0.0, whole: float | None = None) -> float:
    """Return mm in a bare number, `px` (the same, a user unit), `em` of `em` mm, or % of `whole` mm.

    Raises TextError.
    """
    match = _NUMBER.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise TextError("svg/number", f"{name} is '{short(text)}', not a number", "write numbers in mm")
    value, unit = float(match[1]), match[2]
    if abs(value) > FARTHEST:
        raise TextError(
            "svg/number", f"{name} is '{text}', which is too large", "write a smaller number, in mm"
        )
    if unit in ("", "px"):
        return value
    if unit == "em" and em:
        return value * em
    if unit == "%" and whole is not None:
        return value * whole / 100
    hint = "write a bare number; one unit is one millimeter"
    if unit == "pt":
        hint = f"write {{{{ {match[1]}|pt }}}}, which turns points into mm"
    raise TextError("svg/unit", f"{name} has the unit {unit}, which would not print at that size", hint)


def whole_number(text: str) -> int | None:
    """Return the number of up to four digits in the text; None for any other text."""
    return int(text) if len(text) <= 4 and text.isascii() and text.isdigit() else None


def optional_length(properties: Mapping[str, str], name: str, em: float = 0.0) -> float | None:
    """Return the length of a property that may be missing, `auto` or `none`."""
    text = properties.get(name)
    if text is None or text in ("auto", "none", "normal"):
        return None
    return length(text, name, em)


def own_matrix(node: Node) -> Matrix:
    """Return an element's transform. Raises TextError."""
    try:
        return transform_of(node.attrs)
    except ValueError as error:
        raise TextError(
            "svg/transform", str(error), "write numbers in mm and degrees, such as translate(2 3)"
        ) from None


class Shrinking(NamedTuple):
    """The settings for shrinking a text: True if it shrinks, its smallest size in mm, and the sizes to
    try."""

    shrinks: bool
    least: float | None = None
    steps: tuple[float, ...] = ()


def shrinking(node: Node, size: float | None) -> Shrinking:
    """Read the shrink settings of a text's tag; `size` is its own. Raises TextError."""
    fit, least, said = node.attrs.get("cg:fit", "none"), node.get("cg:min-size"), node.get("cg:steps")
    shrinks = choice(fit, _FITS, "text/fit", "cg:fit", "write shrink or none")
    group = node.get(GROUP)
    if group is not None and not shrinks:
        raise TextError("text/fit", "cg:group needs cg:fit", 'add cg:fit="shrink"')
    if group is not None and not (group.strip() and len(group) <= _LONGEST):
        hint = 'give texts that share a size one name: cg:group="rules"'
        raise TextError("text/fit", f"cg:group can't be '{short(group)}'", hint)
    if said is None:
        return Shrinking(shrinks, length(least, "cg:min-size") if least else None)
    if not shrinks or least is not None:
        message = "cg:steps can't be combined with cg:min-size" if shrinks else "cg:steps needs cg:fit"
        raise TextError("text/fit", message, 'write cg:fit="shrink" and cg:steps, smallest size last')
    words = said.replace(",", " ").split()
    steps = [length(word, "cg:steps") for word in words[: _MOST_STEPS + 1]]
    hint = 'write sizes in mm from large to small, such as cg:steps="{{ 8.5|pt }} {{ 8|pt }}"'
    falls = all(one > other for one, other in pairwise(steps))
    if not 0 < len(steps) <= _MOST_STEPS or not falls or steps[-1] <= 0:
        raise TextError("text/fit", f"cg:steps can't be '{short(said)}'", hint)
    if size is not None and steps[0] > size + _SAME:
        message = f"cg:steps begins with {points(steps[0])}, more than the text's {points(size)}"
        raise TextError("text/fit", message, hint)
    below = tuple(step for step in steps if size is None or step < size - _SAME)
    return Shrinking(bool(below), None, below)


def last_line(node: Node) -> float:
    """Return the least share of the width for the last line, from a text's tag, 0 for any. Raises
    TextError."""
    said = node.get(LAST_LINE)
    if said is None:
        return 0.0
    least = length(said, LAST_LINE, whole=1.0)
    if not (said.strip().endswith("%") and 0 < least < 1):
        hint = 'write the minimum share of the box width, such as cg:last-line="30%"'
        raise TextError("text/fit", f"{LAST_LINE} can't be '{short(said)}'", hint)
    return least


def spaces(node: Node, align: str) -> tuple[float, float] | None:
    """Return the limits of spaces in justified text, from a text's tag: shares of their own width, None if
    it has none. Raises TextError."""
    said = node.get(SPACES)
    if said is None:
        return None
    if align != "justify":
        raise TextError(
            "text/fit", f"{SPACES} applies only to justified text", "remove it, or justify the text"
        )
    shares = [length(word, SPACES, whole=1.0) for word in said.split()[:3] if word.endswith("%")]
    if len(shares) == len(said.split()) == 2 and 0 < shares[0] <= 1 <= shares[1] <= _WIDEST:
        return shares[0], shares[1]
    hint = f'write their least and most width, such as {SPACES}="75% 150%"'
    raise TextError("text/fit", f"{SPACES} can't be '{short(said)}'", hint)


def font_size(own: str | None, parent: float | None) -> float | None:
    """Return the size in mm, from the element's own property and its parent's size."""
    if own is None:
        return parent
    if own.endswith(("%", "em")):
        if parent is None:
            raise TextError(
                "text/size", f"font-size {short(own)} has no size to be relative to", "write {{ 8|pt }}"
            )
        return length(own, "font-size", parent, parent)
    size = length(own, "font-size")
    if size <= 0:
        raise TextError(
            "text/size", f"font-size is {short(own)}", "write a size above 0, such as {{ 8|pt }}"
        )
    return size


def paint(value: str, color: str) -> RGBA | str | None:
    """Return a `fill` or `stroke`: a color, the id of a gradient or pattern, or None for none."""
    value = value.strip()
    if value.lower() == "currentcolor":
        value = color
    if value == "none":
        return None
    if value.startswith("url("):
        return value[4 : value.index(")")].strip("\"' #") if ")" in value else None
    found = parse_color(value)
    if found is None:
        raise TextError(
            "svg/color",
            f"'{short(value)}' is not a supported color",
            "write #rrggbb or a name such as navy",
        )
    return found if found[3] else None


T = TypeVar("T")


def choice(value: str, choices: Mapping[str, T], code: str, name: str, hint: str) -> T:
    """Return the meaning of a property's value. Raises TextError for an unknown one."""
    if value not in choices:
        raise TextError(code, f"{name} can't be '{short(value)}'", hint)
    return choices[value]


def anchor_of(properties: Mapping[str, str]) -> Anchor:
    """Return which visible end of a line is at its position: "start" is the right one of a text that is set
    to run right to left (SVG 2, text-anchor). In a game of such a language none turns by itself. Raises
    TextError."""
    stated = properties.get("text-anchor", "start")
    turned = properties.get("direction") == "rtl"
    anchors = _TURNED_ANCHORS if turned else _ANCHORS
    return choice(stated, anchors, "text/align", "text-anchor", "write start, middle or end")


def direction(properties: Mapping[str, str], language: str) -> Direction:
    """Return the direction of a text, from its own attribute or else the game's language. Raises
    TextError."""
    said = properties.get("direction")
    if said is None:
        return direction_of(language)
    return choice(said, _DIRECTIONS, "text/direction", "direction", "write ltr, rtl or auto")


def opacity_of(properties: Mapping[str, str]) -> float:
    """Return the opacity of the letters' own fill, from 0 for none to 1."""
    fill = paint(properties.get("fill", "black"), properties.get("color", "black"))
    return fill[3] if isinstance(fill, tuple) else float(fill is not None)


def filled_opacity(properties: Mapping[str, str]) -> float:
    """Return the same with `fill-opacity`, which applies only to the fill."""
    return opacity_of(properties) * share(properties, "fill-opacity")


def share(properties: Mapping[str, str], name: str) -> float:
    """Return a number from 0 to 1, or a part of 100 %; the default is 1."""
    value = properties.get(name)
    return 1.0 if value is None else max(0.0, min(1.0, length(value, name, whole=1.0)))


def is_hidden(properties: Mapping[str, str]) -> bool:
    """Return True if these properties hide a text, which still takes its room."""
    return properties.get("visibility") in ("hidden", "collapse")


@dataclass(slots=True, eq=False)
class Look:
    """The look of the text between two tags: its computed properties, and its size in mm, None if no
    font-size is known; the lines along it, and its opacity times its whole text's."""

    properties: Properties
    size: float | None
    lines: Lines = ()
    opacity: float = 1.0
    raised: float = 0.0
    """The rise of the text around it, in mm."""

    @property
    def shift(self) -> float:
        """Return its total rise, in mm."""
        size = self.size or 0.0
        own = _baseline_shift(self.properties.get("baseline-shift"), size) if size else 0.0
        return self.raised + own * size


class Styles:
    """Makes styles, each distinct one once."""

    def __init__(self, fonts: FontBook) -> None:
        self.fonts = fonts
        self._made: dict[tuple[str | float | Lines | None, ...], Style] = {}

    def style(self, look: Look, shift: float = 0.0) -> Style:
        """Return the style of text with this look, raised by `shift` mm. Raises TextError."""
        said = map(look.properties.get, _KEPT)
        key = (*said, look.size, look.shift + shift, look.lines, look.opacity)
        style = self._made.get(key)
        if style is None:
            style = self._made[key] = self._make(look, shift)
        return style

    def spans(self, text: str, look: Look, shift: float = 0.0) -> list[Span]:
        """Return the text in its style, raised by `shift` mm: small capitals from the font, or else as
        smaller capitals. Raises TextError."""
        style = self.style(look, shift)
        if not (made := self._made_capitals(look)):
            return [Span(text, style)]
        small = replace(style, size=style.size * _SMALL, baseline_shift=style.baseline_shift / _SMALL)

        def shrinks(cluster: str) -> bool:
            return cluster.upper() != (cluster.lower() if made == "all-small-caps" else cluster)

        result: list[Span] = []
        for shrunk, letters in groupby(clusters(text), shrinks):
            part = "".join(letters)
            result.append(Span(part.upper(), small) if shrunk else Span(part, style))
        return result

    def _made_capitals(self, look: Look) -> str | None:
        """Return the kind of small capitals that are made from capitals, as the font has none."""
        caps = variants(look.properties).get("font-variant-caps", ())
        made = next((word for word in caps if word.endswith("small-caps")), None)
        return made if made and "smcp" not in self.font(look.properties).feature_tags else None

    def lacking(self, look: Look) -> Iterator[Problem]:
        """Yield a problem for each requested feature that the font lacks."""
        asked = features(look.properties)
        if not asked:
            return
        font, made = self.font(look.properties), self._made_capitals(look)
        for tag, (value, property) in asked.items():
            known = tag in font.feature_tags or tag in _USUAL_FEATURES or font.has_figures(tag)
            if value and not (known or (made and tag in ("smcp", "c2sc"))):
                message = f"{property} has no effect: the font {font.key} has no feature '{tag}'"
                own = ", ".join(sorted(font.feature_tags - _USUAL_FEATURES - {"aalt"}))
                hint = f"use one of its features: {own}" if own else "use a font that has it"
                if tag in ("subs", "sups"):
                    hint = f'use baseline-shift="{"sub" if tag == "subs" else "super"}"'
                yield Problem("text/feature", message, hint, Severity.WARNING, once=True)

    def _make(self, look: Look, shift: float) -> Style:
        properties, size = look.properties, look.size
        if size is None:
            hint = 'write font-size="{{ 8|pt }}"'
            raise TextError("text/size", "the text has no font-size", hint)
        fill = paint(properties.get("fill", "black"), properties.get("color", "black"))
        spacing = optional_length(properties, "letter-spacing", size) or 0.0
        color = fill[:3] if isinstance(fill, tuple) else (0.0, 0.0, 0.0)
        raised = (shift + look.shift) / size
        asked = features(properties) if _VARIES.intersection(properties) else {}
        font = self.font(properties).featured({tag: value for tag, (value, _) in asked.items()})
        return Style(
            font,
            size,
            color,
            spacing / size,
            raised,
            lines=tuple(name for name, _ in look.lines),
            inks=tuple(color if ink is None else ink for _, ink in look.lines),
            opacity=look.opacity,
            word_spacing=(optional_length(properties, "word-spacing", size) or 0.0) / size,
        )

    def font(self, properties: Properties) -> Font:
        """Return the font file of the first existing family of a list. Raises TextError if there is none:
        nothing else is substituted."""
        listed, plain = _listed(properties.get("font-family", ""))
        if not plain[0]:
            hint = f"set font-family to one of: {', '.join(sorted(self.fonts.families))}"
            raise TextError("text/font", "the text has no font-family", hint)
        weight_text = properties.get("font-weight", "normal")
        weight = WEIGHTS.get(weight_text) or whole_number(weight_text)
        slant = SLANTS.get(properties.get("font-style", "normal"))
        if weight is None or slant is None:
            wrong = weight_text if weight is None else properties.get("font-style")
            message = f"'{short(wrong or '')}' is neither a font weight nor a font style"
            raise TextError(
                "text/font", message, "write a weight such as 700 or bold, and normal or italic"
            )
        try:
            family, *others = self._there(listed, plain) or plain
            known = [self.fonts.named(name) for name in others]
            last = tuple(dict.fromkeys(named.family for named in known if named is not None))
            return self.fonts.face(self._generic(listed).get(family) or family, weight, slant, last)
        except FontError as error:
            finding = error.findings[0]
            if finding.code == "font/family":
                raise _no_family(family, self.fonts.families) from None
            lacks = finding.code == "font/face"
            fix = (
                f"{(finding.hint or '').removesuffix('FILE')}--missing-from FILE" if lacks else finding.hint
            )
            raise TextError("text/font", finding.message, fix, once=lacks) from None

    def passed_over(self, properties: Properties) -> tuple[str, str] | None:
        """Return the first family of a list if it doesn't exist, and the one used instead."""
        families = properties.get("font-family", "")
        if "," not in families:
            return None
        listed, plain = _listed(families)
        there = self._there(listed, plain)
        if not there or there[0] == plain[0]:
            return None
        return plain[0], self._generic(listed).get(there[0]) or there[0]

    def _generic(self, listed: Sequence[str]) -> dict[str, str | None]:
        return {name: self.fonts.generic.get(name) for name in listed if name in _GENERIC}

    def _there(self, listed: Sequence[str], plain: Sequence[str]) -> list[str]:
        """Return the existing families of a list."""
        generic = self._generic(listed)
        return [name for name in plain if generic.get(name) or self.fonts.named(name) is not None]


_ADD = "cardgen font add --missing-from FILE"


def _no_family(name: str, known: Iterable[str]) -> TextError:
    """Return the error about a missing family, whichever of its styles are requested."""
    base = without_style(name).family
    message = f"there is no font family '{short(base)}'"
    near = did_you_mean(base, known)
    hint = f"{near} If not, add its files: {_ADD}" if near else f"add its files: {_ADD}"
    return TextError("text/font", message, hint, once=True)


def _listed(families: str) -> tuple[list[str], list[str]]:
    """Return the names of a list as written, and without quotes."""
    listed = [name.strip() for name in families.split(",")[:_MOST_FAMILIES]]
    return listed, [name.strip("\"'").strip() for name in listed]


def _baseline_shift(value: str | None, size: float) -> float:
    if value is None or value in ("baseline", "0"):
        return 0.0
    if value in ("super", "sub"):
        return _SUPERSCRIPT if value == "super" else _SUBSCRIPT
    return length(value, "baseline-shift", size, size) / size


def unset(properties: Mapping[str, str]) -> tuple[str, str, str | None] | None:
    """Return the problem of an unsupported property (code, message, hint), if there is one."""
    try:
        features(properties)
    except TextError as error:
        return error.problem.code, error.problem.message, error.problem.hint
    for name, message in _UNSET.items():
        value = properties.get(name)
        if value is not None and value.strip() in _SET.get(name, ()):
            continue
        if value is not None and value.strip() not in ("none", "normal", "0", "0px", "auto"):
            return ("text/unset", message, _UNSET_HINTS.get(name))
    return None


def variants(properties: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the words of the `font-variant-…` properties, by property. `font-variant` may contain words of
    all of them. Raises TextError for unknown words, and for words that exclude each other."""
    found: dict[str, list[str]] = {}
    for word in _words(properties, "font-variant"):
        home = next((name for name, words in _VARIANTS.items() if word in words), None)
        if home is None:
            hint = "write words of font-variant-caps, font-variant-numeric and the like, or normal"
            raise TextError("text/unset", f"font-variant can't be '{short(word)}'", hint)
        found.setdefault(home, []).append(word)
    for name, words in _VARIANTS.items():
        if name in properties:
            found[name] = list(_words(properties, name))
            for word in found[name]:
                choice(word, words, "text/unset", name, f"write normal, {', '.join(words)}")
    for rivals in _RIVALS:
        both = [word for words in found.values() for word in words if word in rivals]
        if len(both) > 1:
            raise TextError("text/unset", f"{both[0]} and {both[1]} exclude each other", "remove one")
    return found


def _words(properties: Mapping[str, str], name: str) -> Iterator[str]:
    return (word for word in properties.get(name, "").lower().split() if word != "normal")


def features(properties: Mapping[str, str]) -> dict[str, tuple[int, str]]:
    """Return the OpenType features that properties set: the value of each, and the property's name. As in
    CSS, `font-feature-settings` overrides the others. Raises TextError."""
    if not _VARIES.intersection(properties):
        return {}
    found: dict[str, tuple[int, str]] = {}
    if properties.get("font-kerning") == "none":
        found["kern"] = (0, "font-kerning")
    for name, words in variants(properties).items():
        for tag in " ".join(_VARIANTS[name][word] for word in words).split():
            found[tag.removeprefix("-")] = (int(tag[0] != "-"), name)
    said = properties.get("font-feature-settings", "normal").strip()
    settings = [] if said == "normal" else said.split(",")
    for setting in settings:
        match = _SETTING.fullmatch(setting)
        if match is None or len(settings) > _MOST_SETTINGS:
            hint = """write tags and values, such as 'ss01', 'zero' 1, 'liga' off"""
            raise TextError("text/unset", f"font-feature-settings can't be '{short(said)}'", hint)
        value = {"on": 1, "off": 0}.get(match[3] or "on")
        found[match[1] or match[2]] = (int(match[3]) if value is None else value, "font-feature-settings")
    return found


_VARIES = frozenset(("font-kerning", "font-variant", "font-feature-settings", *_VARIANTS))
"""Properties that vary the letters of a font."""


def points(size: float) -> str:
    """Return a size in mm as points for a message."""
    return f"{size / MM_PER_PT:.2f}".rstrip("0").rstrip(".") + " pt"


Lines = tuple[tuple[str, Color | None], ...]
"""The lines along a text by name, each with its color; None for the letters' color."""

_NAMES = ("underline", "line-through")
_SHORT = ("text-decoration", "text-decoration-line")
_WORDS = re.compile(r"[^\s()]+(?:\([^()]*\))?")
_USUAL = frozenset(("solid", "auto", "from-font"))
_LOOK = ("text-decoration-style", "text-decoration-thickness", "text-underline-offset")


def decorated(lines: Lines, own: Mapping[str, str], fill: RGBA | str | None) -> Lines:
    """Return the lines along an element's content: those of the text around it, and those set by its `own`
    properties, in the color of its own `fill` unless it names one. Raises TextError."""
    said = " ".join(own[name] for name in _SHORT if name in own)
    if not said or said in ("none", "inherit"):
        return lines
    color = fill[:3] if isinstance(fill, tuple) else None
    words = _WORDS.findall(said)
    named = own.get("text-decoration-color")
    for word in (*words, *(() if named is None else (named,))):
        if (found := parse_color(word)) is not None:
            color = found[:3]
    asked = {word for word in words if word in _NAMES}
    odd = [word for word in words if not (word in _NAMES or word in _USUAL or word == "none")]
    odd = [word for word in odd if word.lower() != "currentcolor" and parse_color(word) is None]
    if asked:
        odd += [own[name] for name in _LOOK if own.get(name, "auto") not in _USUAL]
    if odd:
        hint = f"write none, {' or '.join(_NAMES)}"
        raise TextError("text/unset", f"'{short(odd[0])}' is not a supported text-decoration", hint)
    return (*lines, *((name, color) for name in _NAMES if name in asked and (name, color) not in lines))


class TextError(Exception):
    """A text that can't be set. Carries the problem."""

    def __init__(
        self,
        code: str,
        message: str,
        hint: str | None = None,
        *,
        of_card: bool = False,
        once: bool = False,
    ) -> None:
        super().__init__(message)
        self.problem = Problem(code, message, hint, of_card=of_card, once=once)


_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_MOST_FACES = 200
"""Most faces of a drawing that are reported."""


def asked_faces(data: bytes, name: str) -> list[tuple[str, int, bool]]:
    """Return the families that texts name first, as written, with weights and True for italic ones.

    Values computed by a template are unknown. Raises CardgenError for a drawing that can't be read.
    """
    # Line ends stay, for findings.
    text = _CODE.sub(lambda found: "\n" * found[0].count("\n"), data.decode("utf-8", "replace"))
    source = text.encode()
    try:
        root = normalised(parse(source)).document.root
    except SvgError as error:
        line = source.count(b"\n", 0, error.problem.offset) + 1
        raise CardgenError(error.problem.at(Location(name, line))) from None
    sheet = StyleSheet(node for node in root.iter() if node.name == "style")
    found: dict[tuple[str, int, bool], None] = {}
    stack = [(root, inherit({}, sheet.properties(root)), False)]
    while stack and len(found) < _MOST_FACES:
        node, style, in_text = stack.pop()
        in_text = in_text or node.name == "text"
        family = style.get("font-family", "").partition(",")[0].strip().strip("\"'").strip()
        if in_text and family:
            said = style.get("font-weight", "normal")
            weight = WEIGHTS.get(said) or whole_number(said) or WEIGHTS["normal"]
            found[family, min(weight, 1000), bool(SLANTS.get(style.get("font-style", "normal")))] = None
        stack += (
            (child, inherit(style, sheet.properties(child)), in_text)
            for child in reversed(list(node.elements()))
        )
    return list(found)
