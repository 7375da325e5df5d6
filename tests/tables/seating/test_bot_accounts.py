"""BOT accounts at tables."""

from functools import partial
from typing import Any

import pytest

from accounts.models.sessions import Origin
from accounts.people.bot_accounts import become_bot
from accounts.refusals import NoBotAccount
from core.refusals import SWITCHED_OFF
from tables.models import Match, MatchStatus, Seat, Table, TableStatus
from tables.refusals import API_PLAYERS_NOT_ALLOWED, NOT_FOR_BOT_ACCOUNTS, TOO_OFTEN, TooManyTables
from tables.seating import bot_accounts
from tables.seating.bot_accounts import play_among_bots
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.queue import join_queue
from tables.seating.sitting import leave_table
from tests.given import reload
from tests.refusals import refused
from tests.tables.driving import leave, let_time_pass, seat_all
from tests.together import names_of, run_at_once
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db
POINTS: dict[str, Any] = {"game": "indian", "preset": "points", "seats": 2}


@pytest.fixture
def make_bot(make_player):
    return lambda: become_bot(user_id=make_player().pk)


@pytest.fixture
def bot(make_bot):
    return make_bot()


@pytest.fixture
def nothing_changes(bot):
    """Assert at the end of the test that the BOT has no seat and has kept all its chips."""
    before = get_player_balances(bot.pk)
    yield
    assert not Seat.objects.filter(user=bot).exists()
    assert get_player_balances(bot.pk) == before
    assert reconcile().findings == ()


def play_as_bot(bot, address="", **terms):
    change = play_among_bots(user_id=bot.pk, origin=Origin(address=address), **{**POINTS, **terms})
    return Table.objects.get(pk=change.table_id)


def sit(table, user, **how):
    seat_all(table, user, **{"amount": 0, "by_program": True, **how})


class TestAmongBots:
    def test_two_bots_meet_at_a_table_and_play(self, make_bot):
        first, second = make_bot(), make_bot()
        table = play_as_bot(first)
        assert play_as_bot(second) == table
        assert (reload(table).status, table.seats_taken) == (TableStatus.STARTING, 2)
        assert (table.is_free, table.is_private, table.is_rated) == (True, True, False)
        let_time_pass(table)
        match = Match.objects.get(table=table)
        assert (match.status, match.is_rated) == (MatchStatus.RUNNING, True)
        assert match.participants == [first.pk, second.pk]
        names = {seat: (player["name"], player["bot"]) for seat, player in match.players.items()}
        assert names == {"0": (first.player_name, True), "1": (second.player_name, True)}
        assert all(name.endswith(" [BOT]") for name, _bot in names.values())

    def test_two_bots_of_one_address_play_unrated(self, make_bot):
        table = play_as_bot(make_bot(), "a" * 32)
        assert play_as_bot(make_bot(), "a" * 32) == table
        let_time_pass(table)
        assert Match.objects.get(table=table).is_rated is False

    def test_bots_meet_only_at_tables_of_the_same_rules_and_size(self, make_bot):
        tables = {
            play_as_bot(make_bot()).pk,
            play_as_bot(make_bot(), preset="pool101").pk,
            play_as_bot(make_bot(), seats=3).pk,
        }
        assert len(tables) == 3
        assert play_as_bot(make_bot()).pk in tables
        assert play_as_bot(make_bot()).pk not in tables

    def test_no_bot_is_sent_to_a_table_where_a_person_sits(self, make_bot, make_player):
        table = play_as_bot(make_bot(), seats=3)
        sit(table, make_player(), by_program=False)  # a person, with the link
        assert play_as_bot(make_bot(), seats=3) != table

    def test_a_bot_is_not_seated_with_itself(self, bot, settings):
        settings.BOT_TABLES_AT_ONCE = 2
        assert play_as_bot(bot) != play_as_bot(bot)
        with pytest.raises(TooManyTables):
            play_as_bot(bot)
        assert Table.objects.count() == Seat.objects.filter(user=bot).count() == 2

    def test_the_tables_of_a_bot_an_hour_are_limited(self, bot, monkeypatch):
        monkeypatch.setattr(bot_accounts, "AN_HOUR", 2)
        for _ in range(2):
            leave_table(table_id=play_as_bot(bot).pk, user_id=bot.pk)
        with refused(TOO_OFTEN):
            play_as_bot(bot)
        assert Seat.objects.filter(user=bot).count() == 2

    def test_a_game_that_is_not_offered_opens_no_table(self, bot, nothing_changes, settings):
        settings.GAMES_OFFERED = ["indian"]
        with refused(SWITCHED_OFF):
            play_as_bot(bot, game="gin")
        assert not Table.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_concurrent_bots_meet_in_pairs(make_bot):
    tables = run_at_once(*(partial(play_as_bot, make_bot()) for _ in range(4)))
    assert sorted(table.pk for table in tables) == sorted([*{table.pk for table in tables}] * 2)
    assert Table.objects.filter(seats_taken=2).count() == 2


class TestWithPeople:
    @pytest.fixture
    def hosted(self, make_player):
        def make(**terms):
            return open_hosted_table(HostTerms(**POINTS, **terms), user_id=make_player().pk)

        return make

    def test_a_bot_plays_unrated_where_the_host_admits_programs(self, hosted, bot):
        table = hosted(allows_programs=True)
        sit(table, bot)
        let_time_pass(table)
        match = Match.objects.get(table=table)
        assert match.is_rated is False
        assert [player["bot"] for player in match.players.values()] == [False, True]

    def test_a_bot_is_refused_where_the_host_admits_no_programs(self, hosted, bot, nothing_changes):
        with refused(API_PLAYERS_NOT_ALLOWED):
            sit(hosted(), bot)

    def test_a_bot_neither_plays_for_a_stake_nor_queues(
        self, make_table, make_player, bot, nothing_changes
    ):
        table = make_table(allows_api_players=True)
        with refused(NOT_FOR_BOT_ACCOUNTS):
            sit(table, bot, amount=80)
        seat_all(table, make_player(), make_player())
        with refused(NOT_FOR_BOT_ACCOUNTS):
            join_queue(table_id=table.pk, user_id=bot.pk, by_program=True)
        assert not table.queue.exists()


def test_an_account_that_has_played_cannot_become_a_bot(make_table, make_player):
    player, table = make_player(), make_table()
    seat_all(table, player)
    leave(table, player)
    with pytest.raises(NoBotAccount):
        become_bot(user_id=player.pk)
    assert reload(player).player_name == "Player 1"
    assert not player.is_bot_account


@pytest.mark.django_db(transaction=True)
def test_an_account_either_sits_down_or_becomes_a_bot(make_table, make_player):
    for _ in range(5):
        player, table = make_player(), make_table()
        sit_down = partial(seat_all, table, player)
        ended = names_of(run_at_once(sit_down, partial(become_bot, user_id=player.pk)))
        seated = Seat.objects.filter(user=player).exists()
        assert reload(player).is_bot_account is not seated, ended
