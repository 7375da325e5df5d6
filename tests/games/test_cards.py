import pytest

from games.cards import CARD_BY_TEXT, CARDS, PRINTED_JOKER, Card, full_deck, parse_face, read_cards


def test_r1_1_a_pack_is_52_cards_and_one_printed_joker():
    pack = full_deck(1)
    assert len(pack) == len({card.face for card in pack}) == 53
    assert [card for card in pack if card.face == PRINTED_JOKER] == [Card.of(PRINTED_JOKER)]


def test_r1_5_two_packs_hold_equal_cards_that_are_not_the_same():
    first, second = read_cards(["7H", "7H"])
    assert first.face == second.face
    assert first != second
    assert [str(first), str(second)] == ["7H.0", "7H.1"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("7H", "7H"),
        ("10H", "TH"),
        ("TH", "TH"),
        ("10♦", "TD"),
        ("A♠", "AS"),
        ("q♥", "QH"),
        ("K♣", "KC"),
        ("PJ", "PJ"),
        (" 2c ", "2C"),
    ],
)
def test_r1_5_notation(text, written):
    assert str(Card.of(parse_face(text))) == f"{written}.0"


@pytest.mark.parametrize("text", ["", "1H", "11H", "H7", "7", "JOKER", "7X", "7H.0", "1010H"])
def test_r1_5_unknown_cards_are_refused(text):
    with pytest.raises(ValueError, match="unknown card"):
        parse_face(text)


def test_r1_5_the_wire_text_names_every_card():
    assert all(CARD_BY_TEXT[str(card)] is card for card in full_deck(4))
    assert repr(CARDS[0]) == "Card(AS.0)"
    jokers = [CARD_BY_TEXT[f"PJ.{number}"] for number in range(8)]
    assert jokers == [Card.of(PRINTED_JOKER, number) for number in range(8)]
    assert len(CARD_BY_TEXT) == len(full_deck(4)) + 4
    assert not {"PJ.8", "7H.4"} & set(CARD_BY_TEXT)


def test_r1_3_ranks_run_from_ace_to_king():
    spades = [Card.of(face) for face in range(13)]
    assert [card.rank for card in spades] == list(range(1, 14))
    assert "".join(str(card)[0] for card in spades) == "A23456789TJQK"
    assert {card.suit for card in spades} == {0}
