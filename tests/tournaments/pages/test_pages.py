"""The pages of tournaments, as visitors, players and entrants see them."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tables.seating.opening import TableTerms, open_table
from tests.tables.driving import seat_all
from tests.tournaments.browsing import read, read_page, read_region, read_tournament, sign_in
from tests.tournaments.driving import (
    begin,
    chips_of,
    end_break,
    enter,
    open_tables,
    play_round,
    play_table,
    play_to_the_end,
)
from tournaments.models import Entrant, EntrantState, RoundTable, Ticket, Tournament
from tournaments.running.scheduling import make_tournament
from tournaments.store.ranks import live_ranks, rank_entrants
from wallet import api as wallet

pytestmark = pytest.mark.django_db


def test_the_list_is_filtered_by_phase_and_kind(client, make_tournament_of):
    paid = make_tournament_of(name="Lotus Cup")
    make_tournament_of(name="Free Cup", entry_fee=0)
    make_tournament_of(name="Cash Cup", currency="INR")
    make_tournament_of(name="Seat Cup", ticket_for=paid.template)

    def names(query):
        body = read_page(client, f"/tournaments/{query}")
        shown = set(re.findall(r'<a href="/tournaments/\d+/">(\w+) Cup</a>', body))
        return shown & {"Lotus", "Free", "Cash", "Seat"}

    assert names("") == {"Lotus", "Free", "Cash", "Seat"}
    assert names("?kind=CHIPS") == {"Lotus"}
    assert names("?kind=FREE") == {"Free"}
    assert names("?kind=CASH") == {"Cash"}
    assert names("?kind=SATELLITE") == {"Seat"}
    assert names("?phase=running") == set()
    Tournament.objects.filter(pk=paid.pk).update(status="CANCELLED")
    assert names("?phase=over") == {"Lotus"}
    assert client.get("/tournaments/?phase=never").status_code == 404
    assert client.get("/tournaments/?kind=never").status_code == 404


def test_a_card_of_the_list_counts_down_and_registers(client, make_player, make_tournament_of):
    cup = make_tournament_of(name="Lotus Cup")
    action = f'action="/tournaments/{cup.pk}/register/"'
    body = read_page(client, "/tournaments/")
    assert f'data-starts="{round(cup.starts_at.timestamp() * 1000)}"' in body
    assert action not in body
    player = make_player()
    sign_in(client, player)
    body = read_page(client, "/tournaments/")
    assert action in body
    assert "Enter · 100 chips" in body
    client.post(f"/tournaments/{cup.pk}/register/")
    assert Entrant.objects.get(user=player).state == EntrantState.REGISTERED
    assert action not in read_page(client, "/tournaments/")


def test_registering_from_the_list_stays_on_the_list(signed_in, make_tournament_of):
    cup = make_tournament_of(name="Lotus Cup", max_entrants=2)
    address = f"/tournaments/{cup.pk}/register/"
    for words, entrants in (("You are registered.", 1), ("registered for this tournament", 1)):
        answer = signed_in.post(address, HTTP_HX_REQUEST="true")
        assert answer.status_code == 200
        assert answer["HX-Trigger"] == "tournaments-changed"
        body = answer.content.decode()
        assert words in body
        assert "<html" not in body
        assert Entrant.objects.count() == entrants
    # The message was shown once, so the next page does not repeat it.
    assert "You are registered." not in read_page(signed_in, "/tournaments/")


def test_repeats_of_a_template_share_one_card(signed_in, make_tournament_of):
    """Except that a tournament which the viewer has entered keeps its own card."""
    now = timezone.now()
    cup = make_tournament_of(name="Lotus Cup", min_entrants=36, max_entrants=60)
    later = [
        make_tournament(cup.template, starts_at=now + timedelta(hours=hours), now=now)
        for hours in (2, 3, 4)
    ]
    Tournament.objects.update(status="REGISTERING")
    other = make_tournament_of(name="Fig Cup")

    def cards():
        return signed_in.get("/tournaments/").context["cards"]

    shown = [(card.tournament, card.later) for card in cards()]
    assert [row for row, _later in shown if row != other] == [cup]
    assert dict(shown) == {cup: later, other: []}
    body = read_page(signed_in, "/tournaments/")
    assert "at least 36" in body
    assert body.count(f'<a href="/tournaments/{later[2].pk}/">') == 1
    enter(later[1], signed_in.player)
    now_shown = {card.tournament: card.later for card in cards()}
    assert now_shown == {cup: [later[0], later[2]], later[1]: [], other: []}
    over = signed_in.get("/tournaments/?phase=over").context["cards"]
    assert over == []


def test_a_ticket_holder_registers_on_the_page_of_the_tournament(
    client, make_player, make_tournament_of
):
    cup, seats = make_tournament_of(name="Lotus Cup"), make_tournament_of(name="Seat Cup")
    player = make_player()
    Ticket.objects.create(
        user=player, template=cup.template, won_in=seats, price=100, currency="CHIPS"
    )
    sign_in(client, player)
    body = read_page(client, "/tournaments/")
    assert f"/tournaments/{cup.pk}/register/" not in body
    assert "Enter with your ticket" in body.split(f'href="/tournaments/{cup.pk}/#take-part"')[1]
    # The ticket is valid only for that one tournament.
    assert f'action="/tournaments/{seats.pk}/register/"' in body


def test_cash_tournaments_are_not_listed_where_cash_is_off(client, settings, make_tournament_of):
    settings.CASH_PLAY = "off"
    make_tournament_of(name="Cash Cup", currency="INR")
    body = read_page(client, "/tournaments/")
    assert "Cash Cup" not in body
    assert "kind=CASH" not in body


def test_htmx_gets_only_the_changing_part(client, make_tournament_of):
    tournament = make_tournament_of()
    assert "<html" in read_tournament(client, tournament)
    assert "<html" not in read_tournament(client, tournament, htmx=True)
    part = client.get("/tournaments/", HTTP_HX_REQUEST="true").content.decode()
    assert "<html" not in part
    assert tournament.name in part


def test_the_card_and_the_head_say_how_far_bots_fill_up(signed_in, make_tournament_of):
    made = make_tournament_of(name="Banyan Duel", bots_to=8, min_entrants=2)
    card, page = read_page(signed_in, "/tournaments/"), read_tournament(signed_in, made)
    for text in (card, page.split("How it is played", maxsplit=1)[0]):
        assert "bots fill up to 8" in text
    # Bots ensure the minimum, so the page does not mention it.
    assert "at least 2" not in card
    Tournament.objects.update(bots_to=0)
    assert "bots fill up" not in read_page(signed_in, "/tournaments/")
    assert "bots fill up" not in read_tournament(signed_in, made)


def test_the_page_counts_down_to_the_start(client, make_tournament_of, make_player):
    tournament = make_tournament_of()
    starts = f'data-starts="{round(tournament.starts_at.timestamp() * 1000)}"'
    assert starts in read_tournament(client, tournament)
    enter(tournament, make_player(), make_player())
    begin(tournament)
    assert "data-starts" not in read_tournament(client, tournament)


def test_the_fee_and_its_parts_are_shown_before_registering(client, signed_in, make_tournament_of):
    body = read_tournament(signed_in, make_tournament_of())
    assert "The entry fee is 100 chips: 90 chips go to the prize pool, 10 chips" in body
    assert "Enter · 100 chips" in body


def test_a_visitor_is_asked_to_sign_in(client, make_tournament_of):
    tournament = make_tournament_of()
    assert f"/accounts/login/?next=/tournaments/{tournament.pk}/" in read_tournament(
        client, tournament
    )
    answer = client.post(f"/tournaments/{tournament.pk}/register/")
    assert answer.status_code == 302
    assert "/accounts/login/" in answer["Location"]
    assert not Entrant.objects.exists()


def test_registering_and_withdrawing(signed_in, make_tournament_of):
    tournament = make_tournament_of()
    for act, words, chips in (
        ("register", "You are registered.", 9_900),
        ("register", "You are registered for this tournament already.", 9_900),
        ("withdraw", "You have withdrawn", 10_000),
        ("withdraw", "You are not registered", 10_000),
        ("rebuy", "You cannot pay again", 10_000),
    ):
        body = read(signed_in.post(f"/tournaments/{tournament.pk}/{act}/", follow=True))
        assert words in body
        assert ("If you withdraw, you are refunded in full." in body) is (chips == 9_900)
        assert chips_of(signed_in.player) == chips


def test_a_place_that_becomes_free_goes_to_the_waiting_list(
    signed_in, make_tournament_of, make_player, django_capture_on_commit_callbacks
):
    tournament = make_tournament_of(max_entrants=2)
    first, second = make_player(), make_player()
    enter(tournament, first, second)
    address = f"/tournaments/{tournament.pk}/"
    assert "Join the waiting list" in read_tournament(signed_in, tournament)
    body = signed_in.post(f"{address}register/", follow=True).content.decode()
    assert "you are on the waiting list" in body
    assert "1 player is on the waiting list." in body
    sign_in(signed_in, first)
    with django_capture_on_commit_callbacks(execute=True):
        signed_in.post(f"{address}withdraw/")
    states = dict(tournament.entrants.values_list("user_id", "state"))
    assert states[signed_in.player.pk] == EntrantState.REGISTERED


def test_the_page_shows_the_current_prizes(client, make_tournament_of, make_player):
    tournament = make_tournament_of(guarantee=300)
    assert "300 chips" in read_tournament(client, tournament)
    enter(tournament, *(make_player() for _ in range(10)))
    body = read_tournament(client, tournament)
    assert "900 chips" in body
    for prize in (450, 270, 180):
        assert f"{prize} chips" in body


def test_a_player_sees_their_own_tournaments(signed_in, make_tournament_of):
    assert "You have entered no tournament yet." in read_page(signed_in, "/tournaments/mine/")
    tournament = make_tournament_of(name="Lotus Cup", bots_to=4, bot_strength="easy")
    enter(tournament, signed_in.player)
    assert "Lotus Cup" in read_page(signed_in, "/tournaments/mine/")
    begin(tournament)
    play_to_the_end(tournament)
    assert "Place " in read_page(signed_in, "/tournaments/mine/")
    ranks = read_tournament(signed_in, tournament, show="ranks")
    assert ranks.count("Winner") == 1
    assert "Out, round 1" in ranks


def test_a_cancelled_tournament_shows_the_reason(client, start_tournament):
    tournament = start_tournament(1, min_entrants=3)
    body = read_tournament(client, tournament)
    assert "Fewer than 3 players had registered." in body
    assert "everybody was refunded in full" in body


def test_every_page_of_a_player_opens_the_personal_socket(client, signed_in):
    assert "js/me.js" in read_page(signed_in, "/")
    signed_in.logout()
    assert "js/me.js" not in read_page(client, "/")


def test_a_long_list_takes_few_queries(client, make_tournament_of, django_assert_max_num_queries):
    for number in range(6):
        make_tournament_of(name=f"Cup {number}")
    with django_assert_max_num_queries(8):
        body = read_page(client, "/tournaments/")
    assert body.count("<article") == 6


def test_ranks_are_shown_during_a_tournament(start_tournament):
    tournament = start_tournament(6, seats=3, qualifiers=1)
    play_round(tournament)
    out = tournament.entrants.filter(state=EntrantState.OUT)
    out.update(chips=40)
    out.filter(pk=out.first().pk).update(chips=70)
    ranks = [ranked.rank for ranked in live_ranks(rank_entrants(tournament), after=0)]
    assert ranks == [None, None, 3, 4, 4, 4]


class TestWhileARoundIsPlayed:
    """The state of a running round on the page of a tournament."""

    @pytest.fixture
    def running(self, signed_in, make_tournament_of, make_player):
        tournament = make_tournament_of(seats=2, qualifiers=1, min_entrants=2)
        enter(tournament, signed_in.player, *(make_player() for _ in range(3)))
        assert read_region(signed_in, tournament, "round") == ""
        return begin(tournament)

    def test_the_page_describes_the_running_round(self, signed_in, running):
        ends = timezone.localtime(running.rounds.get().ends_at)
        line = (
            "Round 1 · best 1 of 2 go on · 4 players left · {} · last deals begin before {} · "
            "over by {} · place 4 or better"
        )
        assert read_region(signed_in, running, "round") == line.format(
            "2 tables still playing",
            f"{ends:%H:%M:%S} IST",
            f"{ends + timedelta(seconds=120):%H:%M:%S} IST",
        )
        assert read_region(signed_in, running, "own-result") == ""
        first, _second = open_tables(running)
        play_table(first)
        assert "1 table still playing" in read_region(signed_in, running, "round")
        # Other players may already be in the next round. No part of this viewer's page mentions it.
        Tournament.objects.filter(pk=running.pk).update(round_number=2)
        assert "Round 2" not in read_tournament(signed_in, running)

    def test_a_player_at_a_finished_table_sees_whether_they_go_on(self, signed_in, running):
        own = RoundTable.objects.get(seats__entrant__user=signed_in.player)
        play_table(own.table)
        seats = {seat.rank: seat for seat in own.seats.select_related("entrant__user")}
        outcomes = {1: "You go on: your next table", 2: "That is not enough to go on"}
        for rank, words in outcomes.items():
            sign_in(signed_in, seats[rank].entrant.user)
            result = read_region(signed_in, running, "own-result")
            assert f"in place {rank}, with {seats[rank].chips} tournament chips" in result
            assert words in result
        # If the winner is disqualified, the next player goes on.
        seats[1].entrant.state = EntrantState.OUT
        seats[1].entrant.save()
        assert "You go on" in read_region(signed_in, running, "own-result")

    def test_the_final_is_named_as_such(self, signed_in, running):
        play_round(running)
        end_break(running)
        assert read_region(signed_in, running, "round").startswith(
            "Final · 2 players left · 1 table"
        )
        play_round(running)
        assert read_region(signed_in, running, "round") == ""

    def test_a_player_with_a_bye_is_told(self, client, start_tournament):
        tournament = start_tournament(3, seats=2, qualifiers=1, min_entrants=2)
        lucky = Entrant.objects.get(seats__round_table=None, tournament=tournament).user
        sign_in(client, lucky)
        assert "You have a bye" in read_region(client, tournament, "own-result")


def test_the_statement_links_to_paid_tournaments_and_tables(signed_in, make_tournament_of):
    tournament = make_tournament_of(name="Lotus Cup")
    wallet.set_starting_fees(valid_from=timezone.now())
    table = open_table(
        TableTerms(game="indian", preset="points", name="Fig Room", max_seats=2, point_value=1)
    )
    enter(tournament, signed_in.player)
    seat_all(table, signed_in.player)
    body = read_page(signed_in, "/wallet/")
    for words, path, name in (
        ("Entry fee", f"/tournaments/{tournament.pk}/", "Lotus Cup"),
        ("Brought to a table", f"/tables/{table.pk}/", "Fig Room"),
    ):
        assert re.search(rf'{words}\s*<a href="{path}">{name}</a>', body)
    lines = list(
        csv.DictReader(io.StringIO(signed_in.get("/wallet/statement.csv").content.decode()))
    )
    assert {line["about"] for line in lines} >= {"Lotus Cup", "Fig Room"}
