"""Printer profiles: how far a printer's backs are off, measured once and remembered.

A profile is a TOML file `printers/NAME.toml` in the user's config folder ($CARDGEN_CONFIG, else what
the system says). `profile_from` turns what was read off the calibration page into a correction.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cardgen.findings import CardgenError, Finding, Location, Severity, UsageError
from cardgen.model.sheets import BackCorrection, PrinterProfile
from cardgen.storage.files import write_bytes
from cardgen.storage.folders import config_folder
from cardgen.storage.reading import PROFILE, ReadingError, read_file
from cardgen.storage.walking import names_in

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]*")

MOST_SHIFT = 15.0
"""mm. No printer is off by more; a larger reading is a slip."""

MOST_SCALING = 0.05
"""Likewise, five in a hundred."""

Point = tuple[float, float]


def correction_from(
    first: Point, second: Point, first_reading: Point, second_reading: Point, centre: Point
) -> BackCorrection:
    """The correction that puts backs behind their faces.

    `first` and `second` are two points of the face page, not on one level or upright line, and the
    readings how far to the right of them and below them, seen from the face, the printer put the
    marks that belonged behind them. `centre` is the page's; all in mm. Raises UsageError for readings
    that no printer produces.
    """
    scale_x, dx = _axis(first[0], second[0], first_reading[0], second_reading[0], centre[0], "x")
    scale_y, dy = _axis(first[1], second[1], first_reading[1], second_reading[1], centre[1], "y")
    return BackCorrection(dx, dy, scale_x, scale_y)


def _axis(
    first: float, second: float, first_off: float, second_off: float, centre: float, name: str
) -> tuple[float, float]:
    """Scale and shift in one direction that undo what the printer does there.

    From the centre, the printer puts what belongs at p to s·p + t. Two readings give s and t. Drawing
    at p/s − t/s instead ends up at p.
    """
    for off in (first_off, second_off):
        if abs(off) > MOST_SHIFT:
            raise UsageError(
                f"a reading of {off:g} mm in {name} is more than any printer is off",
                f"read again; the scales run from -{MOST_SHIFT:g} mm to {MOST_SHIFT:g} mm at the very most",
                "printer/reading",
            )
    printer_scale = 1 + (second_off - first_off) / (second - first)
    if abs(printer_scale - 1) > MOST_SCALING:
        raise UsageError(
            f"the readings in {name}, {first_off:g} and {second_off:g} mm, would mean that the back is "
            f"printed at {printer_scale:.0%} of the face's size",
            "read again and mind the signs: to the right and down count up",
            "printer/reading",
        )
    shift = first_off - (printer_scale - 1) * (first - centre)
    return round(1 / printer_scale, 6), round(-shift / printer_scale, 4)


def profile_path(name: str) -> Path:
    """Where the profile of that name is kept. Raises UsageError for a name that can't be a file's, and
    for a user without a home."""
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
    return PrinterProfile(name, portrait, landscape)


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
    return correction


def store_profile(profile: PrinterProfile) -> Path:
    """Write the profile whole and return where. Raises CardgenError if that fails."""
    lines = [
        "# How cardgen shifts and scales backs for this printer, about the page centre, as seen from",
        "# the face: dx to the right and dy down in mm.",
    ]
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
