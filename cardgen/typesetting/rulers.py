"""Ordinary words in one style, each measured once."""

from __future__ import annotations

from cardgen.model.artwork import Word
from cardgen.typesetting.breaking import WordRules, plan_word
from cardgen.typesetting.spans import Style


class Words(dict[str, tuple[Word, float] | None]):
    """Words by their text, with their nominal widths; None for those that can be broken or may hold on
    to their neighbours across the space, and for no text at all."""

    def __init__(self, style: Style, rules: WordRules) -> None:
        super().__init__()
        self._style = style
        self._rules = rules

    def __missing__(self, text: str) -> tuple[Word, float] | None:
        known = None
        if text:
            plan = plan_word(text, self._rules)
            if plan.text == text and not (plan.cuts or plan.head or plan.tail):
                style = self._style
                word = style.font.word(text, style.spacing)
                known = (word, word.advance * style.size)
        self[text] = known
        return known


class Ruler:
    """Measures in one style; there is one for all equal styles and the same rules of words."""

    __slots__ = ("distance", "space", "style", "trailing", "words")

    def __init__(self, style: Style, rules: WordRules) -> None:
        self.style = style
        self.space = style.font.word(" ", style.spacing + style.word_spacing)
        self.distance = self.space.advance * style.size
        self.trailing = style.spacing * style.size
        """Letter spacing after a word's last letter, nominal mm."""
        self.words = Words(style, rules)


def ruler_of(style: Style, rules: WordRules) -> Ruler:
    """The ruler of a style, kept for the life of its font."""
    kept = style.font.rulers
    ruler = kept.get((style, rules))
    if ruler is None:
        ruler = kept[style, rules] = Ruler(style, rules)
    return ruler
