"""The report's section on a press as a part of its HTML page."""

from __future__ import annotations

from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from cardgen.reports.press import ABOUT, FAULTY, HEAVY, PressPage, of_cards


def press_section(press: PressPage) -> Markup:
    """The section, a `section` element."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text = files("cardgen.reports").joinpath("press.html").read_text(encoding="utf-8")
    template = environment.from_string(text)
    return Markup(template.render(press=press, of_cards=of_cards, ABOUT=ABOUT, FAULTY=FAULTY, HEAVY=HEAVY))
