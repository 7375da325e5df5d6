"""Gin at real tables: played for points and for a pot, on record, and nobody sees too much."""

import json
import random
import re
from typing import Any

import pytest

from games.registry import get_game
from tables.history.records import deal_record, verdict_on, verdicts_on
from tables.history.replay import replay_of
from tables.lobby.selectors import LobbyFilter, kinds, lobby_tables
from tables.models import Change, Match, MatchStatus, Seat, Table, TableTemplate
from tables.play.reading import snapshot
from tables.ranking.ratings import count_matches
from tables.refusals import InvitationNeeded, SeatKept
from tables.seating.private_tables import open_private
from tables.seating.queue import join_queue, tend_queue
from tables.seating.sitting import leave_table, take_seat
from tests.effort import share_of
from tests.given import the
from tests.tables.driving import (
    act,
    game_view,
    hand_of,
    hurry_to_the_end,
    let_time_pass,
    play_to_the_end,
    player_at,
    seat_all,
    start_match,
)
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db
CARD = re.compile(r"\b[A23456789TJQK][SHDC]\.0\b")
SECRET_MATCHES = share_of(25)


@pytest.fixture(autouse=True)
def _offered(settings):
    settings.GAMES_OFFERED = ["indian", "gin"]


@pytest.fixture
def table(make_table, make_player):
    opened = make_table(game="gin", point_value=2, max_seats=2)
    return start_match(opened, make_player(), make_player())


def test_points_are_paid_and_the_deal_is_dealt_again(table):
    assert table.min_buy_in == 129 * 2  # G14: the largest loss
    match = play_to_the_end(table)
    result, settlement = the(match.result), the(match.settlement)
    assert reconcile().findings == ()
    lost = sum(result["points"].values())
    assert settlement["gross"] == 2 * lost
    if lost:
        [winner] = result["winners"]
        assert settlement["amounts"][str(winner)] == settlement["net"]
        assert settlement["amounts"][str(1 - winner)] == -2 * lost
    deals = match.deals.count()
    for number in range(1, deals + 1):
        record: Any = deal_record(match_id=match.pk, number=number)
        verdict = verdict_on(record)
        assert verdict.is_honest, verdict.words
        assert all(claim["agree"] for claim in verdicts_on(record))
        assert the(replay_of(match, number=number))["steps"]


def test_a_pot_goes_to_the_first_with_a_hundred(make_table, make_player):
    table = make_table(game="gin", preset="game100", entry_fee=100, max_seats=2)
    seat_all(table, make_player(), make_player(), amount=100)
    let_time_pass(table)
    match = play_to_the_end(table)
    result, settlement = the(match.result), the(match.settlement)
    [winner] = result["winners"]
    assert result["scores"][str(winner)] >= 100 > result["scores"][str(1 - winner)]
    assert (settlement["gross"], settlement["winners"]) == (200, [winner])
    assert settlement["amounts"] == {
        str(winner): settlement["net"] - 100,
        str(1 - winner): -100,
    }
    assert reconcile().findings == ()
    record: Any = None
    for number in range(1, match.deals.count() + 1):
        record = deal_record(match_id=match.pk, number=number)
        assert verdict_on(record).is_honest
    tampered = {**record, "open": "2H.0" if record["open"] != "2H.0" else "3H.0"}
    assert not verdict_on(tampered).is_honest


def test_ratings_of_gin_are_its_own(make_table, make_player):
    table = make_table(game="gin", preset="game100", entry_fee=100, max_seats=2, is_rated=True)
    seat_all(table, make_player(), make_player(), amount=100)
    let_time_pass(table)
    match = hurry_to_the_end(table)
    Match.objects.update(ended_at="2026-01-01T00:00Z")
    assert count_matches() == 1
    ratings = match.rating_changes.values_list("game", "format")
    assert set(ratings) == {("gin", "GAME")}


def test_a_seat_at_gin_is_kept_for_who_waits_longest(table, make_player):
    first, second = make_player(), make_player()
    for place, player in enumerate((first, second), 1):
        assert join_queue(table_id=table.pk, user_id=player.pk) == place
    assert tend_queue(table.pk) == []
    leave_table(table_id=table.pk, user_id=player_at(table, 1).pk)  # and loses the deal
    assert [chair.user_id for chair in tend_queue(table.pk)] == [first.pk]
    with pytest.raises(SeatKept):
        take_seat(table_id=table.pk, user_id=second.pk, amount=table.min_buy_in)
    take_seat(table_id=table.pk, user_id=first.pk, amount=table.min_buy_in)
    assert Seat.objects.filter(table=table, user=first, left_at=None).count() == 1
    assert reconcile().findings == ()


def test_a_private_table_of_gin_is_for_who_has_the_link(make_table, make_player):
    make_table(game="gin", max_seats=2)  # the fees
    template = TableTemplate.objects.create(
        game="gin", preset="points", name="Neem Room", max_seats=2, point_value=1
    )
    wanted = LobbyFilter(game="gin")
    assert [kind.template.pk for kind in kinds(wanted)] == [template.pk]
    host, guest = make_player(), make_player()
    table = open_private(template_id=template.pk, user_id=host.pk)
    assert table.game == "gin"
    assert table.pk not in [entry.table.pk for entry in lobby_tables(wanted).entries]
    amount = table.min_buy_in
    with pytest.raises(InvitationNeeded):
        take_seat(table_id=table.pk, user_id=guest.pk, amount=amount)
    for player in (host, guest):
        take_seat(table_id=table.pk, user_id=player.pk, amount=amount, invite=table.invite_code)
    let_time_pass(table)
    hurry_to_the_end(table)
    assert reconcile().findings == ()


def test_who_leaves_loses_the_deal_and_the_pot(make_table, make_player):
    table = make_table(game="gin", preset="game100", entry_fee=100, max_seats=2)
    seat_all(table, make_player(), make_player(), amount=100)
    let_time_pass(table)
    leaver = game_view(table)["turn"]
    assert act(table, leaver, kind="leave").refusal is None
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    assert the(match.result)["winners"] == [1 - leaver]
    assert reconcile().findings == ()


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"kind": "knock", "card": 7, "groups": []}, "malformed_move"),
        ({"kind": "knock", "card": "7H.0", "groups": "all"}, "malformed_move"),
        ({"kind": "knock", "card": "PJ.0", "groups": []}, None),
        ({"kind": "defend", "groups": [], "lay_offs": [["7H.0", "0"]]}, "malformed_move"),
        ({"kind": "defend", "groups": [], "lay_offs": []}, None),
        ({"kind": "discard", "card": "7H.0"}, None),
        ({"kind": "pass", "card": "7H.0"}, "malformed_move"),
        ({"kind": "drop"}, "malformed_move"),
    ],
)
def test_a_wrong_move_changes_nothing(table, move, code):
    seat = game_view(table)["turn"]
    for who in (seat, 1 - seat):
        table.refresh_from_db()
        before = (bytes(the(table.state)), table.version, Change.objects.count())
        refused = the(act(table, who, **move).refusal)
        assert code in {None, refused.code}
        table.refresh_from_db()
        assert (bytes(the(table.state)), table.version, Change.objects.count()) == before


class _Watch:
    """What each seat, and somebody without one, may have seen of the cards of a deal."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.public: set[str] = set()
        self.held: dict[int, set[str]] = {0: set(), 1: set()}

    def may_see(self, seat: int | None) -> set[str]:
        return self.public | (set() if seat is None else self.held[seat])

    def note(self, events: Any, hands: dict[int, set[str]]) -> None:
        """Read from the events and the true hands, not from what the game shows."""
        for event in events:
            kind = event["kind"]
            if kind == "toss":
                self.public |= {toss["card"] for toss in event["cards"]}
            if kind == "dealt":
                self.public |= {event["open"]}
                self.held = {0: set(), 1: set()}
            if kind in {"discarded", "drawn"} and "card" in event:
                self.public |= {event["card"]}
            if kind in {"knocked", "defended"}:
                self.public |= hands[event["seat"]]
            if kind == "deal_over":
                self.public |= hands[0] | hands[1] | self.held[0] | self.held[1]
        for seat, hand in hands.items():
            self.held[seat] |= hand


def test_no_frame_shows_a_foreign_card(make_table, make_player):
    """Every stored change is what the frames carry: to each seat its own part, to a watcher none."""
    frames = 0
    for _number in range(SECRET_MATCHES):
        table = start_match(make_table(game="gin", max_seats=2), make_player(), make_player())
        frames += _searched(table, play_to_the_end(table, strength="easy"))
    assert frames > SECRET_MATCHES * 60


def _searched(table: Table, match: Match) -> int:
    watch, frames = _Watch(table), 0
    hands: dict[int, set[str]] = {0: set(), 1: set()}
    for change in Change.objects.filter(match=match).order_by("pk"):
        for seat in hands:
            own = change.private.get(str(seat), {})
            if "hand" in own:
                hands[seat] = set(own["hand"])
        # A knock takes the eleventh card away, so what is shown is the hand after it.
        watch.note(change.events, hands)
        for viewer in (0, 1, None):
            own = {} if viewer is None else change.private.get(str(viewer), {})
            seen = set(CARD.findall(json.dumps([change.events, change.patch, own])))
            assert seen <= watch.may_see(viewer), (viewer, change.events)
            frames += 1
    return frames


def test_the_defenders_hand_is_nobodys_until_they_answer(make_table, make_player):
    """G17: the knocker's cards lie open, the defender's do not, in snapshots too."""
    table = _table_with_a_knock(make_table, make_player)
    view = game_view(table)
    knocker = view["knock"]["seat"]
    hidden = set(hand_of(table, 1 - knocker)["hand"])
    shown = set(hand_of(table, knocker)["hand"])
    for user_id in (None, player_at(table, knocker).pk):
        seen = the(snapshot(table_id=table.pk, user_id=user_id))
        cards = set(CARD.findall(json.dumps(seen.state)))
        assert shown <= cards
        # What the defender took from the open pile everybody has seen.
        assert cards & hidden <= set(view["taken"][str(1 - knocker)])
    defender = the(snapshot(table_id=table.pk, user_id=player_at(table, 1 - knocker).pk))
    assert hidden <= set(CARD.findall(json.dumps(defender.state)))


def _table_with_a_knock(make_table: Any, make_player: Any) -> Table:
    while True:
        table = start_match(make_table(game="gin", max_seats=2), make_player(), make_player())
        if _plays_to_a_knock(table):
            return table


def _plays_to_a_knock(table: Table) -> bool:
    game, rng = get_game("gin"), random.Random(table.pk)
    while True:
        table.refresh_from_db()
        if table.status != "PLAYING":
            return False
        state = game.stored.load(bytes(the(table.state)))
        if game.view.public(state)["phase"] == "defend":
            return True
        seat = game.core.status(state).acting[0]
        view = {
            "public": game.view.public(state),
            "you": game.view.private(state, seat),
            "rules": table.rules,
        }
        move: dict[str, Any] = game.bots(view, seat, strength="hard", rng=rng)
        assert act(table, seat, **move).refusal is None
