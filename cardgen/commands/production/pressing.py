"""The press for an order: the service's requirements, overridden by the user's options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardgen.commands.production.choices import PressOptions, PressStandard
from cardgen.core.findings import CardgenError, Finding, Location, Severity, UsageError
from cardgen.core.game import StatedPress
from cardgen.files.project import SERVICES

if TYPE_CHECKING:
    from cardgen.core.game import Game
    from cardgen.core.services import Service, Value
    from cardgen.pdf.ink_operators import SpotInk
    from cardgen.pdf.inks import Profile
    from cardgen.pdf.pdfx import Press


OPTIONS = ("inks", "profile", "ink-limit", "standard", "no-overprint", "black-images")


PROFILE = "coated"
INK_LIMIT = 300
STANDARD: PressStandard = "x4"
"""The defaults, where neither the user, the game nor the service chooses."""


def press_of(options: PressOptions, game: Game) -> Press:
    """Return the chosen press for a game. Raises UsageError for an invalid profile, CardgenError if the
    game states it."""
    from cardgen.pdf.pdfx import Press

    stated = game.press or StatedPress()
    return Press(
        _profile(options.profile, game),
        options.ink_limit or stated.ink_limit or INK_LIMIT,
        options.standard or stated.standard or STANDARD,
        spot_inks(game),
        overprint=options.overprint and stated.overprint,
        black_images=options.black_images or stated.black_images,
    )


def _profile(asked: str | None, game: Game) -> Profile:
    """Return the chosen profile, or the game's. Raises as `press_of` does."""
    from cardgen.pdf.inks import load_profile

    stated = game.press.profile if game.press is not None else None
    if asked is not None or stated is None:
        return load_profile(asked or PROFILE)
    folder = f"data/{game.id}"
    place = game.locator.locate(f"{folder}/game.yaml", ("press", "profile"))
    return _profile_at(stated, folder, game, "game/press", place)


def _profile_at(name: str, folder: str, game: Game, code: str, place: Location) -> Profile:
    """Return the profile that a project's file names: one of cardgen's, or a file of `folder`. Raises
    CardgenError with a finding of that code and place."""
    from cardgen.pdf.inks import load_profile

    path = f"{folder}/{name}"
    try:
        file = game.paths.find(path) or game.paths.roots[0] / path
        return load_profile(name, file, game.paths.roots)
    except UsageError as error:
        (found,) = error.findings
        raise CardgenError(Finding(Severity.ERROR, code, found.message, place, found.hint)) from error


def press_for(service: Service, settings: Mapping[str, Value], game: Game) -> Press | None:
    """Return the press for an order from `service`, None for RGB. Raises UsageError for options without
    effect, CardgenError for an invalid profile in the service's file."""
    given = {name: settings[name] for name in OPTIONS if settings.get(name) not in (None, False)}
    if service.delivery == "images":
        for name in given:
            message = f"--to {service.id} doesn't accept --{name}: it takes pictures in RGB"
            raise UsageError(
                message, f"remove it, or use a print shop: cardgen export {game.id} --to printshop"
            )
        return None
    stated = service.inks
    if given.pop("inks", "rgb" if stated is None else "cmyk") == "rgb":
        for name in given:
            raise UsageError(f"--{name} needs --inks cmyk", "add --inks cmyk")
        return None
    from cardgen.pdf.pdfx import Press

    own = game.press if stated is None and game.press is not None else StatedPress()
    limit = given.get("ink-limit") or (stated.limit if stated is not None else own.ink_limit) or INK_LIMIT
    asked = given.get("standard") or (stated.standard if stated is not None else own.standard)
    standard: PressStandard = "x1a" if asked == "x1a" else STANDARD
    assert isinstance(limit, int)
    if "profile" in given or stated is None:
        profile = _profile(str(given["profile"]) if "profile" in given else None, game)
    else:
        place = Location(f"{SERVICES}/{service.id}.yaml")
        profile = _profile_at(stated.profile or PROFILE, SERVICES, game, "service/profile", place)
    overprint = "no-overprint" not in given and (own if stated is None else stated).overprint
    black_images = "black-images" in given or own.black_images
    return Press(profile, limit, standard, spot_inks(game), overprint, black_images)


def spot_inks(game: Game) -> tuple[SpotInk, ...]:
    """Return a game's spot inks, as a press takes them."""
    from cardgen.pdf.ink_operators import SpotInk

    return tuple(SpotInk(spot.name, spot.rgb, spot.overprint) for spot in game.spots)
