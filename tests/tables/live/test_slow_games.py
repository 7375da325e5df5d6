"""Slow games: notices, breaks in which players read results, and deadlines of days."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now
from redis import Redis

from accounts.models import AbsenceNotice, User
from core.database.leases import Job, lease
from core.models import OutgoingEmail
from games.engine.fields import DAY_SECONDS
from games.engine.paces import pace_fields
from games.registry import get_game
from tables.catalog import format_title
from tables.house_rules.facts import rules_at
from tables.live import slow_games
from tables.live.alerts import AWAY_FOR, call_players, notify_absent
from tables.live.clock import act_on_table, list_due_tables, wait_for_next
from tables.live.slow_games import LOOKED_PAUSE, REMINDED_BEFORE, TOLD_AFTER, maintain_slow_games
from tables.models import Change, ChangeKind, ClockOutage, Match, Seat, Table, TableStatus
from tables.play.bots import come_back
from tables.play.faults import list_owed_tables
from tables.play.reading import read_database_time
from tables.refusals import TooManyTables
from tables.seating.selectors import list_own_tables
from tables.seating.sitting import play_again
from tables.seating.supply import SLOW_TABLE_WAITS, keep_supplied
from tests.given import reload, require
from tests.tables.driving import (
    act,
    drop,
    game_view,
    hand_of,
    leave,
    let_time_pass,
    list_seated,
    play_a_turn,
    player_at,
    seat_all,
    start_match,
    state_of,
)
from tests.tables.replaying import replay

pytestmark = pytest.mark.django_db
DAY_MS = DAY_SECONDS * 1000


@pytest.fixture
def make_slow(make_free):
    def make(preset="points", **terms):
        book = get_game("indian").rules
        changes = pace_fields(book, book.preset(preset), "slow")
        return make_free(**{"preset": preset, "changes": changes, "name": "Banyan Court", **terms})

    return make


@pytest.fixture
def table(make_slow, make_player):
    return start_match(make_slow(), make_player(), make_player())


@pytest.fixture
def match(make_slow, make_player):
    """A match of two deals."""
    return start_match(make_slow("deals2"), make_player(), make_player())


def let_minutes_pass(table):
    """Age the table's changes by the time after which a waited-for player is notified."""
    Change.objects.filter(table=table).update(at_ms=F("at_ms") - TOLD_AFTER)


def open_table_page(settings, table, *seats):
    with Redis.from_url(settings.PRESENCE_REDIS_URL) as redis:
        for seat in seats:
            redis.hset(f"presence:{table.pk}", str(seat), f"socket {read_database_time()}")


def close_table_page(settings, table):
    with Redis.from_url(settings.PRESENCE_REDIS_URL) as redis:
        redis.delete(f"presence:{table.pk}")


def list_emails():
    return list(OutgoingEmail.objects.order_by("pk").values_list("user_id", "subject"))


def set_hours_left(table, hours):
    Table.objects.filter(pk=table.pk).update(deadline_at=Now() + timedelta(hours=hours))


def declare_at_once(table):
    """End a deal without drops: the current player declares a worthless hand. Return their seat."""
    seat = game_view(table)["turn"]
    act(table, seat, kind="draw", source="closed")
    cards = hand_of(table, seat)["hand"]
    assert act(table, seat, kind="finish", card=cards[-1]).refusal is None
    assert act(table, seat, kind="declare", groups=[cards[:-1]]).refusal is None
    return seat


class TestYourMove:
    def test_the_player_at_turn_is_told_once_with_a_link(self, table, client):
        turn = game_view(table)["turn"]
        assert maintain_slow_games() == 0  # the player may still come
        let_minutes_pass(table)
        assert [maintain_slow_games() for _ in range(3)] == [1, 0, 0]
        assert list_emails() == [(player_at(table, turn).pk, "Your move at Banyan Court")]
        text = OutgoingEmail.objects.get().text
        assert "You have time until" in text
        # The session may have ended, so the link goes through the sign-in page.
        [link] = [line for line in text.splitlines() if line.startswith("http://testserver/")]
        path = link.removeprefix("http://testserver")
        assert client.get(path).status_code == 200
        client.force_login(player_at(table, turn))
        assert client.get(path).headers["Location"] == f"/tables/{table.pk}/"
        play_a_turn(table)
        let_minutes_pass(table)
        assert [maintain_slow_games() for _ in range(2)] == [1, 0]
        assert list_emails()[1][0] == player_at(table, 1 - turn).pk

    def test_a_player_with_the_page_open_is_told_after_closing_it(self, table, settings):
        turn = game_view(table)["turn"]
        let_minutes_pass(table)
        open_table_page(settings, table, turn)
        assert maintain_slow_games() == 0
        close_table_page(settings, table)
        assert maintain_slow_games() == 1

    def test_a_reminder_comes_once_when_little_time_is_left(self, table, settings):
        turn = game_view(table)["turn"]
        let_minutes_pass(table)
        maintain_slow_games()
        set_hours_left(table, REMINDED_BEFORE / timedelta(hours=1) + 1)
        assert maintain_slow_games() == 0
        set_hours_left(table, 1)
        assert [maintain_slow_games() for _ in range(3)] == [1, 0, 0]
        assert list_emails()[1] == (
            player_at(table, turn).pk,
            "Little time is left at Banyan Court",
        )
        play_a_turn(table)
        assert Seat.objects.filter(table=table, reminded_turn=table.turn_version).count() <= 1

    @pytest.mark.parametrize(
        ("wanted", "has_device", "told"),
        [
            (AbsenceNotice.PUSH_OR_EMAIL, True, "push"),
            (AbsenceNotice.PUSH_OR_EMAIL, False, "mail"),
            (AbsenceNotice.PUSH, True, "push"),
            (AbsenceNotice.PUSH, False, None),
            (AbsenceNotice.NONE, True, None),
        ],
    )
    def test_players_choose_how_slow_games_tell_them(
        self, table, monkeypatch, wanted, has_device, told
    ):
        called = []
        monkeypatch.setattr(slow_games, "push_after_commit", lambda who, call: called.append(call))
        monkeypatch.setattr(
            slow_games, "filter_subscribed_players", lambda who: set(who) if has_device else set()
        )
        User.objects.update(absence_notice=wanted)
        let_minutes_pass(table)
        assert maintain_slow_games() == (told is not None)
        pushes = [("move", f"/tables/{table.pk}/")] * (told == "push")
        assert [(call.kind, call.url) for call in called] == pushes
        # The push message expires with the turn.
        assert all(DAY_SECONDS - 60 < call.seconds <= DAY_SECONDS for call in called)
        assert len(list_emails()) == (told == "mail")

    def test_the_email_of_a_slow_game_is_in_the_players_language(self, table):
        User.objects.update(language="hi")
        let_minutes_pass(table)
        assert maintain_slow_games() == 1
        assert "Your move" not in list_emails()[0][1]
        assert "Banyan Court" in list_emails()[0][1]

    def test_without_redis_or_the_lease_no_slow_game_is_tended(self, table, settings):
        let_minutes_pass(table)
        with lease(Job.TENDING_SLOW_GAMES):
            assert maintain_slow_games() == 0
        urls = settings.PRESENCE_REDIS_URL
        settings.PRESENCE_REDIS_URL = "redis://127.0.0.1:9/0"
        assert maintain_slow_games() == 0
        settings.PRESENCE_REDIS_URL = urls
        assert maintain_slow_games() == 1

    def test_the_alerts_of_live_tables_skip_slow_ones(self, table, monkeypatch, settings):
        """Neither turn alerts nor absence notices are sent for slow tables."""
        monkeypatch.setattr("tables.live.alerts.push_is_on", lambda: True)
        monkeypatch.setattr("tables.live.alerts._alert_waited_for", len)
        assert call_players() == 0
        notify_absent()
        Seat.objects.update(away_since=F("away_since") - AWAY_FOR)
        assert notify_absent() == 0
        assert list_emails() == []
        assert not Seat.objects.filter(away_told_at=None).exists()  # it is not checked again


class TestResults:
    def test_the_next_deal_begins_when_all_have_seen_the_result(self, match, settings):
        ended_by = declare_at_once(match)
        assert game_view(match)["phase"] == "between"
        let_minutes_pass(match)
        assert [maintain_slow_games() for _ in range(2)] == [1, 0]
        other = player_at(match, 1 - ended_by)
        assert list_emails() == [(other.pk, "See how the deal ended at Banyan Court")]
        assert get_milliseconds_left(match) > DAY_MS - 60_000
        open_table_page(settings, match, 1 - ended_by)
        maintain_slow_games()
        assert get_milliseconds_left(match) <= LOOKED_PAUSE
        assert Change.objects.filter(table=match).latest("version").kind == ChangeKind.POSTPONED
        run_out_a_day(match)
        assert game_view(match)["deal"] == 2
        maintain_slow_games()
        assert not Seat.objects.filter(awaits_look=True).exists()

    def test_a_result_is_shown_for_a_day_at_most(self, match):
        declare_at_once(match)
        let_minutes_pass(match)
        maintain_slow_games()
        assert get_milliseconds_left(match) <= DAY_MS
        run_out_a_day(match)
        assert game_view(match)["deal"] == 2

    def test_two_present_players_go_on_within_a_minute(self, match, settings):
        declare_at_once(match)
        open_table_page(settings, match, 0, 1)
        assert maintain_slow_games() == 0
        assert get_milliseconds_left(match) <= LOOKED_PAUSE
        # The match replays from its seeds and changes.
        assert replay(Match.objects.get(table=match)) == bytes(require(reload(match).state))


class TestAfterTheMatch:
    def test_players_have_a_day_to_ask_for_another_match(self, table):
        drop(table)
        assert reload(table).status == TableStatus.BETWEEN
        assert get_milliseconds_left(table) > DAY_MS - 60_000
        let_minutes_pass(table)
        assert [maintain_slow_games() for _ in range(2)] == [2, 0]
        assert {subject for _user, subject in list_emails()} == {
            "The match at Banyan Court is over"
        }
        for seat in (0, 1):
            play_again(table_id=table.pk, user_id=player_at(table, seat).pk, amount=0)
        assert get_milliseconds_left(table) <= 1_000
        let_time_pass(table)
        assert Match.objects.filter(table=table).count() == 2

    def test_a_player_who_does_not_ask_loses_the_seat(self, table):
        drop(table)
        first = player_at(table, 0)
        play_again(table_id=table.pk, user_id=first.pk, amount=0)
        let_time_pass(table)
        assert reload(table).status == TableStatus.WAITING
        assert list_seated(table) == [first.pk]


class TestAMissedDay:
    def test_a_missed_day_is_a_missed_turn_shown_to_all(self, table):
        turn = game_view(table)["turn"]
        run_out_a_day(table)
        assert game_view(table)["players"][str(turn)]["missed"] == 1
        told = Change.objects.filter(table=table).latest("version")
        assert "missed_turn" in [event["kind"] for event in told.events]
        assert game_view(table)["turn"] == 1 - turn
        let_minutes_pass(table)
        assert maintain_slow_games() == 1

    def test_a_week_of_missed_days_drops_the_player(self, table):
        for _ in range(13):
            run_out_a_day(table)
        assert reload(table).status == TableStatus.BETWEEN

    @pytest.fixture
    def with_bots(self, make_slow, make_player):
        """A slow game at which bots play for absent players."""
        return start_match(make_slow(bots_take_over=True), make_player(), make_player())

    def test_a_player_replaced_by_a_bot_after_many_missed_days_is_told_once(
        self, with_bots, client
    ):
        Seat.objects.filter(table=with_bots).update(away_since=Now() - timedelta(days=1))
        turn = game_view(with_bots)["turn"]
        absent = player_at(with_bots, turn)
        run_out_a_day(with_bots)
        assert game_view(with_bots)["players"][str(turn)]["missed"] == 1
        assert not Seat.objects.exclude(bot_since=None).exists()
        for _ in range(12):
            run_out_a_day(with_bots)
        assert Seat.objects.exclude(bot_since=None).get().number == turn
        told = OutgoingEmail.objects.filter(user_id=absent.pk, subject__contains="A bot plays")
        maintain_slow_games()
        mail = told.get()
        assert mail.subject == "A bot plays for you at Banyan Court"
        assert "I am back" in mail.text
        let_minutes_pass(with_bots)
        maintain_slow_games()
        assert told.count() == 1
        client.force_login(absent)
        assert "A bot plays for you" in client.get("/").text
        # A later replacement is announced again.
        come_back(table_id=with_bots.pk, user_id=absent.pk)
        Seat.objects.filter(table=with_bots, number=turn).update(bot_since=Now())
        maintain_slow_games()
        assert told.count() == 2

    def test_present_players_and_leavers_are_told_of_no_bot(self, make_slow, players, settings):
        table = start_match(make_slow(bots_take_over=True, max_seats=3), *players[:3])
        here, gone = Seat.objects.filter(table=table).order_by("number")[:2]
        leave(table, gone.user)
        open_table_page(settings, table, here.number)
        Seat.objects.filter(pk=here.pk).update(bot_since=Now())
        maintain_slow_games()
        close_table_page(settings, table)
        maintain_slow_games()
        assert not OutgoingEmail.objects.filter(subject__contains="A bot plays").exists()

    def test_the_next_deal_does_not_wait_for_bots(self, make_slow, players, settings):
        table = start_match(make_slow("pool101", bots_take_over=True, max_seats=3), *players[:3])
        order = game_view(table)["order"]
        seat = order[order.index(game_view(table)["turn"]) - 1]  # the last to act
        leave(table, player_at(table, seat))
        away = Seat.objects.filter(table=table, number=seat)
        away.update(status="PLAYING", told_of_bot=True)
        drop(table)
        drop(table)
        open_table_page(settings, table, *(set(range(3)) - {seat}))
        assert maintain_slow_games() == 0
        assert get_milliseconds_left(table) <= LOOKED_PAUSE


class TestWhileNobodyIsConnected:
    def test_the_clock_leaves_a_slow_game_alone_for_a_day(self, table):
        assert list_due_tables(10) == []
        assert require(wait_for_next()) > DAY_MS - 60_000
        assert act_on_table(table.pk) is None

    def test_an_outage_is_given_back_at_the_deadline(self, table):
        ago = [Now() - timedelta(seconds=seconds) for seconds in (60, 30)]
        outage = ClockOutage.objects.create(began_at=ago[0], ended_at=ago[1])
        assert list_owed_tables(outage.pk) == []
        Change.objects.filter(table=table).update(at_ms=F("at_ms") - DAY_MS)
        assert require(let_time_pass(table)).kind == ChangeKind.POSTPONED
        assert game_view(table)["players"]["0"]["missed"] == 0

    def test_slow_and_live_tables_have_separate_limits(
        self, make_slow, make_table, make_player, settings
    ):
        settings.TABLES_AT_ONCE, settings.SLOW_TABLES_AT_ONCE = 1, 2
        player = make_player()
        for make, limit in ((make_slow, 2), (make_table, 1)):
            for _ in range(limit):
                seat_all(make(), player)
            with pytest.raises(TooManyTables):
                seat_all(make(), player)

    def test_an_empty_slow_table_stays_open_for_days(self, make_slow, make_free, players):
        slow, played = make_slow(), start_match(make_slow(), *players[:2])
        make_free()
        for player in players[:2]:
            leave(played, player)

        def age(by):
            Table.objects.update(created_at=F("created_at") - by)
            keep_supplied()
            found = Table.objects.exclude(status=TableStatus.CLOSED)
            return set(found.values_list("pk", flat=True))

        assert age(timedelta(hours=1)) == {slow.pk}  # neither the live one, nor one in play
        assert age(SLOW_TABLE_WAITS) == set()


def get_milliseconds_left(table):
    return (require(reload(table).deadline_at).timestamp() * 1000) - read_database_time()


def run_out_a_day(table):
    """Move a match and its deadline a day into the past, and let the clock act."""
    game = get_game(reload(table).game)
    state = game.core.postpone(game.stored.load(state_of(table)), by_ms=-DAY_MS - 1)
    stored = {"state": game.stored.dump(state), "deadline_at": Now(), "bot_due_at": None}
    Table.objects.filter(pk=table.pk).update(**stored)
    return act_on_table(table.pk)


class TestPages:
    def test_the_lobby_lists_slow_games_in_a_section_without_clocks(
        self, table, make_table, client
    ):
        turn = game_view(table)["turn"]
        for seat, words in ((turn, "Your move"), (1 - turn, "Waiting for Player")):
            client.force_login(player_at(table, seat))
            page = client.get("/").text
            start = page.index("own-tables--slow")
            listed = page[start : page.index("</section>", start)]
            for part in (words, "until", f"/tables/{table.pk}/"):
                assert part in listed
            # No clock ticks.
            assert "own-table__clock" not in listed
            assert page.count("own-table__link") == 1
        player = player_at(table, 0)
        seat_all(make_table(), player)
        assert sorted(one.is_slow for one in list_own_tables(player.pk)) == [False, True]
        assert [one.is_slow for one in list_own_tables(player.pk, is_slow=False)] == [False]

    def test_titles_and_rules_name_the_pace(self, table, make_slow, make_table, client):
        own = {**table.rules, "first_drop": 10}
        for made, title in (
            (table, "Points, slow"),
            (make_slow("pool101"), "Pool 101, slow"),
            (make_table(changes={"turn_seconds": 31}), "Points, own rules"),
            (make_slow(changes=own), "Points, own rules, slow"),
        ):
            assert format_title(made) == title
        facts = {fact.field: fact.value for fact in rules_at(table.pk)["facts"]}
        assert (facts["turn_seconds"], facts["max_minutes"]) == ("1 day", "no limit")

    def test_the_page_says_that_the_next_deal_or_match_waits_for_all(self, table, match, client):
        deal = "Next deal when all have seen the result"
        client.force_login(player_at(match, 0))
        assert deal in client.get(f"/tables/{match.pk}/").text
        client.force_login(player_at(table, 0))
        page = client.get(f"/tables/{table.pk}/").text
        assert deal not in page
        assert "Next match when all who stay have asked for it" in page
