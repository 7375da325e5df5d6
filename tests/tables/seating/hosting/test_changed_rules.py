"""Changes that the host makes to a private table's rules and name between two matches."""

from dataclasses import replace

import pytest
from django.urls import reverse

from history.replay import build_replay
from history.selectors import list_matches
from tables.catalog import format_match_title
from tables.models import Match, Seat, Table, TableStatus
from tables.play.reading import snapshot
from tables.refusals import (
    MATCH_RUNNING,
    MORE_PLAYERS_THAN_SEATS,
    NOT_THE_HOST,
    SEAT_TAKEN,
    STAKE_STAYS,
    TABLE_NAME_REFUSED,
    NotAllReady,
    NotSeated,
)
from tables.seating.hosting.form import HostForm, read_choices
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.hosting.services import (
    change_rules,
    rename_table,
    start_table,
    take_back_ready,
)
from tables.seating.sitting import play_again
from tests.given import reload, require
from tests.refusals import kind_of, refused
from tests.tables.driving import chips_of, end_match, leave, let_time_pass, make_kind, seat_all
from tests.together import run_at_once

pytestmark = pytest.mark.django_db
TERMS = HostTerms(game="indian", preset="pool101", seats=3)


@pytest.fixture
def table(players):
    return open_hosted_table(TERMS, user_id=players[0].pk)


@pytest.fixture
def full(table, players):
    seat_all(table, *players[1:3])
    return table


def change(table, player, **fields):
    return change_rules(table_id=table.pk, user_id=player.pk, terms=replace(TERMS, **fields))


def columns(table):
    return Table.objects.filter(pk=table.pk).values().get()


def expect_refusal(table, player, refusal, **fields):
    before, seats = columns(table), list(Seat.objects.order_by("pk").values())
    with refused(refusal):
        change(table, player, **fields)
    assert (columns(table), list(Seat.objects.order_by("pk").values())) == (before, seats)


def begin(table, *players):
    for player in players:
        play_again(table_id=table.pk, user_id=player.pk, amount=0)
    start_table(table_id=table.pk, user_id=players[0].pk)
    let_time_pass(table)
    return Match.objects.latest("pk")


def test_everybody_agrees_to_changed_rules_before_the_match_begins(full, players):
    host, guest, friend, _stranger = players
    change(full, host, preset="deals2")
    with pytest.raises(NotAllReady):
        start_table(table_id=full.pk, user_id=host.pk)
    play_again(table_id=full.pk, user_id=guest.pk, amount=0)
    with pytest.raises(NotAllReady):
        start_table(table_id=full.pk, user_id=host.pk)
    match = begin(full, host, friend)
    assert match.rules["name"] == "deals2"
    assert len(match.players) == 3


def test_rules_change_between_two_matches_and_not_during_one(full, players):
    first = begin(full, *players[:3])
    expect_refusal(full, players[0], MATCH_RUNNING, preset="deals2")
    end_match(full)
    change(full, players[0], preset="points", seats=4)
    changed = reload(full)
    assert (changed.format, changed.max_seats, changed.state) == ("POINTS", 4, None)
    assert (changed.status, changed.deadline_at) == (TableStatus.WAITING, None)
    assert begin(full, *players[:3]).pk > first.pk
    first.refresh_from_db()
    assert first.rules["name"] == "pool101"


def test_only_the_host_changes_rules(full, players):
    expect_refusal(full, players[1], NOT_THE_HOST, preset="deals2")
    expect_refusal(full, players[3], NotSeated, preset="deals2")


def test_everybody_keeps_a_chair(full, players):
    expect_refusal(full, players[0], MORE_PLAYERS_THAN_SEATS, seats=2)
    Seat.objects.filter(user=players[1]).update(left_at="2026-01-01T00:00Z")
    changed = change(full, players[0], seats=2)
    chairs = Seat.objects.filter(left_at=None).order_by("number").values_list("user", "number")
    assert list(chairs) == [(players[0].pk, 0), (players[2].pk, 1)]
    assert players[2].pk in changed.players  # their view starts over


def test_game_and_stake_and_slowness_stay(fees, full, players):
    make_kind(preset="pool101", entry_fee=100)
    expect_refusal(full, players[0], STAKE_STAYS, stake=100)
    expect_refusal(full, players[0], STAKE_STAYS, game="rummikub", preset="modern", seats=3)
    expect_refusal(full, players[0], STAKE_STAYS, pace="slow")


def test_what_was_brought_stays_in_front_of_its_player(fees, players):
    make_kind(preset="pool101", entry_fee=100)
    terms = replace(TERMS, stake=100)
    table = open_hosted_table(terms, user_id=players[0].pk)
    seat_all(table, players[1])
    before = [chips_of(player) for player in players[:2]]
    change_rules(table_id=table.pk, user_id=players[0].pk, terms=replace(terms, preset="pool201"))
    assert [chips_of(player) for player in players[:2]] == before
    seen = require(snapshot(table_id=table.pk, user_id=players[1].pk)).state
    assert [chair["stack"] for chair in seen["seats"]] == [100, 100, 0]
    assert begin(table, *players[:2]).rules["name"] == "pool201"


def test_the_change_says_what_a_snapshot_would(full, players):
    begin(full, *players[:3])
    end_match(full)
    before = require(snapshot(table_id=full.pk, user_id=players[1].pk)).state
    made = change(full, players[0], preset="deals2", allows_chat=False)
    after = require(snapshot(table_id=full.pk, user_id=players[1].pk)).state
    patched = dict(before)
    for key, part in made.patch.items():
        is_whole = part is None or isinstance(part, list)
        patched[key] = part if is_whole else {**before[key], **part}
    patched["you"] = {**before["you"], **made.private["1"]}
    left = {key: patched["you"][key] for key in after["you"]}  # a game may leave more of it there
    assert {**patched, "you": left} == after


@pytest.mark.parametrize(
    "terms",
    [
        TERMS,
        replace(TERMS, preset="deals2", seats=2, pace="blitz", gives_help=True),
        replace(TERMS, changes={"max_set_size": 3}, fills_with_bots=True, allows_chat=False),
        HostTerms(game="gin", preset="game100", seats=2, pace="relaxed"),
        HostTerms(game="rummikub", preset="modern", seats=4, bots_take_over=True),
    ],
)
def test_the_form_begins_with_the_rules_of_the_table(players, terms):
    table = open_hosted_table(terms, user_id=players[0].pk)
    form = HostForm(terms.game, read_choices(table), table=table)
    assert form.is_valid(), form.errors
    before = columns(table)
    change_rules(table_id=table.pk, user_id=players[0].pk, terms=form.terms())
    assert {**columns(table), "version": before["version"]} == before


def test_the_host_sees_the_form_and_changes_the_rules_by_it(client, full, players):
    address = reverse("tables:change_rules", args=[full.pk])
    client.force_login(players[1])
    assert client.get(address).status_code == 404
    client.force_login(players[0])
    page = client.get(address)
    assert page.context["form"]["seats"].value() == "3"
    sent = {**page.context["form"].list_sent(), "rules": "deals2"}
    assert client.post(address, {**sent, "stake": "100"}).status_code == 200  # refused: it is free
    assert reload(full).format == "POOL"
    assert client.post(address, sent).status_code == 302
    assert reload(full).format == "DEALS"


def test_who_was_ready_may_wait_until_the_start(client, full, players):
    host, guest, friend, stranger = players
    client.force_login(guest)
    address = reverse("tables:not_ready", args=[full.pk])
    assert "Not ready yet" in client.get(reverse("table", args=[full.pk])).text
    client.post(address)
    with pytest.raises(NotAllReady, match=guest.player_name):
        start_table(table_id=full.pk, user_id=host.pk)
    client.post(address)  # a repeated request changes nothing
    play_again(table_id=full.pk, user_id=guest.pk, amount=0)
    start_table(table_id=full.pk, user_id=host.pk)
    before = columns(full)
    with refused(MATCH_RUNNING):
        take_back_ready(table_id=full.pk, user_id=friend.pk)
    with pytest.raises(NotSeated):
        take_back_ready(table_id=full.pk, user_id=stranger.pk)
    assert columns(full) == before
    let_time_pass(full)
    assert len(Match.objects.get().players) == 3


def test_a_start_and_a_second_thought_at_once_have_one_outcome(transactional_db, full, players):
    host, guest = players[:2]
    run_at_once(
        lambda: start_table(table_id=full.pk, user_id=host.pk),
        lambda: take_back_ready(table_id=full.pk, user_id=guest.pk),
    )
    begins = reload(full).status == TableStatus.STARTING
    is_ready = Seat.objects.get(table=full, user=guest).plays_again
    assert begins == is_ready


def test_the_host_names_the_table(client, full, players):
    client.force_login(players[0])
    client.post(reverse("tables:rename", args=[full.pk]), {"name": "  Ravi's   evening "})
    assert reload(full).shown_name == "Ravi's evening"
    for name in ("", "x", "a" * 21, "OpenRummy support", "<b>"):
        with refused(TABLE_NAME_REFUSED):
            rename_table(table_id=full.pk, user_id=players[0].pk, name=name)
    with refused(NOT_THE_HOST):
        rename_table(table_id=full.pk, user_id=players[1].pk, name="Mine now")
    assert reload(full).shown_name == "Ravi's evening"
    change(full, players[0], preset="deals2")
    assert reload(full).shown_name == "Ravi's evening"


def test_a_match_of_before_is_shown_by_the_rules_that_it_was_played_by(client, full, players):
    host = players[0]
    first = begin(full, *players[:3])
    end_match(full)
    change(full, host, preset="points", seats=3)
    Seat.objects.filter(user=players[2]).update(left_at="2026-01-01T00:00Z")
    change(full, host, preset="points", seats=2)
    second = begin(full, *players[:2])
    end_match(full)
    first, second = (Match.objects.get(pk=match.pk) for match in (first, second))
    assert (first.format, second.format) == ("POOL", "POINTS")
    assert [format_match_title(match) for match in (first, second)] == ["Pool 101", "Points"]
    assert list_matches(user_id=host.pk, before=None, length=9, format="POOL") == [first]
    assert list_matches(user_id=host.pk, before=None, length=9, format="POINTS") == [second]
    client.force_login(host)
    shown = require(build_replay(first, number=1))["state"]
    assert (shown["table"]["format"], shown["table"]["title"]) == ("POOL", "Pool 101")
    assert len(shown["seats"]) == 3
    assert "Pool 101" in client.get(reverse("match", args=[first.pk])).text


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_a_match_begins_by_the_rules_that_everybody_agreed_to(self, full, players):
        for player in players[:3]:
            play_again(table_id=full.pk, user_id=player.pk, amount=0)
        results = run_at_once(
            lambda: change(full, players[0], preset="deals2"),
            lambda: start_table(table_id=full.pk, user_id=players[0].pk),
        )
        after = reload(full)
        failed = [kind_of(one) for one in results if isinstance(one, Exception)]
        if after.status == TableStatus.STARTING:
            assert (failed, after.format) == ([MATCH_RUNNING], "POOL")
        else:
            assert (failed, after.format) == ([NotAllReady], "DEALS")

    def test_nobody_sits_on_a_chair_that_is_gone(self, table, players):
        """Two players sit down while another leaves and the host reduces three seats to two."""
        host, leaver, *comers = players
        seat_all(table, leaver)
        results = run_at_once(
            lambda: change(table, host, preset="deals2", seats=2),
            lambda: leave(table, leaver),
            *(lambda comer=comer: seat_all(table, comer) for comer in comers),
        )
        failed = {kind_of(one) for one in results if isinstance(one, Exception)}
        assert failed <= {MORE_PLAYERS_THAN_SEATS, SEAT_TAKEN}
        row = reload(table)
        seats = Seat.objects.filter(table=table, left_at=None)
        chairs = sorted(seats.values_list("number", flat=True))
        assert chairs == sorted(set(chairs))
        assert chairs[-1] < row.max_seats
        assert row.seats_taken == len(chairs)
        assert leaver.pk not in seats.values_list("user", flat=True)
        assert (row.format == "DEALS") == (row.max_seats == 2)
