"""ICC profiles of presses: the one that comes with cardgen, and files of the user's."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import ImageCms

from cardgen.findings import UsageError
from cardgen.foreign import Parsing
from cardgen.storage.reading import COLOR_PROFILE, ReadingError, read_bundled, read_file

SHIPPED = {"coated": "coated.icc"}
"""Profiles that come with cardgen, by name. What they are stands beside them."""
CONDITIONS = {"coated": "FOGRA39"}
"""What ICC's registry calls the printing conditions of those."""
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
        """The profile for conversions."""
        return ImageCms.ImageCmsProfile(BytesIO(self.content))


def load_profile(name: str, file: Path | None = None, roots: Sequence[Path] | None = None) -> Profile:
    """The profile that cardgen has under a name, or that of a file: the user's of that name, or `file`,
    which must lie in one of `roots`. Raises UsageError for one that is not there, or that is not of a press
    with four inks."""
    if name not in SHIPPED and not name.lower().endswith((".icc", ".icm")):
        raise UsageError(
            f"there is no colour profile '{name}'",
            f"there are: {', '.join(sorted(SHIPPED))}; or name a file: --profile shop.icc",
        )
    try:
        if name in SHIPPED:
            content = read_bundled("press", SHIPPED[name])
        else:
            content = read_file(file or Path(name), COLOR_PROFILE, name, roots)
    except ReadingError as error:
        raise UsageError(f"the colour profile '{name}' {error.reason}", error.hint) from error
    trouble = UsageError(f"'{name}' can't be read as a colour profile", "ask the shop for its ICC file")
    with Parsing(lambda _: trouble, UsageError):
        if content[36:40] != b"acsp":
            raise trouble
        if not _is_whole(content):
            what = "is damaged, or was not copied whole"
            raise UsageError(f"the colour profile '{name}' {what}", "ask the shop for its ICC file")
        kind, title = _facts(content)
    if kind != ("CMYK", "prtr"):
        raise UsageError(
            f"the colour profile '{name}' is of {kind[0]} ({kind[1]}), not of a press with four inks",
            "ask the shop for the ICC profile of its press, CMYK, an output profile",
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
    """The colours and the kind of device that a profile is for, and its title. That of a press is tried:
    raises what Pillow does for one that nothing can be converted by."""
    opened = ImageCms.ImageCmsProfile(BytesIO(content))
    kind = (opened.profile.xcolor_space.strip(), opened.profile.device_class.strip())
    title = ImageCms.getProfileDescription(opened).strip()
    if kind == ("CMYK", "prtr"):
        transforms(opened)
    return kind, title


def transforms(press: ImageCms.ImageCmsProfile) -> tuple[ImageCms.ImageCmsTransform, ...]:
    """From sRGB to inks, from inks to sRGB and from inks to Lab (8 bit each): relative colorimetric, with
    the black points matched, so that grays stay gray and dark pictures keep their shadows."""
    screen, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
    intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
    matched = ImageCms.Flags.BLACKPOINTCOMPENSATION
    return (
        ImageCms.buildTransform(screen, press, "RGB", "CMYK", intent, matched),
        ImageCms.buildTransform(press, screen, "CMYK", "RGB", intent, matched),
        ImageCms.buildTransform(press, lab, "CMYK", "LAB", intent),
    )


def as_it_is(press: ImageCms.ImageCmsProfile) -> ImageCms.ImageCmsTransform:
    """From inks to sRGB (8 bit each), absolute colorimetric: with the white of the paper and the black of
    the ink."""
    screen = ImageCms.createProfile("sRGB")
    return ImageCms.buildTransform(press, screen, "CMYK", "RGB", ImageCms.Intent.ABSOLUTE_COLORIMETRIC)
