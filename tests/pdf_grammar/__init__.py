"""A strict grammar of PDF (ISO 32000-1): `judge` lists a file's faults, `readers` ask other programs."""

from tests.pdf_grammar.document import Verdict, judge

__all__ = ["Verdict", "judge"]
