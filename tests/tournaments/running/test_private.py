"""Tournaments that players open for friends: unlisted, for chips, entered with a link."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.html import escape

from core.models import OutgoingEmail
from core.refusals import Refusal
from tests.api_program import Browser, Program
from tests.given import reload
from tests.refusals import refused
from tests.tournaments.browsing import read_page, sign_in
from tests.tournaments.driving import (
    assert_books_balance,
    chips_of,
    enter,
    play_to_the_end,
    pool_of,
    tick_and_reload,
)
from tests.tournaments.friends import join_cup, open_cup, start_cup
from tournaments.models import Entrant, Tournament
from tournaments.pages.private_form import list_game_choices
from tournaments.refusals import (
    TOO_FEW_TO_START,
    TOO_LATE_TO_WITHDRAW,
    TournamentNotFound,
)
from tournaments.rules.lifecycle import LifecycleStatus, TournamentPhase
from tournaments.running.private import call_off_own, start_now
from tournaments.running.tick import tick
from tournaments.store import reading

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("starting_fees")]

FORM = {
    "game": "indian:deals2",
    "format": "knock-out",
    "seats": "3",
    "deals": "1",
    "entry_fee": "200",
    "most": "9",
    "minutes": "10",
}


def name_of(cup):
    """Return the tournament's name, escaped for HTML."""
    return escape(cup.name)


def test_the_host_is_entered_and_friends_enter_with_the_code(make_player):
    host, friend, stranger = make_player(), make_player(), make_player()
    cup = open_cup(host)
    assert (cup.status, cup.seats_taken) == (LifecycleStatus.REGISTERING, 1)
    assert chips_of(host) == 9_800
    join_cup(cup, friend, cup.invite_code)
    for wrong in ("", "x", cup.invite_code[:-1], "\udcff"):
        with pytest.raises(TournamentNotFound):
            join_cup(cup, stranger, wrong)
    assert chips_of(stranger) == 10_000
    assert set(Entrant.objects.values_list("user_id", flat=True)) == {host.pk, friend.pk}


def test_a_private_tournament_is_in_no_list(make_player, client):
    cup = open_cup(make_player())
    assert reading.list_tournaments(phase=TournamentPhase.UPCOMING) == []
    assert name_of(cup) not in read_page(client, "/tournaments/")
    assert name_of(cup) not in read_page(client, "/")
    stranger = make_player()
    program = Program(stranger)
    assert program.get("tournaments/").json()["results"] == []
    answer = Browser(stranger).post(f"tournaments/{cup.pk}/register/", key="enter-01")
    assert answer.status_code == 404
    assert Program(cup.opened_by).get(f"tournaments/{cup.pk}/").status_code == 200


def test_a_private_page_is_shown_to_holders_of_the_link(make_player, client):
    cup = open_cup(make_player())
    address = cup.get_absolute_url()
    assert client.get(address).status_code == 404
    assert client.get(f"{address}?invite=wrong").status_code == 404
    body = read_page(client, cup.invite_url)
    assert cup.invite_code in body
    assert "invite%3D" in body  # signing in leads back here, with the code
    # A visitor who has shown the code once may open the other pages without it.
    assert client.get(address).status_code == 200
    client.logout()
    friend = make_player()
    sign_in(client, friend)
    assert client.get(address).status_code == 404
    client.get(cup.invite_url)
    client.post(f"{address}register/", {"invite": cup.invite_code})
    assert cup.entrants.filter(user=friend).exists()
    assert name_of(cup) in read_page(client, "/tournaments/mine/")
    assert client.post(f"{address}register/", {"invite": "wrong"}).status_code == 302
    client.logout()
    stranger = make_player()
    sign_in(client, stranger)
    assert client.post(f"{address}register/", {"invite": "wrong"}).status_code == 404
    assert chips_of(stranger) == 10_000


def test_a_player_who_cannot_pay_opens_no_tournament(make_player):
    poor = make_player(chips=False)
    with pytest.raises(Refusal):
        open_cup(poor)
    assert not Tournament.objects.exists()
    assert not Entrant.objects.exists()


def test_friends_play_a_shoot_out(make_player):
    cup = open_cup(make_player(), make_player(), format="shoot-out", deals=1, with_bots=False)
    assert (cup.stake_of_rounds, cup.starting_stack) == ((1, 2, 4), 560)
    play_to_the_end(start_cup(cup))
    assert (cup.status, pool_of(cup)) == (LifecycleStatus.FINISHED, 0)


def test_the_host_begins_a_private_tournament_early(make_player):
    host, friends = make_player(), [make_player() for _ in range(3)]
    cup = open_cup(host, format="heads-up")
    assert (cup.seats, cup.qualifiers) == (2, 1)
    with refused(TOO_FEW_TO_START):
        start_cup(cup)
    for friend in friends:
        join_cup(cup, friend, cup.invite_code)
    assert reload(cup).starts_at > timezone.now()
    assert start_cup(cup).status == LifecycleStatus.PLAYING
    for service in (start_now, call_off_own):
        with refused(TOO_LATE_TO_WITHDRAW):
            service(tournament_id=cup.pk, user_id=host.pk, now=timezone.now())
    assert play_to_the_end(cup).status == LifecycleStatus.FINISHED
    assert_books_balance(cup)


def test_the_host_calls_a_tournament_off_and_entrants_are_told(make_player):
    host, friend = make_player(), make_player()
    cup = open_cup(host, friend)
    call_off_own(tournament_id=cup.pk, user_id=host.pk, now=timezone.now())
    tick()
    assert (chips_of(host), chips_of(friend), pool_of(cup)) == (10_000, 10_000, 0)
    mail = OutgoingEmail.objects.get(user=friend)
    assert "Its host called it off." in mail.text


def test_bots_fill_up_one_table(make_player):
    cup = start_cup(open_cup(make_player(), with_bots=True))
    assert (cup.status, cup.seats_taken) == (LifecycleStatus.PLAYING, 3)


def test_an_absent_host_delays_nothing(make_player):
    """When the host is away, the tournament starts on time, or is cancelled for lack of entrants."""
    host = make_player()
    cup = open_cup(host)
    Tournament.objects.update(starts_at=timezone.now(), due_at=timezone.now())
    tick_and_reload(cup)
    assert (cup.status, chips_of(host)) == (LifecycleStatus.CANCELLED, 10_000)


def test_the_database_refuses_a_private_cash_tournament(make_player):
    cup = open_cup(make_player())
    with (
        pytest.raises(IntegrityError, match="a_private_tournament_is_for_chips"),
        transaction.atomic(),
    ):
        Tournament.objects.filter(pk=cup.pk).update(currency="INR")


class TestThePages:
    @pytest.fixture
    def host(self, client, make_player):
        player = make_player()
        sign_in(client, player)
        return player

    def test_a_form_opens_a_private_tournament(self, client, host):
        assert "A tournament for friends" in read_page(client, "/tournaments/")
        assert client.get("/tournaments/new/").status_code == 200
        answer = client.post("/tournaments/new/", FORM)
        cup = Tournament.objects.get()
        assert answer["Location"] == cup.invite_url
        assert (cup.opened_by, cup.entry_fee, cup.seats, cup.max_entrants) == (host, 200, 3, 9)
        assert cup.seats_early
        body = read_page(client, cup.get_absolute_url())
        assert "Begin now" in body
        assert f"http://testserver{cup.invite_url}" in body

    def test_r10_13_a_private_pool_has_time_for_its_deals(self, client, host):
        assert "Pool 201" in read_page(client, "/tournaments/new/")
        client.post("/tournaments/new/", {**FORM, "game": "indian:pool101"})
        cup = Tournament.objects.get()
        assert (cup.preset, cup.out_at, cup.round_seconds) == ("pool101", 101, 2_400)
        page = read_page(client, cup.get_absolute_url())
        assert "There is no rejoining in a match, and no prize is split at a table" in page

    @pytest.mark.parametrize(
        "wrong",
        [
            {"game": "indian:pool55"},
            {"game": "indian:pool101", "format": "shoot-out"},
            {"game": "chess:deals2"},
            {"format": "league"},
            {"seats": "7"},
            {"deals": "9"},
            {"entry_fee": "-5"},
            {"entry_fee": "123"},
            {"most": "1"},
            {"most": "1000"},
            {"minutes": "7"},
        ],
    )
    def test_invalid_choices_are_refused(self, client, host, wrong):
        assert client.post("/tournaments/new/", {**FORM, **wrong}).status_code == 200
        assert not Tournament.objects.exists()
        assert chips_of(host) == 10_000

    def test_a_third_tournament_is_refused_with_the_reason(self, client, host):
        for _ in range(2):
            client.post("/tournaments/new/", FORM)
        answer = client.post("/tournaments/new/", FORM)
        assert "You already have two tournaments for friends." in answer.content.decode()
        assert chips_of(host) == 9_600
        first, _second = Tournament.objects.order_by("pk")
        call_off_own(tournament_id=first.pk, user_id=host.pk, now=timezone.now())
        client.post("/tournaments/new/", FORM)
        assert Tournament.objects.count() == 3

    def test_only_the_host_begins_or_calls_off_a_tournament(self, client, host, make_player):
        cup, other = open_cup(host, with_bots=True), open_cup(host)
        for path in (f"{cup.get_absolute_url()}begin/", f"{other.get_absolute_url()}call-off/"):
            assert client.get(path).status_code == 405
            assert client.post(path).status_code == 302
        tick()
        statuses = Tournament.objects.order_by("pk").values_list("status", flat=True)
        assert list(statuses) == [LifecycleStatus.PLAYING, LifecycleStatus.CANCELLED]
        third = open_cup(make_player())
        for path in ("begin", "call-off"):
            assert client.post(f"{third.get_absolute_url()}{path}/").status_code == 404
        assert reload(third).status == LifecycleStatus.REGISTERING

    def test_a_visitor_signs_in_first(self, client):
        answer = client.get("/tournaments/new/")
        assert "/accounts/login/" in answer["Location"]


def test_a_public_tournament_asks_for_no_code(make_tournament_of, make_player):
    cup = make_tournament_of()
    assert cup.invite_url == cup.get_absolute_url()
    enter(cup, make_player())
    assert cup.admits("anything")


def test_k10_the_form_offers_the_tournament_rule_of_rummikub(settings):
    settings.GAMES_OFFERED = ["indian", "rummikub"]
    assert [code for code, _title in list_game_choices()] == [
        "indian:points",
        "indian:pool61",
        "indian:pool101",
        "indian:pool201",
        "indian:deals2",
        "rummikub:tournament",
    ]
