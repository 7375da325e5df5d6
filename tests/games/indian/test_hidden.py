"""Inference of hidden cards from the public view: cards that others took and discarded."""

from games.cards import CARD_BY_TEXT, parse_face
from games.indian.bots.hidden import (
    estimate_chance_to_take,
    find_relation,
    read_signs,
    score_closed,
)
from games.indian.bots.sight import IndianSight
from games.indian.game import GAME
from games.indian.rules.ruleset import POINTS
from tests.games.driving import bot_view, play_bots
from tests.games.indian.scenes import HOPELESS, act, scene


def cards(texts: str):
    return tuple(CARD_BY_TEXT[text] for text in texts.split())


def test_the_relation_of_a_face_to_cards():
    held = cards("7H.0 KS.1 9D.0")
    known = {
        "7H": 4, "8H": 3, "9H": 2, "5H": 2, "TH": 0, "7C": 1, "AS": 3, "2S": 0, "QS": 3, "9C": 1,
    }  # fmt: skip
    assert {text: find_relation(parse_face(text), held) for text in known} == known
    assert find_relation(parse_face("7H"), ()) == 0


def test_a_card_from_the_open_pile_is_held_until_it_is_thrown():
    match = scene("3S 6S QS QS AH 3H 5H TH KH 8D JD 5C TC", HOPELESS, next_closed="4C")
    match = act(act(match, 0, "draw", source="closed"), 0, "discard", card="QS")
    match = act(match, 1, "draw", source="open")
    signs = read_signs(GAME.view.public(match), POINTS)
    (queen,) = signs.by_seat[1].held
    assert (queen.face, signs.by_seat[1].took) == (parse_face("QS"), 1)
    assert signs.by_seat[0].held == []
    assert [card.face for card in signs.by_seat[0].thrown] == [parse_face("QS")]


def test_signs_agree_with_the_hands_of_whole_deals():
    """Whatever a seat is said to hold lies in its hand, and every draw from the pile is counted."""
    compared = 0
    for seed in range(4):
        taken = dict.fromkeys(range(3), 0)
        for step in play_bots(GAME, "medium", "medium", "medium", seed=seed):
            for event in step.events:
                if event.kind == "drawn" and event.data["source"] == "open":
                    taken[int(str(event.data["seat"]))] += 1
            if step.match.deal.phase.value != "turn":
                continue
            signs = read_signs(GAME.view.public(step.match), POINTS)
            for player in step.match.deal.players:
                shown = signs.by_seat[player.seat]
                assert set(shown.held) <= set(player.hand)
                # The card that opened the pile was nobody's; whoever took it is not counted.
                assert taken[player.seat] - 1 <= shown.took <= taken[player.seat]
                compared += shown.took
    assert compared > 100


def test_cards_wanted_by_others_are_less_likely_in_the_closed_deck():
    match = scene("3S 6S QS QS AH 3H 5H TH KH 8D JD 5C TC", HOPELESS, next_closed="4C")
    match = act(act(match, 0, "draw", source="closed"), 0, "discard", card="QS")
    match = act(act(match, 1, "draw", source="open"), 1, "discard", card="3D")
    sight = IndianSight.of(bot_view(GAME, match, 0), 0)
    signs = read_signs(sight.public, POINTS)
    weights = score_closed(sight.public, 0, sight.unseen, signs)
    by_copy = {face: weights[face] / copies for face, copies in sight.unseen.items() if copies}
    assert by_copy[parse_face("JS")] < by_copy[parse_face("8C")]
    assert set(weights) == set(sight.unseen)
    shown = signs.by_seat[1]
    assert estimate_chance_to_take(parse_face("JS"), shown) > estimate_chance_to_take(
        parse_face("3D"), shown
    )
