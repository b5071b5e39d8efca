"""What is said of the texts of a component as other programs write them: words in brackets, HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardgen.findings import Location
from cardgen.loading.context import GameContext
from cardgen.loading.markup import Markup, icon_name, icon_words, letters_of, texts_of
from cardgen.model.game import Card
from cardgen.schema.wording import counted
from cardgen.tables.html_text import has_html

_FOLDERS = ("_shared/icons", "{game}/icons")


def tell_words(context: GameContext, component: str, cards: Sequence[Card], markup: Markup) -> None:
    """Report once each: words in brackets whose icon has no file, those that many cards print as letters,
    and HTML in texts of which nothing is stated."""
    _note_stand_ins(context, component, cards, markup)
    for use in icon_words(texts_of(card.fields) for card in cards):
        if use.word not in markup.icons:
            message = f"'{use.word}' is printed as letters on {use.cards:,} cards"
            hint = (
                f"if it means an icon, write beside data: in data/{context.game}/game.yaml "
                f"markup: {{icons: {{'{use.word}': {icon_name(use.word)}}}}}, or false for letters"
            )
            place = _place(context, cards[use.first], use.word)
            context.findings.warning("tables/icon-word", message, place, hint)
    tagged = [] if markup.html else [card for card in cards if any(map(has_html, texts_of(card.fields)))]
    if tagged:
        text = next(filter(has_html, texts_of(tagged[0].fields)))
        message = f"the texts of {counted(len(tagged), 'card')} hold HTML"
        hint = f"write beside data: in data/{context.game}/game.yaml markup: {{html: true, fields: [text]}}"
        context.findings.warning("tables/html", message, _place(context, tagged[0], text), hint)


def _note_stand_ins(context: GameContext, component: str, cards: Sequence[Card], markup: Markup) -> None:
    """Keep the icons of stated words that have no file, and warn of each that cards show."""
    lacking = {
        word: icon
        for word, icon in markup.icons.items()
        if isinstance(icon, str) and icon not in context.stand_ins and not _has_file(context, icon)
    }
    if not lacking:
        return
    uses: Counter[str] = Counter()
    for card in cards:
        whole = "\n".join(texts_of(card.fields))
        uses.update(icon for icon in dict.fromkeys(lacking.values()) if f":{icon}:" in whole)
    for word, icon in lacking.items():
        if icon in context.stand_ins:
            continue
        context.stand_ins[icon] = letters_of(word)
        if uses[icon]:
            count = f"{uses[icon]:,} card{'s' if uses[icon] > 1 else ''}"
            message = f"there is no icon '{icon}': {count} show the letters of '{word}' in a box"
            file = f"templates/{context.game}/icons/{icon}.svg"
            hint = f"draw it in {file}, or write '{word}': false for letters"
            path = ("components", component, "markup", "icons", word)
            context.findings.warning("icon/stand-in", message, context.manifest.locate(path), hint)


def _has_file(context: GameContext, icon: str) -> bool:
    places = (f"templates/{folder.format(game=context.game)}/{icon}.svg" for folder in _FOLDERS)
    return any(map(context.sources.has, places))


def _place(context: GameContext, card: Card, text: str) -> Location:
    """The first of a card's fields that has a text."""
    name = next(key for key, value in card.fields.items() if text in "\n".join(texts_of({key: value})))
    return context.sources.locator.locate(card.file, (*card.path, name))
