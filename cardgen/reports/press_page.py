"""The report's section on a press as a part of its HTML page."""

from __future__ import annotations

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from cardgen.reports.press import ABOUT, FAULTY, HEAVY, PressPage, of_cards
from cardgen.storage.reading import read_bundled


def press_section(press: PressPage) -> Markup:
    """The section, a `section` element."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(read_bundled("reports", "press.html").decode("utf-8"))
    return Markup(template.render(press=press, of_cards=of_cards, ABOUT=ABOUT, FAULTY=FAULTY, HEAVY=HEAVY))
