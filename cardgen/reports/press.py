"""What a press makes of a game's colours, as the report says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardgen.checking.results import counted
from cardgen.findings import Location


@dataclass(frozen=True, slots=True)
class PressColor:
    """A colour (`#rrggbb`) that a press can't mix: what is printed in its place, how far apart these are
    in ΔE2000, the most of it on one side in mm², the cards that have it, that one first, and where it
    stands."""

    asked: str
    printed: str
    apart: float
    area: float
    cards: tuple[str, ...]
    place: Location

    def as_json(self) -> dict[str, Any]:
        """It for programs."""
        return {
            "screen": self.asked,
            "print": self.printed,
            "delta_e": round(self.apart, 1),
            "area_mm2": self.area,
            "cards": list(self.cards),
            "place": _place(self.place),
        }


@dataclass(frozen=True, slots=True)
class HeavyColor:
    """A colour (`#rrggbb`) that would take more ink than a press does: how much, in per cent, the most of
    it on one side in mm², the cards that have it, that one first, and where it stands."""

    asked: str
    ink: float
    area: float
    cards: tuple[str, ...]
    place: Location

    def as_json(self) -> dict[str, Any]:
        """It for programs."""
        return {
            "screen": self.asked,
            "ink": round(self.ink),
            "area_mm2": self.area,
            "cards": list(self.cards),
            "place": _place(self.place),
        }


@dataclass(frozen=True, slots=True)
class PressPage:
    """A press, and how a game's sides lie with it. `profile` is what its profile calls itself, `standard`
    the standard of its files in words, `ink_limit` and `most_ink` (on the side of the card `inkiest`, text
    aside) are per cent of all four inks together; `spots` are the names of further inks. `sides` were
    looked at; `faulty` says that some could not be."""

    profile: str
    standard: str
    ink_limit: int
    most_ink: float
    inkiest: str | None
    sides: int
    faulty: bool
    spots: tuple[str, ...] = ()
    missed: tuple[PressColor, ...] = ()
    heavy: tuple[HeavyColor, ...] = ()

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The press and its ink in words, each with its name."""
        found = [
            ("profile", self.profile),
            ("files", self.standard),
            ("ink limit", f"{self.ink_limit} %"),
        ]
        if self.inkiest is not None:
            found.append(("most ink on a side", f"{self.most_ink:.0f} %, card {self.inkiest}"))
        if self.spots:
            found.append(("spot colours", ", ".join(self.spots)))
        return found

    @property
    def summary(self) -> str:
        """How many colours come out otherwise, in a sentence."""
        sides = counted(self.sides, "distinct side")
        if not self.missed:
            return f"The press can mix every colour of {sides}."
        return f"{counted(len(self.missed), 'colour')} of {sides} can't be mixed and will look duller."

    def as_json(self) -> dict[str, Any]:
        """It for programs."""
        return {
            "profile": self.profile,
            "standard": self.standard,
            "ink_limit": self.ink_limit,
            "most_ink": round(self.most_ink),
            "most_ink_card": self.inkiest,
            "sides": self.sides,
            "faulty": self.faulty,
            "spots": list(self.spots),
            "missed": [each.as_json() for each in self.missed],
            "heavy": [each.as_json() for each in self.heavy],
        }


FAULTY = "Sides in error were not looked at: cardgen check names them."
ABOUT = (
    "Left as on a screen, right as this press prints it, both as your screen or printer shows them. "
    "From ΔE 10 on people call it another colour. Areas are the most on one side; text counts as "
    "a fifth of its space."
)
HEAVY = (
    "These would take more ink than the press does. Black takes over from the colours, so the limit holds; "
    "a lighter colour stays as it is."
)


def of_cards(cards: tuple[str, ...]) -> str:
    """The cards that have a colour, in words."""
    more = len(cards) - 1
    return cards[0] + (f" and {more} more" if more else "")


def _place(place: Location) -> dict[str, Any]:
    return {"file": place.file, "line": place.line}
