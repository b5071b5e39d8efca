"""The inks of a press: its ICC profile, and the inks for a color or a side."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageCms, ImageFilter

from cardgen.core.findings import Parsing, UsageError
from cardgen.core.records import dataclass
from cardgen.files.reading import COLOR_PROFILE, ReadingError, read_bundled, read_file
from cardgen.pdf.color_vision import Floats, difference

NODES = 33
RICH_BLACK = (0.6, 0.4, 0.4, 1.0)
"""Shares of cyan, magenta, yellow and black for what is black on a ground."""

_HUE_BEFORE_LIGHTNESS = np.array([0.6, 1.0, 1.0])
_NEAR = 60.0
"""The weight of inks against looks, in ΔE² for all of an ink: keeps neighbors alike where several inks
look the same."""
_ROUNDS = 8
_STEP = 20 / 255
"""The step by which inks are varied to measure their effect: Lab comes in 8 bits."""
_ROUNDING = 0.012
"""The ink that rounding to 8 bits may add, and once more for interpolation."""
_GRAY = 7.0
"""Chroma (in ΔE) under which a color counts as gray."""
_NEARLY_BLACK = 33.0
"""The distance (ΔE 1976) from black within which a letter is black: #17143f is, #400000 is not."""
_SOLID = 20.0
"""L* under which letters are of solid black ink, which has sharper edges than a screen of 95 %."""

Ink = tuple[float, float, float, float]
SOLID_BLACK: Ink = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class InkRules:
    """The ink limits of a press: at most `limit` (3.0 is 300 %) of all four together, and `rich_black`."""

    limit: float = 3.0
    rich_black: Ink = RICH_BLACK


class Inks:
    """Colors of the screen (sRGB, shares of 1) as inks (cyan, magenta, yellow, black, shares of 1)."""

    def __init__(self, profile: Profile, rules: InkRules) -> None:
        self.rules = rules
        self._profile = profile
        self._to_inks, self._to_screen, self._to_lab = transforms(profile.opened())
        table = self._table()
        self._filter = ImageFilter.Color3DLUT(
            NODES, table.reshape(-1).tolist(), channels=4, target_mode="CMYK"
        )
        self._known: dict[tuple[int, int, int], Ink] = {}
        self._fine: dict[tuple[int, int, int], Ink] = {}
        ramp = np.zeros((256, 4))
        ramp[:, 3] = np.arange(256) / 255
        self._blacks = _luminance(self._lab(ramp)[:, 0])

    def image(self, image: Image.Image) -> Image.Image:
        """Return a picture in RGB in inks."""
        return image.filter(self._filter)

    def on_screen(self, image: Image.Image, *, paper: bool = False) -> Image.Image:
        """Return how a picture in inks looks, in sRGB: paper white, black as dark as the screen's; or,
        on its `paper`, as it is, paper not quite white and black not quite black."""
        to_screen = as_it_is(self._profile.opened()) if paper else self._to_screen
        shown = ImageCms.applyTransform(image, to_screen)
        assert shown is not None
        return shown

    def area(self, color: Sequence[float]) -> Ink:
        """Return the inks of a ground, as in a picture."""
        return self.areas([color])[0]

    def areas(self, colors: Sequence[Sequence[float]]) -> list[Ink]:
        """Return the inks of many grounds, at once."""
        keys = [_bytes(color) for color in colors]
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if new:
            row = self.image(Image.fromarray(np.array([new], np.uint8), "RGB"))
            for key, inked in zip(new, np.asarray(row)[0].tolist()):
                c, m, y, k = (value / 255 for value in inked)
                self._known[key] = (c, m, y, k)
        return [self._known[key] for key in keys]

    def fine(self, color: Sequence[float]) -> Ink:
        """Return the inks of text and lines: what is gray or nearly black is of black ink alone, since
        four inks never lie exactly on one another."""
        key = _bytes(color)
        if key not in self._fine:
            self._fine[key] = self._of_black(key) or self.area(color)
        return self._fine[key]

    def wanted(self, image: Image.Image) -> Floats:
        """Return the total ink the profile asks for at each pixel of an RGB picture, before the limit:
        3.0 is 300 %."""
        inked = np.asarray(ImageCms.applyTransform(image, self._to_inks), np.float64)
        found: Floats = inked.reshape(-1, 4).sum(axis=1) / 255
        return found

    def limited(self, pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return pixels in inks, 0 to 255, with those over the limit brought to it."""
        flat = pixels.reshape(-1, 4)
        over = np.flatnonzero(flat.sum(axis=1, dtype=np.uint16) > self.rules.limit * 255)
        if len(over):
            flat = flat.copy()
            flat[over] = np.floor(_cut(flat[over] / 255, self.rules.limit) * 255)
        return flat.reshape(pixels.shape)

    def missed(self, colors: Sequence[tuple[int, int, int]]) -> list[float]:
        """Return how far colors (0 to 255) are from the press's, as backgrounds, in ΔE2000."""
        if not colors:
            return []
        asked = Image.fromarray(np.array([colors], np.uint8), "RGB")
        got = self.on_screen(self.image(asked))
        return [float(value) for value in difference(lab_of(asked), lab_of(got))]

    def _of_black(self, key: tuple[int, int, int]) -> Ink | None:
        if min(key) == 255:
            return (0.0, 0.0, 0.0, 0.0)
        lightness, a, b = lab_of(Image.new("RGB", (1, 1), key))[0]
        chroma = np.hypot(a, b)
        if chroma >= _GRAY and np.hypot(lightness, chroma) >= _NEARLY_BLACK:
            return None
        if lightness < _SOLID:
            return SOLID_BLACK
        darkest = self._blacks[-1]
        wanted = darkest + _luminance(lightness) * (1 - darkest)
        return (0.0, 0.0, 0.0, float(np.argmin(np.abs(self._blacks - wanted))) / 255)

    # ------------------------------------------------------------ the table

    def _table(self) -> Floats:
        """Return the inks of each node, red the fastest."""
        steps = np.rint(np.arange(NODES) * 255 / (NODES - 1)).astype(np.uint8)
        blue, green, red = np.meshgrid(steps, steps, steps, indexing="ij")
        nodes = np.stack([red, green, blue], axis=-1).reshape(NODES * NODES, NODES, 3)
        inked = ImageCms.applyTransform(Image.fromarray(nodes, "RGB"), self._to_inks)
        table = np.asarray(inked, np.float64).reshape(-1, 4) / 255
        table[-1] = 0.0  # white is paper
        limit = self.rules.limit - _ROUNDING
        over = np.flatnonzero(table.sum(axis=1) > limit)
        if len(over):
            table[over] = self._within(table[over], limit)
        black = np.array(self.rules.rich_black)
        table[0] = black if black.sum() <= limit else _cut(black[None], limit)[0]
        return table

    def _within(self, inks: Floats, limit: float) -> Floats:
        """Return inks within a limit that look most like these, all at once: Gauss and Newton's method
        on the difference in Lab, with the sum of inks held."""
        target = self._lab(inks)
        # black first: what is over is taken from the colors and half of it given to black
        start = inks.copy()
        start[:, 3] = np.minimum(1.0, start[:, 3] + 0.5 * (start.sum(axis=1) - limit))
        found = _cut(start, limit)
        for _ in range(_ROUNDS):
            around = self._lab(found)
            slopes = np.empty((len(found), 3, 4))
            for ink in range(4):
                sign = np.where(found[:, ink] > 0.5, -1.0, 1.0)
                moved = found.copy()
                moved[:, ink] += sign * _STEP
                slopes[:, :, ink] = (self._lab(moved) - around) * (sign / _STEP)[:, None]
            weighted = slopes * _HUE_BEFORE_LIGHTNESS[None, :, None]
            missing = (target - around) * _HUE_BEFORE_LIGHTNESS
            system = np.zeros((len(found), 5, 5))
            system[:, :4, :4] = weighted.transpose(0, 2, 1) @ weighted + _NEAR * np.eye(4)
            system[:, :4, 4] = system[:, 4, :4] = 1.0
            right = np.zeros((len(found), 5, 1))
            right[:, :4, 0] = (weighted.transpose(0, 2, 1) @ missing[:, :, None])[:, :, 0]
            right[:, :4, 0] += _NEAR * (start - found)
            right[:, 4, 0] = limit - found.sum(axis=1)
            by = np.linalg.solve(system, right)[:, :4, 0]
            found = _cut(found + np.clip(by, -0.15, 0.15), limit)
        return found

    def _lab(self, inks: Floats) -> Floats:
        """Return the look of inks, as Lab (0 to 100, -128 to 127)."""
        packed = np.rint(np.clip(inks, 0, 1) * 255).astype(np.uint8)[None]
        return _unpacked(ImageCms.applyTransform(Image.fromarray(packed, "CMYK"), self._to_lab))


def _cut(inks: Floats, limit: float) -> Floats:
    """Return inks from 0 to 1 whose sum is within the limit: what is over is taken from the colors."""
    inks = np.clip(inks, 0, 1)
    colors = inks[:, :3].sum(axis=1)
    allowed = np.maximum(limit - inks[:, 3], 0.0)
    share = np.where(colors > allowed, allowed / np.maximum(colors, 1e-9), 1.0)
    inks[:, :3] *= share[:, None]
    return inks


def _luminance(lightness: Any) -> Any:
    """Return the share of light that L* (0 to 100, one or many) stands for."""
    return np.where(lightness > 8, ((lightness + 16) / 116) ** 3, lightness / 903.3)


def _bytes(color: Sequence[float]) -> tuple[int, int, int]:
    r, g, b = (min(max(round(channel * 255), 0), 255) for channel in color)
    return r, g, b


def lab_of(image: Image.Image) -> Floats:
    """Return the pixels of a picture in sRGB, one after the other, in Lab (0 to 100, -128 to 127)."""
    return _unpacked(ImageCms.applyTransform(image, _screen_to_lab()))


@lru_cache(maxsize=4)
def inks_of(profile: Profile, rules: InkRules) -> Inks:
    """Return the inks of a press: made once a process, as their table takes a quarter of a second."""
    return Inks(profile, rules)


@cache
def _screen_to_lab() -> ImageCms.ImageCmsTransform:
    return ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB"
    )


def _unpacked(image: Image.Image | None) -> Floats:
    """Return the pixels of a picture in Lab, which Pillow holds as unsigned and signed bytes."""
    assert image is not None
    raw = np.asarray(image).reshape(-1, 3)
    lab = np.empty(raw.shape)
    lab[:, 0] = raw[:, 0] / 2.55
    lab[:, 1:] = raw[:, 1:].astype(np.int8)
    return lab


SHIPPED = {"coated": "coated.icc"}
"""Profiles that come with cardgen, by name. What they are stands beside them."""
CONDITIONS = {"coated": "FOGRA39"}
"""The names of their printing conditions in ICC's registry."""
_HEAD, _TAG = 128, 12
"""Bytes of a profile's head and of an entry in its table of tags."""
REGISTRY = "http://www.color.org"


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile of a press. `name` is what the user called it, `title` what it calls itself; `condition` a
    name of ICC's registry, None where it is not known to have one."""

    name: str
    title: str
    condition: str | None
    content: bytes

    def opened(self) -> ImageCms.ImageCmsProfile:
        """Return the profile for conversions."""
        return ImageCms.ImageCmsProfile(BytesIO(self.content))


def load_profile(name: str, file: Path | None = None, roots: Sequence[Path] | None = None) -> Profile:
    """Return the profile that cardgen has under a name, or that of a file: the user's of that name, or
    `file`, which must lie in one of `roots`. Raises UsageError for one that is not there, or that is not
    of a press with four inks."""
    if name not in SHIPPED and not name.lower().endswith((".icc", ".icm")):
        raise UsageError(
            f"there is no color profile '{name}'",
            f"use one of: {', '.join(sorted(SHIPPED))}; or name a file: --profile shop.icc",
        )
    try:
        if name in SHIPPED:
            content = read_bundled("pdf", SHIPPED[name])
        else:
            content = read_file(file or Path(name), COLOR_PROFILE, name, roots)
    except ReadingError as error:
        hint = error.hint or f"name a file that exists, or use {' or '.join(sorted(SHIPPED))}"
        raise UsageError(f"the color profile '{name}' {error.reason}", hint) from error
    trouble = UsageError(
        f"'{name}' can't be read as a color profile", "ask the print shop for its ICC file"
    )
    with Parsing(lambda _: trouble, UsageError):
        if content[36:40] != b"acsp":
            raise trouble
        if not _is_whole(content):
            what = "is damaged or incomplete"
            raise UsageError(f"the color profile '{name}' {what}", "ask the print shop for its ICC file")
        kind, title = _facts(content)
    if kind != ("CMYK", "prtr"):
        raise UsageError(
            f"the color profile '{name}' is of {kind[0]} ({kind[1]}), not of a press with four inks",
            "ask the print shop for the CMYK output profile (ICC) of its press",
        )
    return Profile(name, title or name, CONDITIONS.get(name), content)


def _is_whole(content: bytes) -> bool:
    """Say if a profile has as many bytes as its head states, with up to three that fill it up, and if all
    of its tags lie in these (ICC.1:2022, 7.2 and 7.3). Programs skip a tag that doesn't."""
    size, count = (int.from_bytes(content[at : at + 4]) for at in (0, _HEAD))
    start = _HEAD + 4 + count * _TAG
    if not 0 <= len(content) - size <= 3 or start > size:
        return False
    tags = struct.iter_unpack(">4xII", content[_HEAD + 4 : start])
    return all(start <= offset and offset + length <= size for offset, length in tags)


@lru_cache(maxsize=4)
def _facts(content: bytes) -> tuple[tuple[str, str], str]:
    """Return the colors and the kind of device that a profile is for, and its title. That of a press is
    tried: raises what Pillow does for one that nothing can be converted by."""
    opened = ImageCms.ImageCmsProfile(BytesIO(content))
    kind = (opened.profile.xcolor_space.strip(), opened.profile.device_class.strip())
    title = ImageCms.getProfileDescription(opened).strip()
    if kind == ("CMYK", "prtr"):
        transforms(opened)
    return kind, title


def transforms(press: ImageCms.ImageCmsProfile) -> tuple[ImageCms.ImageCmsTransform, ...]:
    """Return the transform from sRGB to inks, from inks to sRGB and from inks to Lab (8 bit each):
    relative colorimetric, with the black points matched, so that grays stay gray and dark pictures keep
    their shadows."""
    screen, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
    intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
    matched = ImageCms.Flags.BLACKPOINTCOMPENSATION
    return (
        ImageCms.buildTransform(screen, press, "RGB", "CMYK", intent, matched),
        ImageCms.buildTransform(press, screen, "CMYK", "RGB", intent, matched),
        ImageCms.buildTransform(press, lab, "CMYK", "LAB", intent),
    )


def as_it_is(press: ImageCms.ImageCmsProfile) -> ImageCms.ImageCmsTransform:
    """Return the transform from inks to sRGB (8 bit each), absolute colorimetric: with the white of the
    paper and the black of the ink."""
    screen = ImageCms.createProfile("sRGB")
    return ImageCms.buildTransform(press, screen, "CMYK", "RGB", ImageCms.Intent.ABSOLUTE_COLORIMETRIC)


FAR = 10.0
"""ΔE2000 from which what is printed counts as another color."""
LEAST_AREA = 20.0
"""mm² that a color must have on a side to be worth a word: a square of 4.5 mm."""
_ALIKE = 12.0
"""ΔE (1976) within which colors, such as those of a gradient, are told as one."""
_PIXELS = 1_000_000
"""Most pixels that are looked at."""
_MOST = 12
"""Most colors of one kind that are told of a side."""

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Missed:
    """A color that the press can't mix, what it makes of it (sRGB, 0 to 255), how far these are apart in
    ΔE2000, and how much there is, with colors alike, in mm²."""

    asked: Rgb
    printed: Rgb
    apart: float
    area: float


@dataclass(frozen=True, slots=True)
class Heavy:
    """A color that would take `ink` (3.0 is 300 %) by the profile, more than the press's limit, and how
    much there is, with colors alike, in mm²."""

    asked: Rgb
    ink: float
    area: float


def judged(
    image: Image.Image, unit: float, inks: Inks, texts: Iterable[tuple[Rgb, float]] = ()
) -> tuple[list[Missed], list[Heavy]]:
    """Return the colors of a picture (RGB or RGBX) that the press can't mix, and those that are too
    heavy, the largest first. A pixel is `unit` mm²; `texts` are colors beside it with their mm²."""
    colors, areas = _colors(image, unit, texts)
    row = Image.fromarray(colors[None], "RGB")
    printed = inks.on_screen(inks.image(row))
    lab = lab_of(row)
    apart = difference(lab, lab_of(printed))
    shown = np.asarray(printed)[0]
    missed = [
        Missed(_rgb(colors[first]), _rgb(shown[first]), float(apart[first]), area)
        for first, area in _groups(lab, areas, apart >= FAR)
    ]
    ink = inks.wanted(row)
    too_much = (ink > inks.rules.limit + 0.01) & (colors.max(axis=1) > 0)  # black is what was asked for
    heavy = [
        Heavy(_rgb(colors[first]), float(ink[first]), area) for first, area in _groups(lab, areas, too_much)
    ]
    return missed, heavy


def most_ink(image: Image.Image, inks: Inks) -> float:
    """Return the most ink at a pixel of a picture (RGB or RGBX) as it is printed: 3.0 is 300 %."""
    step = math.ceil(math.sqrt(image.width * image.height / _PIXELS))
    pixels = np.ascontiguousarray(np.asarray(image)[::step, ::step, :3])
    inked = np.asarray(inks.image(Image.fromarray(pixels, "RGB")), np.uint16)
    return float(inked.sum(axis=2).max()) / 255


def _colors(
    image: Image.Image, unit: float, texts: Iterable[tuple[Rgb, float]]
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], Floats]:
    """Return the distinct colors and their mm²: those within eight steps of a channel as their mean."""
    step = math.ceil(math.sqrt(image.width * image.height / _PIXELS))  # of large boards some do
    pixels = np.asarray(image)[::step, ::step, :3].reshape(-1, 3)
    weights = np.full(len(pixels), unit * step**2)
    beside = list(texts)
    if beside:
        pixels = np.concatenate([pixels, np.array([color for color, _ in beside], np.uint8)])
        weights = np.concatenate([weights, np.array([area for _, area in beside])])
    coarse = pixels.astype(np.int32) >> 3
    bins = coarse[:, 0] << 10 | coarse[:, 1] << 5 | coarse[:, 2]
    areas: Floats = np.bincount(bins, weights, 1 << 15).astype(np.float64)
    used = np.flatnonzero(areas)
    sums = [np.bincount(bins, weights * pixels[:, channel], 1 << 15)[used] for channel in range(3)]
    return np.rint(np.stack(sums, axis=1) / areas[used, None]).astype(np.uint8), areas[used]


def _groups(
    lab: Floats, areas: Floats, wanted: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
) -> Iterator[tuple[int, float]]:
    """Yield groups of the wanted colors, each by its number, with the mm² of all."""
    left = np.flatnonzero(wanted)
    for _ in range(_MOST):
        if not len(left):
            return
        first = left[np.argmax(areas[left])]
        near = np.linalg.norm(lab[left] - lab[first], axis=1) < _ALIKE
        area = float(areas[left[near]].sum())
        if area >= LEAST_AREA:
            yield int(first), round(area, 1)
        left = left[~near]


def _rgb(color: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Rgb:
    r, g, b = (int(channel) for channel in color)
    return r, g, b
