"""Printer profiles: how far a printer's backs are off and how near to the paper's edges it prints, measured
once and remembered.

A profile is a TOML file `printers/NAME.toml` in the user's config folder ($CARDGEN_CONFIG, else what
the system says). `correction_from` turns what was read off the calibration page into a correction.
"""

from __future__ import annotations

import math
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cardgen.findings import CardgenError, Finding, Location, Severity, UsageError
from cardgen.geometry import Matrix
from cardgen.model.sheets import BackCorrection, PrinterProfile
from cardgen.storage.files import write_bytes
from cardgen.storage.folders import config_folder
from cardgen.storage.reading import PROFILE, ReadingError, read_file
from cardgen.storage.walking import names_in

_NAME = re.compile(r"[^\W_][\w .-]*")  # letters and digits of any script

MOST_SHIFT = 15.0
"""mm. No printer is off by more; a larger reading is a slip."""

MOST_SCALING = 0.05
"""Likewise, five in a hundred."""

MOST_ROTATION = 2.0
"""Likewise, degrees."""

MOST_APART = 0.5
"""Degrees by which what two pairs of targets say of the rotation may differ: a slip of 1 mm."""

MOST_MARGIN = 25.0
"""mm at the paper's edges. Printers leave 3 to 6, at one edge up to 17."""

Point = tuple[float, float]


def correction_from(
    targets: Sequence[Point], readings: Sequence[Point], centre: Point, rotation: float | None = None
) -> BackCorrection:
    """The correction that puts backs behind their faces.

    `targets` are two or three points of the face page, the first two not on one level or upright line, the
    third level with the first and above or below the second. The `readings` are how far to the right of
    them and below them, seen from the face, the printer put the marks that belonged behind them; `centre`
    is the page's; all in mm. From the page's centre, the printer turns what it prints by `rotation` degrees
    clockwise, scales it and shifts it; None: what three targets say, or not at all. Raises UsageError for
    readings that no printer produces.
    """
    for reading in readings:
        for name, off in zip("xy", reading):
            if not abs(off) <= MOST_SHIFT:
                raise UsageError(
                    f"a reading of {off:g} mm in {name} is more than any printer is off",
                    f"read again; the scales run from -{MOST_SHIFT:g} to {MOST_SHIFT:g} mm at most",
                    "printer/reading",
                )
    put = [(x + right, y + down) for (x, y), (right, down) in zip(targets, readings)]
    if rotation is None:
        rotation = _rotation(targets, put) if len(targets) > 2 else 0.0
    back = _turn(-rotation)
    first, second = (back.apply(*point) for point in put[:2])
    scales = []
    for axis, name in enumerate("xy"):
        scale = (second[axis] - first[axis]) / (targets[1][axis] - targets[0][axis])
        if abs(scale - 1) > MOST_SCALING:
            one, other = readings[0][axis], readings[1][axis]
            raise UsageError(
                f"the readings in {name}, {one:g} and {other:g} mm, would mean that the back is "
                f"printed at {scale:.0%} of the face's size",
                "read again and mind the signs: to the right and down count up",
                "printer/reading",
            )
        scales.append(scale)
    # What the printer does is q = turn(scale(p - centre)) + centre + shift, the readings give q for each p.
    turn, (sx, sy) = _turn(rotation), scales
    shifts = []
    for (x, y), (right, down) in zip(targets, put):
        without = turn.apply(sx * (x - centre[0]), sy * (y - centre[1]))
        shifts.append((right - centre[0] - without[0], down - centre[1] - without[1]))
    dx, dy = back.apply(*(sum(values) / len(shifts) for values in zip(*shifts)))
    return BackCorrection(
        round(-dx / sx, 4), round(-dy / sy, 4), round(1 / sx, 6), round(1 / sy, 6), 0.0 - rotation
    )


def _rotation(targets: Sequence[Point], put: Sequence[Point]) -> float:
    """By how many degrees clockwise three targets were printed turned."""
    (x1, y1), (x2, y2), (x3, y3) = put
    aside = math.copysign(1, targets[2][0] - targets[0][0])
    below = math.copysign(1, targets[1][1] - targets[2][1])
    level = math.degrees(math.atan2(aside * (y3 - y1), aside * (x3 - x1)))
    upright = math.degrees(math.atan2(-below * (x2 - x3), below * (y2 - y3)))
    if abs(level - upright) > MOST_APART:
        raise UsageError(
            f"the readings would mean that level lines are turned by {level:.2f} degrees and upright "
            f"ones by {upright:.2f}",
            "read again and mind the order: x and y of target 1, of target 2, of target 3",
            "printer/reading",
        )
    return checked_rotation(round((level + upright) / 2, 4))


def checked_rotation(degrees: float) -> float:
    """The rotation of a printer's backs. Raises UsageError for one that no printer has."""
    if not abs(degrees) <= MOST_ROTATION:
        raise UsageError(
            f"backs turned by {degrees:g} degrees are more than any printer is off",
            f"read again; {MOST_ROTATION:g} degrees are the most",
            "printer/reading",
        )
    return degrees


def checked_margin(margin: float) -> float:
    """What a printer leaves white. Raises UsageError for what no printer has."""
    if not 0 <= margin <= MOST_MARGIN:
        raise UsageError(
            f"a margin of {margin:g} mm is not what a printer leaves white",
            f"read again; from 0 to {MOST_MARGIN:g} mm are possible",
            "printer/reading",
        )
    return margin


def _turn(degrees: float) -> Matrix:
    """About 0, 0, clockwise with y down."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Matrix(cosine, sine, -sine, cosine)


def profile_path(name: str) -> Path:
    """Where the profile of that name is kept. Raises UsageError for a name that can't be a file's, and
    for a user without a home."""
    name = unicodedata.normalize("NFC", name)
    if not _NAME.fullmatch(name) or name.endswith("."):
        raise UsageError(
            f"'{name}' cannot name a printer profile", "use letters, digits, spaces, '.', '_' and '-'"
        )
    folder = config_folder()
    if folder is None:
        raise UsageError(
            "there is no home folder to keep printer profiles in", "name a folder: CARDGEN_CONFIG=FOLDER"
        )
    return folder / "printers" / f"{name}.toml"


def profile_names() -> list[str]:
    """The stored profiles, sorted."""
    base = config_folder()
    if base is None:
        return []
    folder = base / "printers"
    return [name.removesuffix(".toml") for name in names_in(folder, str(folder), None, ".toml")]


def load_profile(name: str) -> PrinterProfile:
    """The stored profile. Raises UsageError if there is none, CardgenError if its file is damaged."""
    path = profile_path(name)
    try:
        tables = tomllib.loads(read_file(path, PROFILE, path.as_posix(), None).decode("utf-8"))
        portrait, landscape = _correction(tables, "portrait"), _correction(tables, "landscape")
        margin = None if "margin" not in tables else float(tables["margin"])
        if margin is not None and not 0 <= margin <= MOST_MARGIN:
            raise ValueError(f"the margin is not between 0 and {MOST_MARGIN:g} mm")
    except ReadingError as error:
        if error.code != "file/missing":
            raise
        known = profile_names()
        raise UsageError(
            f"there is no printer profile '{name}'",
            f"known: {', '.join(known)}" if known else "make one with `cardgen calibrate`",
        ) from None
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        message = f"the printer profile cannot be read: {error}"
        hint = "measure the printer again with `cardgen calibrate`, or delete the file"
        place = Location(path.as_posix())
        raise CardgenError(Finding(Severity.ERROR, "printer/profile", message, place, hint)) from error
    return PrinterProfile(name, portrait, landscape, margin)


def _correction(tables: dict[str, Any], key: str) -> BackCorrection | None:
    """One table of a profile; ValueError or TypeError if it holds anything odd."""
    if key not in tables:
        return None
    correction = BackCorrection(**{field: float(value) for field, value in tables[key].items()})
    shifts, scales = (correction.dx, correction.dy), (correction.scale_x, correction.scale_y)
    if not all(abs(shift) <= 2 * MOST_SHIFT for shift in shifts):
        raise ValueError(f"a shift in [{key}] is beyond {2 * MOST_SHIFT:g} mm")
    if not all(abs(scale - 1) <= 2 * MOST_SCALING for scale in scales):
        raise ValueError(f"a scale in [{key}] is not near 1")
    if not abs(correction.rotation) <= MOST_ROTATION:
        raise ValueError(f"the rotation in [{key}] is beyond {MOST_ROTATION:g} degrees")
    return correction


def store_profile(profile: PrinterProfile) -> Path:
    """Write the profile whole and return where. Raises CardgenError if that fails."""
    lines = [
        "# How cardgen turns, scales and shifts backs for this printer, about the page centre, seen from",
        "# the face: rotation in degrees clockwise, dx to the right and dy down in mm. margin: mm at the",
        "# paper's edges that it leaves white.",
    ]
    if profile.margin is not None:
        lines += ["", f"margin = {profile.margin!r}"]
    for key, correction in (("portrait", profile.portrait), ("landscape", profile.landscape)):
        if correction is not None:
            lines += [
                "",
                f"[{key}]",
                *(f"{name} = {value!r}" for name, value in asdict(correction).items()),
            ]
    path = profile_path(profile.name)
    write_bytes(path, ("\n".join(lines) + "\n").encode("utf-8"))
    return path
