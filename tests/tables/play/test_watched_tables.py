"""R4.1: a toss before every deal at tables with watched players."""

import json

import pytest

from games.engine.state import Stage
from games.registry import get_game
from history.records import deal_record
from tables.models import Change, Match, PairEvidence, PairState
from tables.play.seats import are_watched
from tests.games.records import verify
from tests.games.values import replace
from tests.given import require
from tests.tables.driving import drop, get_match, let_time_pass, play_to_the_end, start_match

pytestmark = pytest.mark.django_db


def watch(one, other, state=PairState.WATCHED):
    low, high = sorted([one, other], key=lambda user: user.pk)
    return PairEvidence.objects.create(low=low, high=high, state=state)


def list_tosses(match):
    """Return a list that says for each deal whether it began with a toss."""
    begun = [
        {event["kind"] for event in change.events}
        for change in Change.objects.filter(match=match).order_by("version")
    ]
    return ["toss" in kinds for kinds in begun if "dealt" in kinds]


def test_only_watched_pairs_at_the_table_count(make_player):
    one, other, third = (make_player() for _ in range(3))
    pair = watch(one, other, PairState.NEW)
    assert not are_watched([one.pk, other.pk])
    PairEvidence.objects.filter(pk=pair.pk).update(state=PairState.WATCHED)
    assert are_watched([other.pk, third.pk, one.pk])
    assert not are_watched([one.pk, third.pk])


@pytest.mark.parametrize("is_watched", [True, False])
def test_each_deal_of_a_watched_match_begins_with_a_toss(make_table, make_player, is_watched):
    table = make_table(max_seats=3, preset="deals3", entry_fee=100)
    players = [make_player() for _ in range(3)]
    if is_watched:
        watch(players[0], players[2])
    start_match(table, *players)
    match = play_to_the_end(table)
    told = list_tosses(match)
    assert len(told) >= 3
    assert told == [True] + [is_watched] * (len(told) - 1)
    # The stored record can be verified.
    for number in range(1, len(told) + 1):
        record = require(deal_record(match_id=match.pk, number=number))
        assert (record["tossed"] is not None) == (number == 1 or is_watched)
        assert verify(json.loads(json.dumps(record))).startswith("honest: ")


def test_each_match_of_a_watched_pair_begins_with_a_toss(make_table, make_player):
    table, players = make_table(), [make_player(), make_player()]
    watch(*players)
    start_match(table, *players)
    for _ in range(2):
        drop(table)
        let_time_pass(table)
    assert list(Match.objects.values_list("tossed", flat=True)) == [True, True, True]
    PairEvidence.objects.update(state=PairState.CLOSED)
    drop(table)
    let_time_pass(table)
    last = get_match(table)
    assert not last.tossed
    assert not last.rules.get("tosses_every_deal")


def test_a_toss_orders_everybody_who_plays_on():
    game = get_game("indian")
    rules = game.rules.parse(
        {**game.rules.json(game.rules.preset("pool101")), "tosses_every_deal": True}
    )
    match = game.core.start(rules=rules, seats=(0, 1, 2, 3), toss=True, seed=b"a" * 32, now=0).state
    orders = set()
    for number in range(40):
        break_ = replace(match, stage=Stage.BETWEEN, due_at=0)
        match = game.core.expire(break_, seed=bytes([number]) * 32, now=0).state
        assert sorted(match.deal.order) == [0, 1, 2, 3]
        assert [standing.seat for standing in match.standings] == list(match.deal.order)
        orders.add(match.deal.order)
    assert len(orders) > 10
