"""Roman numerals for templates and rules: `{{ card.chapter|roman }}`."""

SIGNS = {
    "M": 1000,
    "CM": 900,
    "D": 500,
    "CD": 400,
    "C": 100,
    "XC": 90,
    "L": 50,
    "XL": 40,
    "X": 10,
    "IX": 9,
    "V": 5,
    "IV": 4,
    "I": 1,
}


def roman(value: int, lower: bool = False) -> str:
    """Return a whole number from 1 to 3999 in Roman numerals."""
    if not isinstance(value, int) or not 1 <= value <= 3999:
        raise ValueError(f"{value!r} is not a whole number from 1 to 3999")
    numeral = ""
    for sign, size in SIGNS.items():
        numeral += sign * (value // size)
        value %= size
    return numeral.lower() if lower else numeral
