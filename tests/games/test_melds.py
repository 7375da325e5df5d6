"""How melds are read in all games with melds on the table, for any shape of melds."""

import pytest

from games.cards import Card, parse_face
from games.engine.laid import Meld, Shape, build_meld, extend_meld

PLAIN = Shape()
ACES = Shape(ace_high=True)
REPEATS = Shape(repeats=True)


def faces(text: str) -> tuple[int, ...]:
    return tuple(map(parse_face, text.split()))


def cards(text: str) -> tuple[Card, ...]:
    """Read faces as cards. Equal faces come from different packs."""
    found: list[Card] = []
    for face in faces(text):
        found.append(Card.of(face, sum(card.face == face for card in found)))
    return tuple(found)


def meld(text: str, shape: Shape = PLAIN, *, as_faces: str | None = None) -> Meld | None:
    return build_meld(cards(text), faces(as_faces or text), shape, seat=3)


def lay_meld(text: str, shape: Shape = PLAIN) -> Meld:
    found = meld(text, shape)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "shape", "start"),
    [
        ("7H 7S 7D", PLAIN, 0),
        ("7H 7S", PLAIN, None),
        ("7H 7S", Shape(min_set=2), 0),
        ("7H 7S 7H", PLAIN, None),
        ("7H 7S 7H", REPEATS, 0),
        ("8H 7H 9H", PLAIN, 7),
        ("8H 7H 9H", Shape(min_run=4), None),
        ("8H 7H 9S", PLAIN, None),
        ("8H 7H TH", PLAIN, None),
        ("QH KH AH", PLAIN, None),
        ("QH KH AH", ACES, 12),
        ("AH 2H 3H", ACES, 1),
        ("KH AH 2H", ACES, None),
    ],
)
def test_sets_and_runs(text, shape, start):
    found = meld(text, shape)
    assert (found and found.start) == start
    if found is not None:
        assert sorted(found.cards) == sorted(cards(text))
        assert found.by == (3,) * len(found.cards)


def test_a_joker_must_stand_for_a_card_and_a_card_is_used_once():
    assert meld("7H 8H PJ", as_faces="7H 8H 9H") is not None
    assert meld("7H 8H PJ") is None
    [seven, eight, nine] = cards("7H 8H 9H")
    assert build_meld((seven, eight, seven), faces("7H 8H 9H"), PLAIN) is None
    assert build_meld((seven, eight, nine), faces("7H 8H 9H"), PLAIN) == Meld(
        (seven, eight, nine), faces("7H 8H 9H"), (0, 0, 0), 7
    )


@pytest.mark.parametrize(
    ("table", "added", "shape", "whole"),
    [
        ("7H 7S 7D", "7C", PLAIN, "7H 7S 7D 7C"),
        ("7H 7S 7D", "7H", PLAIN, None),
        ("7H 7S 7D", "7H", REPEATS, "7H 7S 7D 7H"),
        ("7H 7S 7D", "8H", PLAIN, None),
        ("7H 8H 9H", "6H TH", PLAIN, "6H 7H 8H 9H TH"),
        ("7H 8H 9H", "JH", PLAIN, None),
        ("7H 8H 9H", "TS", PLAIN, None),
        ("JH QH KH", "AH", PLAIN, None),
        ("JH QH KH", "AH", ACES, "JH QH KH AH"),
        ("7H 8H 9H", "", PLAIN, None),
        ("7H 8H 9H", "PJ", PLAIN, None),
    ],
)
def test_b6_cards_that_extend_a_meld(table, added, shape, whole):
    before = lay_meld(table, shape)
    more = tuple(Card.of(card.face, 1) for card in cards(added))
    after = extend_meld(before, more, faces(added), shape, seat=5)
    if whole is None:
        assert after is None
        return
    assert after is not None
    assert after.faces == faces(whole)
    assert dict(zip(after.cards, after.by, strict=True)) == {
        **dict.fromkeys(before.cards, 3),
        **dict.fromkeys(more, 5),
    }
