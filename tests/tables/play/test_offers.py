"""The periodic job that opens the offer to split a prize."""

import pytest

from tables.models import Change, ChangeKind, TableStatus
from tables.play.split_offers import list_due_split_offers, open_split_offer
from tests.given import reload, require
from tests.tables.driving import act, expire_turn, game_view
from tests.tables.pools import bring_offer_forward, end_rejoin, play_to_two

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(make_table, make_player):
    return play_to_two(make_table, make_player)


@pytest.fixture
def offered(table):
    """A table whose split offer is due."""
    end_rejoin(table)
    assert list_due_split_offers() == []
    bring_offer_forward(table)
    return table


def test_the_offer_to_split_opens_once_after_the_deal(offered):
    assert list_due_split_offers() == [offered.pk]
    step = require(open_split_offer(offered.pk))
    assert (step.kind, step.events[0]["kind"]) == (ChangeKind.SPLIT_OFFERED, "split_open")
    view = game_view(offered)
    assert (view["phase"], len(view["match"]["waiting"])) == ("split", 2)
    assert (list_due_split_offers(), open_split_offer(offered.pk)) == ([], None)
    assert Change.objects.filter(table=offered, kind=ChangeKind.SPLIT_OFFERED).count() == 1


def test_an_unanswered_offer_is_refused_and_play_goes_on(offered):
    open_split_offer(offered.pk)
    expire_turn(offered)
    assert game_view(offered)["phase"] == "between"
    assert reload(offered).split_offer_at is None  # once in a break
    expire_turn(offered)
    assert (game_view(offered)["phase"], game_view(offered)["deal"]) == ("turn", 2)


def test_a_late_tick_opens_no_offer(offered):
    expire_turn(offered)
    version = reload(offered).version
    assert open_split_offer(offered.pk) is None
    assert (reload(offered).version, offered.split_offer_at) == (version, None)
    assert offered.status == TableStatus.PLAYING


def test_the_tick_opens_no_offer_after_a_players_own(offered):
    standings = game_view(offered)["match"]["standings"]
    seat = next(int(seat) for seat, one in standings.items() if one["membership"] == "in")
    assert act(offered, seat, kind="offer_split").refusal is None
    assert open_split_offer(offered.pk) is None
    assert game_view(offered)["match"]["split_asker"] == seat
