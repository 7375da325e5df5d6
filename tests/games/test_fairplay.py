"""In each game, the fair-play sums reveal collusion by discards or tiles (docs/fair-play.md)."""

from math import sqrt

import pytest

from bench.colluders import Player, play_deal
from games.engine.game import FairPlay
from games.registry import GAMES
from tests.effort import share_of

WITH_DISCARDS = ["basic", "contract", "five_hundred"]


def fair_play_of(code: str) -> FairPlay:
    found = GAMES[code].fair_play
    assert found is not None
    return found


def measure_mean_loss(code, player, matches):
    others = [Player(user, "medium") for user in ((2,) if code == "gin" else (2, 3, 4))]
    records = [
        play_deal([player, *others], f"dump/{number}", GAMES[code]) for number in range(matches)
    ]
    sums = fair_play_of(code).compute_sums(records)[0, 1]
    return sums.loss / sums.decisions


def test_every_game_measures_fair_play():
    assert all(game.fair_play is not None for game in GAMES.values())


@pytest.mark.parametrize("code", [*WITH_DISCARDS, "rummikub", "gin"])
def test_a_dumper_gives_away_more_than_twice_as_much(code):
    dumper = Player(1, "medium", partner=2, dumps=1.0)
    matches = share_of(6)
    assert measure_mean_loss(code, dumper, matches) > 2 * measure_mean_loss(
        code, Player(1, "medium"), matches
    )


def measure_feeding(code, player, matches):
    """Return how much the first of four players feeds the second, who plays next, in standard errors."""
    others = [Player(user, "medium") for user in (2, 3, 4)]
    given, squares = 0.0, 0.0
    for number in range(matches):
        record = play_deal([player, *others], f"fed/{number}", GAMES[code])
        sums = fair_play_of(code).compute_sums([record])[0, 1]
        labels = (sums.feeding, *sums.feeding_others)
        given += sums.feeding
        squares += sum(label**2 for label in labels) / len(labels)
    return given / sqrt(squares)


@pytest.mark.parametrize(
    ("code", "least", "most"), [("indian", 3.5, 2.5), *((code, 2.5, 2) for code in WITH_DISCARDS)]
)
def test_a_feeder_feeds_and_an_honest_bot_does_not(code, least, most):
    assert measure_feeding(code, Player(1, "medium", partner=2, feeds=1.0), 20) > least
    assert abs(measure_feeding(code, Player(1, "medium"), 20)) < most


@pytest.mark.parametrize(
    ("code", "seats"),
    [
        *((code, 2) for code in ("indian", *WITH_DISCARDS)),
        ("indian", 3),
        ("indian", 6),
        ("basic", 6),
        ("contract", 6),
        ("five_hundred", 3),
    ],
)
def test_whole_deals_have_sums_for_any_number_of_players(code, seats):
    game = GAMES[code]
    record = play_deal([Player(user, "medium") for user in range(seats)], f"sums/{seats}", game)
    fair_play = fair_play_of(code)
    sums = fair_play.compute_sums([record])
    assert len(sums) == seats * (seats - 1)
    assert sum(row.offered for row in sums.values()) > 3
    assert any(row.feeding_others for row in sums.values()) is (seats > 2)
    for (giver, taker), row in sums.items():
        assert 0 <= row.picked <= row.offered
        assert row.loss >= 0
        assert row.feeding + sum(row.feeding_others) == pytest.approx(0, abs=0.01)
        assert len(fair_play.list_deliveries(record, giver, taker)) == row.offered
    assert sum(row.paid for row in sums.values()) == pytest.approx(
        sum(row.paid_due for row in sums.values()), abs=0.02
    )


def test_tiles_are_never_counted_as_feeding():
    fair_play = fair_play_of("rummikub")
    record = play_deal([Player(user, "medium") for user in range(4)], "tiles", GAMES["rummikub"])
    rows = fair_play.compute_sums([record]).values()
    assert len(rows) == 12
    assert {(row.feeding_others, row.offered, row.paid) for row in rows} == {((), 0, 0.0)}
    assert fair_play.list_deliveries(record, 0, 1) == []
