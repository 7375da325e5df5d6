"""Losses by which a gin player favours the opponent (docs/fair-play.md)."""

from bench.colluders import Player, play_deal
from games.gin.game import GAME
from games.gin.lab.fairplay import FAIR_PLAY
from tests.games.gin.scenes import NOTHING
from tests.games.records import discard, draw, end_deal, write_record

GIN_IN_ELEVEN = "5H 6H 7H|KS KD KC|9D TD JD|2C"


def loss_of(thrown):
    steps = (draw(0, "8H", "open"), discard(0, thrown, end_deal(20, 0)))
    record = write_record(GAME, [GIN_IN_ELEVEN, NOTHING], steps, open="8H.0")
    return FAIR_PLAY.compute_sums([record])[0, 1]


def test_throwing_gin_away_counts_as_a_loss():
    sums = loss_of("5H")
    assert sums.decisions == 1
    assert sums.loss >= GAME.rules.preset("points").gin_bonus
    assert loss_of("KS").loss > sums.loss  # this also breaks a meld


def test_two_players_have_losses_and_no_feeding():
    sums = loss_of("5H")
    assert (sums.feeding, sums.feeding_others, sums.withheld) == (0.0, (), 0.0)
    assert (sums.offered, sums.paid, sums.paid_due) == (0, 0.0, 0.0)


def test_deliveries_show_the_value_of_each_discard():
    record = play_deal([Player(1, "medium"), Player(2, "medium")], "shown", GAME)
    shown = FAIR_PLAY.list_deliveries(record, 0, 1)
    assert len(shown) > 2
    for delivery in shown:
        step = record["steps"][delivery.step]
        assert (step["seat"], step["move"]["kind"]) == (0, "discard")
        assert (len(delivery.giver_hand), len(delivery.taker_hand)) == (11, 10)
        assert delivery.beyond >= 0
    later = [record["steps"][delivery.step + 1] for delivery in shown]
    assert [d.was_taken for d in shown] == [s["move"].get("source") == "open" for s in later]
