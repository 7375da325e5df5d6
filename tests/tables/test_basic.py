"""Basic rummy at real tables: played for points and for a pot, on record, and nobody sees too much."""

import pytest

from tables.history.records import verdict_on
from tables.models import Change, Match, MatchStatus
from tables.play.reading import snapshot
from tables.ranking.ratings import count_matches
from tests.effort import share_of
from tests.given import the
from tests.tables.driving import (
    act,
    game_view,
    hand_of,
    let_time_pass,
    play_to_the_end,
    player_at,
    seat_all,
    start_match,
)
from tests.tables.laid import CARD, check_records, searched
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db
SECRET_MATCHES = share_of(25)


@pytest.fixture(autouse=True)
def _offered(settings):
    settings.GAMES_OFFERED = ["indian", "basic"]


@pytest.fixture
def table(make_table, make_player):
    opened = make_table(game="basic", point_value=2, max_seats=3)
    return start_match(opened, *(make_player() for _ in range(3)))


@pytest.fixture
def race(make_table, make_player):
    table = make_table(game="basic", preset="race100", entry_fee=100, max_seats=3, is_rated=True)
    seat_all(table, *(make_player() for _ in range(3)), amount=100)
    let_time_pass(table)
    return table


def test_points_are_paid_and_the_deal_is_dealt_again(table):
    assert table.min_buy_in == 200 * 2  # B12: the largest loss
    match = play_to_the_end(table)
    result, settlement = the(match.result), the(match.settlement)
    assert reconcile().findings == ()
    lost = sum(result["points"].values())
    assert lost > 0
    assert settlement["gross"] == 2 * lost
    for seat, points in result["points"].items():
        if int(seat) not in result["winners"]:
            assert settlement["amounts"][seat] == -2 * points
    check_records(match)


def test_a_pot_goes_to_the_first_with_a_hundred_and_its_ratings_are_its_own(race):
    match = play_to_the_end(race)
    result, settlement = the(match.result), the(match.settlement)
    [winner] = result["winners"]
    assert result["scores"][str(winner)] >= 100
    assert (settlement["gross"], settlement["winners"]) == (300, [winner])
    assert settlement["amounts"][str(winner)] == settlement["net"] - 100
    assert reconcile().findings == ()
    record = check_records(match)
    tampered = {**record, "open": "2H.0" if record["open"] != "2H.0" else "3H.0"}
    assert not verdict_on(tampered).is_honest
    Match.objects.update(ended_at="2026-01-01T00:00Z")
    assert count_matches() == 1
    assert set(match.rating_changes.values_list("game", "format")) == {("basic", "RACE")}


def test_who_leaves_loses_the_fee_and_the_last_one_wins(race):
    first = game_view(race)["turn"]
    assert act(race, first, kind="leave").refusal is None
    second = game_view(race)["turn"]
    assert act(race, second, kind="leave").refusal is None
    match = Match.objects.get(table=race)
    assert match.status == MatchStatus.FINISHED
    assert the(match.result)["winners"] == [({0, 1, 2} - {first, second}).pop()]
    assert reconcile().findings == ()


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"kind": "meld", "groups": [["7H"]]}, "malformed_move"),
        ({"kind": "meld", "groups": [["7H.0", "7S.0", "7D.0"]]}, None),
        ({"kind": "lay_off", "meld": 0, "cards": ["7H.0"]}, None),
        ({"kind": "lay_off", "meld": None, "cards": []}, "malformed_move"),
        ({"kind": "discard", "card": "7H.0"}, None),
        ({"kind": "knock"}, "malformed_move"),
    ],
)
def test_a_wrong_move_changes_nothing(table, move, code):
    for seat in (0, 1, 2):
        table.refresh_from_db()
        before = (bytes(the(table.state)), table.version, Change.objects.count())
        refused = the(act(table, seat, **move).refusal)
        assert code in {None, refused.code}
        table.refresh_from_db()
        assert (bytes(the(table.state)), table.version, Change.objects.count()) == before


def test_no_frame_shows_a_foreign_card(make_table, make_player):
    """Every stored change is what the frames carry: to each seat its own part, to a watcher none."""
    frames = 0
    for _ in range(SECRET_MATCHES):
        table = make_table(game="basic", max_seats=3)
        start_match(table, *(make_player() for _ in range(3)))
        frames += searched(play_to_the_end(table, strength="easy"))
    assert frames > SECRET_MATCHES * 60


def test_a_snapshot_shows_one_hand(table):
    hands = {seat: set(hand_of(table, seat)["hand"]) for seat in (0, 1, 2)}
    for seat in (0, 1, 2):
        seen = the(snapshot(table_id=table.pk, user_id=player_at(table, seat).pk))
        cards = set(CARD.findall(str(seen.state["game"])))
        cards |= set(CARD.findall(str(seen.state["you"])))
        assert hands[seat] <= cards
        others = set().union(*(hands[other] for other in hands if other != seat))
        toss = {drawn["card"] for drawn in seen.state["game"]["toss"]}
        assert not (cards - toss) & others
