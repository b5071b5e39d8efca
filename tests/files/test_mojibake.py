"""Texts that were read in a wrong encoding are told, with what they were meant to be; others are not."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cardgen.files.table_texts import broken_words, repaired
from tests.for_each import for_each

REAL = """
São Paulo, coração, IRMÃ, MAÇÃ, “IRMÔ “IRMÃ” AMANHû AÇÃO. «L’été où ça naît» façade Noël Ÿ «Où ? À Â Ç»
Ünlü İstanbul'da ığdır ŞİŞLİ Çağrı Öğün „MENÜ“ „Spaß“ „Ähnlich“ ‚Äußerst‘ Übermäßig Größe GRÖSSE Öl… Ä–Ö
Việt Nam TIẾNG VIỆT Đặng ÂM NHẠC Ẩm thực PÂINE ÎN ROMÂNIA România Łódź źdźbło ČESKÝ Žluťoučký kůň
“CAFÉ” “Café…” «Voilà…» É”, è’ 50 €–60 € 5 °C √π ≈ 3 ½ ² naïve—oui ¿Qué? ¡Ñandú! «Â» Ãs Åland Ærø Ðað þú
Привет, мир! Ελλάδα 日本語 한국어 مرحبا שלום ไทย 🦊🎲 n’est-ce pas ’t Õhtu tõde lõpp níže vnitř MAÇî 3·4
""".split()
LANGUAGES = st.sampled_from(
    "don’t café über São façade naïve “Hi” wait… señor Größe Łódź żółw İstanbul ışık Việt tiếng "
    "10 € — – œuvre coração mañana Ångström Привет Ελλάδα".split()
)


@for_each("text", REAL)
def test_real_text_is_left_alone(text: str) -> None:
    assert broken_words(text) is None
    assert broken_words(f"x {text} y") is None


@for_each(
    ("broken", "meant"),
    [
        ("donâ€™t", "don’t"),
        ("cafÃ©", "café"),
        ("CAFÃ‰", "CAFÉ"),
        ("LÃ©gende", "Légende"),
        ("Ã¼ber", "über"),
        ("Ã‰tat", "État"),
        ('so â€" he', "so – he"),
        ("â€œHiâ€", "“Hi”"),
        ("donÃ¢â‚¬â„¢t", "don’t"),
        ("cafÃƒÂ©", "café"),
        ("ÐŸÑ€Ð¸Ð²ÐµÑ‚", "Привет"),
        ("ðŸ¦Š", "🦊"),
        ("æ—¥æœ¬", "日本"),
        ("5Â°", "5°"),
        ("Â£5", "£5"),
        ("2â‚¬", "2€"),
        ("don\u00e2\u0080\u0099t", "don’t"),
        ("caf√©", "café"),
        ("don‚Äôt", "don’t"),
        ("donÕt", "don’t"),
        ("cafŽ", "café"),
        ("donít", "don’t"),
        ("itís", "it’s"),
    ],
)
def test_broken_text_is_repaired(broken: str, meant: str) -> None:
    assert repaired(broken) == meant
    assert repaired(meant) == meant


def test_first_broken_words_are_told() -> None:
    assert broken_words("I donâ€™t like cafÃ©s") == ("donâ€™t", "don’t")
    assert broken_words("a caf\ufffd!") == ("caf\ufffd!", "caf\ufffd!")
    assert broken_words("plain") is None


@given(st.lists(LANGUAGES, min_size=1, max_size=6), st.sampled_from(("cp1252", "latin-1", "mac_roman")))
def test_utf_8_that_was_read_otherwise_comes_back(words: list[str], codec: str) -> None:
    text = " ".join(words)
    try:
        broken = text.encode().decode(codec)
    except UnicodeDecodeError:
        assume(False)
        return
    assume(not any(ord(letter) > 0x17F and letter.isalpha() for letter in text) or codec != "mac_roman")
    assert repaired(text) == text
    if broken != text:
        assert broken_words(broken) is not None
        assert len(repaired(broken)) < len(broken)


@pytest.mark.long
@given(st.text(st.characters(codec="latin-1"), max_size=30))
def test_repair_never_makes_a_text_longer(text: str) -> None:
    assert len(repaired(text)) <= len(text)
