"""Slow games: who is waited for is told once, results wait for all, and nothing assumes that anybody is connected."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from redis import Redis

from accounts.models import AbsenceNotice, User
from core.database.leases import Job, lease
from core.models import OutgoingEmail
from games.engine.paces import DAY_SECONDS, pace_fields
from games.registry import get_game
from tables.catalog import title_of
from tables.house_rules.facts import rules_at
from tables.live import slow_games
from tables.live.alerts import AWAY_FOR, call_players, tell_absent
from tables.live.clock import act_on_table, list_due_tables, wait_for_next
from tables.live.slow_games import LOOKED_PAUSE, REMINDED_BEFORE, TOLD_AFTER, tend_slow_games
from tables.models import Change, ChangeKind, ClockOutage, Match, Seat, Table, TableStatus
from tables.play.faults import list_owed_tables
from tables.play.reading import read_database_time
from tables.play.stand_ins import come_back
from tables.refusals import TooManyTables
from tables.seating.selectors import list_own_tables
from tables.seating.sitting import leave_table, play_again, take_seat
from tables.seating.supply import SLOW_TABLE_WAITS, keep_supplied
from tests.given import reload, require
from tests.tables.driving import (
    act,
    game_view,
    hand_of,
    leave,
    let_time_pass,
    play_a_turn,
    player_at,
)
from tests.tables.replaying import replay

pytestmark = pytest.mark.django_db
CODE = "abcdefghijkl"
DAY_MS = DAY_SECONDS * 1000


@pytest.fixture
def make_slow(make_table):
    def make(preset="points", code="indian", **terms):
        book = get_game(code).rules
        changes = pace_fields(book, book.preset(preset), "slow")
        return make_table(
            **{"game": code, "preset": preset, "changes": changes, "name": "Banyan Court",
               "point_value": 0, "entry_fee": 0, "invite_code": CODE, **terms}
        )  # fmt: skip

    return make


def sit(table, *players):
    for player in players:
        take_seat(table_id=table.pk, user_id=player.pk, amount=0, invite=CODE)


def begin(table, *players):
    sit(table, *players)
    let_time_pass(table)
    assert reload(table).status == TableStatus.PLAYING
    return table


@pytest.fixture
def table(make_slow, make_player):
    return begin(make_slow(), make_player(), make_player())


@pytest.fixture
def match(make_slow, make_player):
    """A match of two deals."""
    return begin(make_slow("deals2"), make_player(), make_player())


def let_minutes_pass(table):
    """Move what was done at the table further into the past than a player is waited for."""
    Change.objects.filter(table=table).update(at_ms=F("at_ms") - TOLD_AFTER)


def come(settings, table, *seats):
    with Redis.from_url(settings.PRESENCE_REDIS_URL) as redis:
        for seat in seats:
            redis.hset(f"presence:{table.pk}", str(seat), f"socket {read_database_time()}")


def go(settings, table):
    with Redis.from_url(settings.PRESENCE_REDIS_URL) as redis:
        redis.delete(f"presence:{table.pk}")


def mails():
    return list(OutgoingEmail.objects.order_by("pk").values_list("user_id", "subject"))


def hours_left(table, hours):
    Table.objects.filter(pk=table.pk).update(deadline_at=Now() + timedelta(hours=hours))


def drop_out(table):
    """End the deal: the player at turn drops."""
    seat = game_view(table)["turn"]
    assert act(table, seat, kind="drop").refusal is None
    return seat


def declare_at_once(table):
    """End a deal without drops: the player at turn declares a worthless hand."""
    seat = game_view(table)["turn"]
    act(table, seat, kind="draw", source="closed")
    cards = hand_of(table, seat)["hand"]
    assert act(table, seat, kind="finish", card=cards[-1]).refusal is None
    assert act(table, seat, kind="declare", groups=[cards[:-1]]).refusal is None
    return seat


class TestYourMove:
    def test_who_is_waited_for_is_told_once_a_turn_with_a_link(self, table, client):
        turn = game_view(table)["turn"]
        assert tend_slow_games() == 0  # they may be about to come
        let_minutes_pass(table)
        assert [tend_slow_games() for _ in range(3)] == [1, 0, 0]
        assert mails() == [(player_at(table, turn).pk, "Your move at Banyan Court")]
        text = OutgoingEmail.objects.get().text
        assert "You have time until" in text
        # A session may have ended since the last move: the link leads there by way of signing in.
        [link] = [line for line in text.splitlines() if line.startswith("http://testserver/")]
        path = link.removeprefix("http://testserver")
        assert client.get(path).status_code == 200
        client.force_login(player_at(table, turn))
        assert client.get(path).headers["Location"] == f"/tables/{table.pk}/"
        play_a_turn(table)
        let_minutes_pass(table)
        assert [tend_slow_games() for _ in range(2)] == [1, 0]
        assert mails()[1][0] == player_at(table, 1 - turn).pk

    def test_who_is_at_the_table_is_told_when_they_leave_without_a_move(self, table, settings):
        turn = game_view(table)["turn"]
        let_minutes_pass(table)
        come(settings, table, turn)
        assert tend_slow_games() == 0
        go(settings, table)
        assert tend_slow_games() == 1

    def test_a_reminder_comes_once_when_little_time_is_left(self, table, settings):
        turn = game_view(table)["turn"]
        let_minutes_pass(table)
        tend_slow_games()
        hours_left(table, REMINDED_BEFORE / timedelta(hours=1) + 1)
        assert tend_slow_games() == 0
        hours_left(table, 1)
        assert [tend_slow_games() for _ in range(3)] == [1, 0, 0]
        assert mails()[1] == (player_at(table, turn).pk, "Little time is left at Banyan Court")
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
    def test_players_choose_how(self, table, monkeypatch, wanted, has_device, told):
        called = []
        monkeypatch.setattr(slow_games, "push_after_commit", lambda who, call: called.append(call))
        monkeypatch.setattr(
            slow_games, "filter_subscribed_players", lambda who: set(who) if has_device else set()
        )
        User.objects.update(absence_notice=wanted)
        let_minutes_pass(table)
        assert tend_slow_games() == (told is not None)
        assert [(call.kind, call.url) for call in called] == [("move", f"/tables/{table.pk}/")] * (
            told == "push"
        )
        # The device keeps it for as long as the turn goes on.
        assert all(DAY_SECONDS - 60 < call.seconds <= DAY_SECONDS for call in called)
        assert len(mails()) == (told == "mail")

    def test_in_the_players_language(self, table):
        User.objects.update(language="hi")
        let_minutes_pass(table)
        assert tend_slow_games() == 1
        assert "Your move" not in mails()[0][1]
        assert "Banyan Court" in mails()[0][1]

    def test_without_redis_and_beside_another_process_nobody_is_told(self, table, settings):
        let_minutes_pass(table)
        with lease(Job.TENDING_SLOW_GAMES):
            assert tend_slow_games() == 0
        urls = settings.PRESENCE_REDIS_URL
        settings.PRESENCE_REDIS_URL = "redis://127.0.0.1:9/0"
        assert tend_slow_games() == 0
        settings.PRESENCE_REDIS_URL = urls
        assert tend_slow_games() == 1

    def test_the_alerts_of_live_tables_leave_slow_ones_alone(self, table, monkeypatch, settings):
        """No turn alert every two seconds, and nobody "still sits at a table"."""
        monkeypatch.setattr("tables.live.alerts.push_is_on", lambda: True)
        monkeypatch.setattr("tables.live.alerts._alert_waited_for", len)
        assert call_players() == 0
        tell_absent()
        Seat.objects.update(away_since=F("away_since") - AWAY_FOR)
        assert tell_absent() == 0
        assert mails() == []
        assert not Seat.objects.filter(away_told_at=None).exists()  # and is not looked at again


class TestResults:
    def test_the_next_deal_begins_when_all_have_looked(self, match, settings):
        ended_by = declare_at_once(match)
        assert game_view(match)["phase"] == "between"
        let_minutes_pass(match)
        assert [tend_slow_games() for _ in range(2)] == [1, 0]
        other = player_at(match, 1 - ended_by)
        assert mails() == [(other.pk, "See how it ended at Banyan Court")]
        assert milliseconds_left(match) > DAY_MS - 60_000
        come(settings, match, 1 - ended_by)
        tend_slow_games()
        assert milliseconds_left(match) <= LOOKED_PAUSE
        assert Change.objects.filter(table=match).latest("version").kind == ChangeKind.POSTPONED
        assert let_time_pass_of(match)["deal"] == 2
        tend_slow_games()
        assert not Seat.objects.filter(awaits_look=True).exists()

    def test_nobody_waits_longer_than_a_day(self, match):
        declare_at_once(match)
        let_minutes_pass(match)
        tend_slow_games()
        assert milliseconds_left(match) <= DAY_MS
        assert let_time_pass_of(match)["deal"] == 2

    def test_two_who_stay_go_on_within_a_minute(self, match, settings):
        declare_at_once(match)
        come(settings, match, 0, 1)
        assert tend_slow_games() == 0
        assert milliseconds_left(match) <= LOOKED_PAUSE
        # Seeds and changes are the record of it too.
        assert replay(Match.objects.get(table=match)) == bytes(require(reload(match).state))


class TestAfterTheMatch:
    def test_players_have_a_day_to_ask_for_another_one(self, table):
        drop_out(table)
        assert reload(table).status == TableStatus.BETWEEN
        assert milliseconds_left(table) > DAY_MS - 60_000
        let_minutes_pass(table)
        assert [tend_slow_games() for _ in range(2)] == [2, 0]
        assert {subject for _user, subject in mails()} == {"The match at Banyan Court is over"}
        for seat in (0, 1):
            play_again(table_id=table.pk, user_id=player_at(table, seat).pk, amount=0)
        assert milliseconds_left(table) <= 1_000
        let_time_pass(table)
        assert Match.objects.filter(table=table).count() == 2

    def test_who_does_not_ask_makes_room(self, table):
        drop_out(table)
        first = player_at(table, 0)
        play_again(table_id=table.pk, user_id=first.pk, amount=0)
        let_time_pass(table)
        assert reload(table).status == TableStatus.WAITING
        held = Seat.objects.filter(table=table, left_at=None)
        assert list(held.values_list("user_id", flat=True)) == [first.pk]


class TestAMissedDay:
    def test_is_a_missed_turn_told_to_all(self, table):
        turn = game_view(table)["turn"]
        run_out_a_day(table)
        assert game_view(table)["players"][str(turn)]["missed"] == 1
        told = Change.objects.filter(table=table).latest("version")
        assert "missed_turn" in [event["kind"] for event in told.events]
        assert told.private == {} or told.version is not None
        assert game_view(table)["turn"] == 1 - turn
        let_minutes_pass(table)
        assert tend_slow_games() == 1

    def test_a_week_of_them_drops_the_player(self, table):
        for _ in range(13):
            run_out_a_day(table)
        assert reload(table).status == TableStatus.BETWEEN

    def test_is_one_too_where_bots_play_on(self, make_slow, make_player):
        """A bot comes for who misses too many turns, not for who has no page open at night."""
        table = begin(make_slow(bots_take_over=True), *(make_player() for _ in range(2)))
        Seat.objects.filter(table=table).update(away_since=Now() - timedelta(days=1))
        turn = game_view(table)["turn"]
        run_out_a_day(table)
        assert game_view(table)["players"][str(turn)]["missed"] == 1
        assert not Seat.objects.exclude(bot_since=None).exists()
        for _ in range(12):
            run_out_a_day(table)
        assert list(Seat.objects.exclude(bot_since=None).values_list("number", flat=True)) == [turn]

    def test_who_is_replaced_by_a_bot_is_told_once(self, make_slow, make_player, client):
        table = begin(make_slow(bots_take_over=True), *(make_player() for _ in range(2)))
        turn = game_view(table)["turn"]
        absent = player_at(table, turn)
        for _ in range(13):
            run_out_a_day(table)
        told = OutgoingEmail.objects.filter(user_id=absent.pk, subject__contains="A bot plays")
        tend_slow_games()
        mail = told.get()
        assert mail.subject == "A bot plays for you at Banyan Court"
        assert "I am back" in mail.text
        let_minutes_pass(table)
        tend_slow_games()
        assert told.count() == 1
        client.force_login(absent)
        assert "A bot plays for you" in client.get("/").text
        # Told anew where it comes to that again.
        come_back(table_id=table.pk, user_id=absent.pk)
        Seat.objects.filter(table=table, number=turn).update(bot_since=Now())
        tend_slow_games()
        assert told.count() == 2

    def test_who_is_at_the_table_or_has_left_is_told_of_no_bot(
        self, make_slow, make_player, settings
    ):
        table = begin(
            make_slow(bots_take_over=True, max_seats=3), *(make_player() for _ in range(3))
        )
        here, gone = Seat.objects.filter(table=table).order_by("number")[:2]
        leave_table(table_id=table.pk, user_id=gone.user_id)
        come(settings, table, here.number)
        Seat.objects.filter(pk=here.pk).update(bot_since=Now())
        tend_slow_games()
        go(settings, table)
        tend_slow_games()
        assert not OutgoingEmail.objects.filter(subject__contains="A bot plays").exists()

    def test_the_next_deal_waits_for_no_seat_of_a_bot(self, make_slow, make_player, settings):
        table = begin(
            make_slow("pool101", bots_take_over=True, max_seats=3),
            *(make_player() for _ in range(3)),
        )
        leaver = player_at(table, (game_view(table)["turn"] + 2) % 3)
        leave(table, leaver)
        away = Seat.objects.get(table=table, user=leaver)
        Seat.objects.filter(pk=away.pk).update(status="PLAYING", told_of_bot=True)
        drop_out(table)
        drop_out(table)
        come(settings, table, *(set(range(3)) - {away.number}))
        assert tend_slow_games() == 0
        assert reload(table).deadline_at - timezone.now() <= timedelta(milliseconds=LOOKED_PAUSE)


class TestWhileNobodyIsConnected:
    def test_the_clock_has_nothing_to_do_for_a_day(self, table):
        assert list_due_tables(10) == []
        assert require(wait_for_next()) > DAY_MS - 60_000
        assert act_on_table(table.pk) is None

    def test_an_outage_is_given_back_at_the_deadline(self, table):
        outage = ClockOutage.objects.create(
            began_at=Now() - timedelta(seconds=60), ended_at=Now() - timedelta(seconds=30)
        )
        assert list_owed_tables(outage.pk) == []
        Change.objects.filter(table=table).update(at_ms=F("at_ms") - DAY_MS)
        assert require(let_time_pass(table)).kind == ChangeKind.POSTPONED
        assert game_view(table)["players"]["0"]["missed"] == 0

    def test_slow_tables_count_by_themselves(self, make_slow, make_table, make_player, settings):
        settings.TABLES_AT_ONCE, settings.SLOW_TABLES_AT_ONCE = 1, 2
        player = make_player()
        for _ in range(2):
            sit(make_slow(), player)
        with pytest.raises(TooManyTables):
            sit(make_slow(), player)
        take_seat(table_id=make_table().pk, user_id=player.pk, amount=800)
        with pytest.raises(TooManyTables):
            take_seat(table_id=make_table().pk, user_id=player.pk, amount=800)

    def test_an_empty_slow_table_waits_for_days(self, make_slow, make_table, make_player):
        slow, played = make_slow(), begin(make_slow(), make_player(), make_player())
        live = make_table(point_value=0, entry_fee=0, invite_code=CODE)
        for seat in (0, 1):
            leave(played, player_at(played, seat))

        def older(by):
            Table.objects.update(created_at=F("created_at") - by)
            keep_supplied()
            found = Table.objects.exclude(status=TableStatus.CLOSED)
            return set(found.values_list("pk", flat=True))

        assert older(timedelta(hours=1)) == {slow.pk}  # neither the live one nor one played at
        assert live.pk != slow.pk
        assert older(SLOW_TABLE_WAITS) == set()


def milliseconds_left(table):
    return (require(reload(table).deadline_at).timestamp() * 1000) - read_database_time()


def run_out_a_day(table):
    """Move a match and its deadline a day into the past, and let the clock act."""
    game = get_game(table.game)
    table.refresh_from_db()
    state = game.core.postpone(game.stored.load(bytes(require(table.state))), by_ms=-DAY_MS - 1)
    Table.objects.filter(pk=table.pk).update(
        state=game.stored.dump(state), deadline_at=Now(), bot_due_at=None
    )
    return act_on_table(table.pk)


def let_time_pass_of(table):
    run_out_a_day(table)
    return game_view(table)


class TestPages:
    def test_the_lobby_lists_slow_games_calmly_and_apart(
        self, table, make_table, make_player, client
    ):
        turn = game_view(table)["turn"]
        for seat, words in ((turn, "Your move"), (1 - turn, "Waiting for Player")):
            client.force_login(player_at(table, seat))
            page = client.get("/").text
            start = page.index("own-tables--slow")
            listed = page[start : page.index("</section>", start)]
            assert words in listed
            assert "until" in listed
            assert f"/tables/{table.pk}/" in listed
            # Nothing ticks, and the list of running tables is empty.
            assert "own-table__clock" not in listed
            assert page.count("own-table__link") == 1
        take_seat(table_id=make_table().pk, user_id=player_at(table, 0).pk, amount=800)
        own = list_own_tables(player_at(table, 0).pk)
        assert sorted(one.is_slow for one in own) == [False, True]
        assert [one.is_slow for one in list_own_tables(player_at(table, 0).pk, is_slow=False)] == [
            False
        ]

    def test_titles_and_rules_name_the_pace(self, table, make_slow, make_table, client):
        assert title_of(table) == "Points, slow"
        assert title_of(make_slow("pool101")) == "Pool 101, slow"
        assert title_of(make_table(changes={"turn_seconds": 31})) == "Points, own rules"
        assert title_of(make_slow(changes={**table.rules, "first_drop": 10})) == (
            "Points, own rules, slow"
        )
        facts = {fact.field: fact.value for fact in rules_at(table.pk)["facts"]}
        assert (facts["turn_seconds"], facts["max_minutes"]) == ("1 day", "no limit")

    def test_the_table_says_that_the_next_one_waits_for_all(self, table, match, client):
        client.force_login(player_at(match, 0))
        page = client.get(f"/tables/{match.pk}/").text
        assert "Next deal when all have seen the result" in page
        client.force_login(player_at(table, 0))
        page = client.get(f"/tables/{table.pk}/").text
        assert "Next deal when all have seen the result" not in page
        assert "Next match when all who stay have asked for it" in page
