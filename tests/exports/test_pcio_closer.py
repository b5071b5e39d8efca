"""Rooms leave out what lies empty across the whole table, and change nothing else about how things lie."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardgen.exports.pcio import GAP, Closer, spans

PLACES = st.lists(
    st.tuples(st.integers(-900, 900), st.integers(1, 300)).map(
        lambda pair: (float(pair[0]), float(pair[1]))
    ),
    min_size=1,
    max_size=12,
)


@given(PLACES)
def test_distances_stay_or_become_the_gap(places: list[tuple[float, float]]) -> None:
    before = spans(places)
    closer = Closer(before)
    after = spans([(closer.place(middle), size) for middle, size in places])
    for low, high in zip(before, after):
        assert low[1] - low[0] == high[1] - high[0]
    for (a, new_a), (b, new_b) in zip(zip(before, after), list(zip(before, after))[1:]):
        if a[0] <= b[1] and b[0] <= a[1]:  # they touch: they lie as they lay
            assert new_b[0] - new_a[0] == b[0] - a[0]
        assert (a[0] <= b[0]) == (new_a[0] <= new_b[0])
        assert abs(new_b[0] - new_a[0]) <= abs(b[0] - a[0])
    taken = sorted(after)
    end = taken[0][1]
    for low, high in taken:
        assert low - end <= GAP
        end = max(end, high)


def test_things_that_lie_close_stay_where_they_are() -> None:
    places = [(0.0, 60.0), (70.0, 60.0), (400.0, 60.0), (410.0, 10.0)]
    closer = Closer(spans(places))
    assert [closer.place(middle) for middle, _ in places] == [0.0, 70.0, 142.0, 152.0]
