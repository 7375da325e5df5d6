"""Sampled worlds in the games with melds on the table, basic rummy and Contract Rummy."""

import random
from collections import Counter

import pytest

from bench.analysed import BASIC, CONTRACT


@pytest.mark.parametrize(
    ("game", "kinds", "players", "least"),
    [
        (BASIC, ["discard"], 2, 8),
        (BASIC, ["discard"], 4, 8),
        (CONTRACT, ["discard", "buy"], 2, 20),
        (CONTRACT, ["discard", "buy"], 5, 20),
    ],
    ids=["basic-2", "basic-4", "contract-2", "contract-5"],
)
def test_a_sampled_world_holds_the_known_cards_and_every_card_once(game, kinds, players, least):
    record = game.play_deal(3, [game.bot("hard", seat) for seat in range(players)])
    begun, rng, looked_at = game.analysis.begin(record), random.Random(1), 0
    playouts = game.analysis.make_playouts(begun, rng)
    events = {event["kind"] for step in record["steps"] for event in step["events"]}
    for _number, step, situation in begun.steps(record):
        if step["move"]["kind"] not in kinds:
            continue
        looked_at += 1
        position, place = situation.position, situation.order.index(step["seat"])
        world = situation.build_known(place).sample_world(rng, playouts)
        assert world.hands[place] == position.hands[place]
        assert list(map(len, world.hands)) == list(map(len, position.hands))
        for hand, taken in zip(world.hands, situation.taken, strict=True):
            assert Counter(taken) <= Counter(hand)
        cards = [*world.closed, *world.open_pile]
        cards += [card for hand in world.hands for card in hand]
        cards += [card for meld in world.melds for card in meld.cards]
        assert sorted(cards) == sorted(situation.deck)
    assert looked_at > least
    assert ("bought" in events) is (players == 5)
