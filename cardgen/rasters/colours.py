"""Colours of pictures: a file's ICC profile, and its pixels in sRGB, which all that is printed is in.

Pictures are converted by their relative colours, black to black, as photo programs do by default. A
picture whose profile comes to sRGB anyway is left as it is.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from cardgen.foreign import Parsing

if TYPE_CHECKING:
    from PIL import Image, ImageCms

_SPACES = {"RGB": "RGB ", "GRAY": "L", "CMYK": "CMYK"}
_STEPS = range(0, 256, 51)
_SAME = 3
"""By how much of 255 a channel may differ and still be the same to the eye, and to the rounding of
profiles of sRGB made by different people."""
_MOST = 8_000_000
"""Bytes of a profile; those of printing presses have two million."""


class ProfileError(Exception):
    """A profile that can't be obeyed. The text goes on after "its colour profile"."""


def profile_of(file: Image.Image) -> bytes | None:
    """The ICC profile that a file has in it."""
    found = file.info.get("icc_profile")
    return found if isinstance(found, bytes) and found else None


def space_of(mode: str) -> str:
    """The colours in which a profile for pictures of this mode is: RGB, L or CMYK."""
    if mode == "CMYK":
        return mode
    return "L" if mode in ("1", "L", "LA") or mode.startswith("I") else "RGB"


@lru_cache(maxsize=64)
def transform(profile: bytes, space: str) -> ImageCms.ImageCmsTransform | None:
    """From pixels of this space to sRGB (grey stays grey); None if nothing would change. Raises
    ProfileError."""
    from PIL import ImageCms  # Pillow is loaded where there is a picture for it

    if len(profile) > _MOST:
        raise ProfileError(f"has more than {_MOST // 1_000_000} MB")
    target = "L" if space == "L" else "RGB"
    with Parsing(lambda _: ProfileError("can't be read"), ProfileError):
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        found = source.profile.xcolor_space.strip()
        if found != {"L": "GRAY"}.get(space, space):
            raise ProfileError(f"is for {found[:8]} colours, which it has not")
        made = ImageCms.buildTransform(
            source,
            ImageCms.createProfile("sRGB"),
            space,
            "RGB",
            ImageCms.Intent.RELATIVE_COLORIMETRIC,
            ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
    if space == "CMYK":
        return made
    sample = _sample(target)
    changed = made.apply(sample).convert(target)
    apart = max(abs(one - other) for one, other in zip(sample.tobytes(), changed.tobytes()))
    return made if apart > _SAME else None


def srgb_transform(file: Image.Image) -> ImageCms.ImageCmsTransform | None:
    """What brings a picture's pixels to sRGB; None where they are as good as that, or nothing says what
    they are. Raises ProfileError."""
    profile = profile_of(file)
    return transform(profile, space_of(file.mode)) if profile is not None else None


def _sample(space: str) -> Image.Image:
    """A picture of colours from all over, a pixel each."""
    from PIL import Image

    if space == "L":
        return Image.frombytes("L", (256, 1), bytes(range(256)))
    values = bytes(channel for r in _STEPS for g in _STEPS for b in _STEPS for channel in (r, g, b))
    return Image.frombytes("RGB", (len(values) // 3, 1), values)


def in_srgb(file: Image.Image, made: ImageCms.ImageCmsTransform) -> Image.Image:
    """A picture's pixels through a transform: L, RGB, or either with alpha. Its mode is a space's own,
    or brought there."""
    space = space_of(file.mode)
    if file.mode.startswith("I"):
        file = eight_bits(file)
    alpha = file.convert("RGBA").getchannel("A") if file.has_transparency_data else None
    colours = made.apply(file.convert(space))
    if space == "L":
        colours = colours.convert("L")
    if alpha is not None:
        colours = colours.convert("RGB")
        colours.putalpha(alpha)
    return colours


def eight_bits(file: Image.Image) -> Image.Image:
    """A grey picture of 16 bits in 8, and what is see-through in it."""
    made = file.convert("I").point(lambda value: value / 256).convert("L")
    key = file.info.get("transparency")
    if isinstance(key, int):
        made.info["transparency"] = key >> 8
    return made
