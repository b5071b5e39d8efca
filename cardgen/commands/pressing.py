"""The press that an order is printed on: what the service asks for, and over it what the user does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardgen.commands.choices import PressOptions, PressStandard
from cardgen.findings import CardgenError, Finding, Location, Severity, UsageError
from cardgen.project import SERVICES

if TYPE_CHECKING:
    from cardgen.exporting.exporters import Value
    from cardgen.model.game import Game
    from cardgen.model.services import Service
    from cardgen.press.making import Press
    from cardgen.press.spots import SpotInk

OPTIONS = ("color", "profile", "ink-limit", "standard")


def press_of(options: PressOptions, game: Game) -> Press:
    """The press that is asked for, for a game. Raises UsageError for a profile that is none."""
    from cardgen.press.making import Press
    from cardgen.press.profiles import load_profile

    return Press(load_profile(options.profile), options.ink_limit, options.standard, spot_inks(game))


def press_for(service: Service, settings: Mapping[str, Value], game: Game) -> Press | None:
    """The press for an order from `service`, None for RGB. Raises UsageError for options that mean nothing
    here, CardgenError for a profile of the service's file that is none."""
    given = {name: settings[name] for name in OPTIONS if settings.get(name) is not None}
    if service.delivery == "images":
        for name in given:
            message = f"--{name} means nothing to --to {service.id}: it takes pictures, in RGB"
            raise UsageError(message, "PDF are for services such as printshop")
        return None
    stated = service.inks
    if given.pop("color", "rgb" if stated is None else "cmyk") == "rgb":
        for name in given:
            raise UsageError(f"--{name} is for inks", "add --color cmyk")
        return None
    from cardgen.press.making import Press
    from cardgen.press.profiles import load_profile

    usual = PressOptions()
    limit = given.get("ink-limit") or (stated.limit if stated is not None else None) or usual.ink_limit
    asked = given.get("standard") or (stated.standard if stated is not None else None)
    standard: PressStandard = "x1a" if asked == "x1a" else usual.standard
    assert isinstance(limit, int)
    if "profile" in given or stated is None or stated.profile is None:
        return Press(
            load_profile(str(given.get("profile") or usual.profile)), limit, standard, spot_inks(game)
        )
    place = Location(f"{SERVICES}/{service.id}.yaml")
    try:
        name = f"{SERVICES}/{stated.profile}"
        profile = load_profile(
            stated.profile, game.paths.find(name) or game.paths.roots[0] / name, game.paths.roots
        )
    except UsageError as error:
        (found,) = error.findings
        raise CardgenError(
            Finding(Severity.ERROR, "service/profile", found.message, place, found.hint)
        ) from error
    return Press(profile, limit, standard, spot_inks(game))


def spot_inks(game: Game) -> tuple[SpotInk, ...]:
    """A game's inks beside the four, as a press takes them."""
    from cardgen.press.spots import SpotInk

    return tuple(SpotInk(spot.name, spot.rgb, spot.overprint) for spot in game.spots)
