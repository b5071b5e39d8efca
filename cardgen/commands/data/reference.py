"""`cardgen reference`: write a game's card reference next to its data, or compare it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.commands.production.choices import language_folder
from cardgen.core.findings import UsageError
from cardgen.core.game import Card, Game
from cardgen.core.records import replace
from cardgen.files.listing import check_place
from cardgen.files.project import Project
from cardgen.files.reading import REFERENCE, ReadingError, is_there, read_file

if TYPE_CHECKING:
    from cardgen.rules.results import RuleResult


def card_reference(game: Game) -> str:
    """Return a game's card reference as Markdown. Raises CardgenError for invalid schemas or rules."""
    from cardgen.game.edited_files import load_card_schemas
    from cardgen.game.rule_kinds import load_rules
    from cardgen.rules.reference import Sources, reference_document

    schemas = load_card_schemas(game)
    sources = Sources(
        {id: schema.file for id, schema in schemas.items()},
        {id: schema.description for id, schema in schemas.items()},
        {id: schema.schema for id, schema in schemas.items()},
        load_rules(game),
        _results(game),
    )
    return reference_document(_in_words(game), sources)


_MOST_MEASURES = 200
"""Values of a rule that are reported; `cardgen report` has them all."""


def _results(game: Game) -> dict[str, str]:
    """Return the result of each of the game's rules: its verdict and its first figures."""
    from cardgen.commands.check.check import judge

    return {result.rule.id: _result(result) for result in judge(game) if not result.rule.deck}


def _result(result: RuleResult) -> str:
    named = len(result.measures) > 1
    said = [f"{each.name}: {each.words}" if named else each.words for each in result.measures]
    more = len(said) - _MOST_MEASURES
    figures = "; ".join(said[:_MOST_MEASURES]) + (f" and {more} more" if more > 0 else "")
    if result.ok:
        return figures
    return f"**{result.verdict.value}** {figures}".strip()


def _in_words(game: Game) -> Game:
    """Return the game with its cards' effects as text instead of their structure: as printed, or as data
    write them if another field is printed."""
    from cardgen.game.effects import effect_data, effect_line

    effects = game.effects
    if effects is None:
        return game
    words = effect_data if effects.text else effect_line

    def card_in_words(card: Card) -> Card:
        texts = {name: words(effects.language, card.fields[name]) for name in effects.of(card.fields)}
        return replace(card, fields={**card.fields, **texts})

    components = tuple(
        replace(component, cards=tuple(map(card_in_words, component.cards)))
        for component in game.components
    )
    return replace(game, components=components)


def write_reference(game: Game, project: Project, output: Path | None = None) -> Path:
    """Write a game's card reference to `output`, by default GAME_CARDS.md next to its data, or next to its
    texts in a translation; return the path.

    Raises UsageError without `output` for a game that ships with cardgen, whose folder is read-only;
    CardgenError if the file can't be written.
    """
    from cardgen.files.writing import write_bytes

    path = output or _place(game, project)
    write_bytes(path, card_reference(game).encode("utf-8"))
    return path


def reference_problem(game: Game, project: Project, output: Path | None = None) -> str | None:
    """Return how a game's card reference differs from `write_reference`'s, or None."""
    path = output or _place(game, project)
    shown = project.show(path)
    try:
        found = read_file(path, REFERENCE, shown, project.holders(path)).replace(b"\r\n", b"\n")
    except ReadingError as error:
        return f"{shown} {error.reason}"
    if found == card_reference(game).encode("utf-8"):
        return None
    return f"{shown} is out of date"


def _place(game: Game, project: Project) -> Path:
    from cardgen.rules.reference import FILE_NAME

    home = project.root / "data" / game.id
    if not is_there(home / "game.yaml"):
        raise UsageError(
            f"{game.title} ships with cardgen, so its folder can't be changed",
            f"write it elsewhere: cardgen reference {game.id} --output FILE",
        )
    folder = home.joinpath(*language_folder(game))
    check_place(folder, project.root, within=False)
    return folder / FILE_NAME
