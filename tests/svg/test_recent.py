"""What has lately been worked out is remembered, in bounded memory."""

from __future__ import annotations

from cardgen.svg.style import Recent


def test_what_is_remembered_is_bounded_and_what_is_used_stays() -> None:
    recent: Recent[int, str] = Recent(10)
    for number in range(1000):
        recent.put(number, str(number))
        assert recent.get(0) == "0" or number == 0
        assert len(recent) <= 20
    assert recent.get(999) == "999"
    assert recent.get(500) is None
