"""A tournament's bracket: the viewer's own path, rounds and their pages, and the search for players."""

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from tables.models import Match
from tests.tournaments.browsing import read_page, read_region, read_tournament, sign_in
from tests.tournaments.driving import (
    begin,
    end_break,
    enter,
    play_round,
    play_table,
    play_to_the_end,
    tick_and_reload,
)
from tournaments.models import EntrantState, RoundTable
from tournaments.running.tick import tick

pytestmark = pytest.mark.django_db


def list_ranked(table):
    """Return the players of a table, best first."""
    seats = table.seats.order_by("rank", "entrant__seeding").select_related("entrant__user")
    return [seat.entrant.user for seat in seats]


def test_the_page_shows_the_readers_way_place_and_the_prizes(signed_in, start_tournament):
    tournament = start_tournament(
        [signed_in.player], seats=3, qualifiers=1, bots_to=9, bot_strength="easy"
    )
    body = read_tournament(signed_in, tournament)
    assert "🏆" not in body
    # The viewer's own table is shown first of all, and in its round.
    assert body.count('class="bracket__table bracket__table--own"') == 2
    assert body.index("Your path") < body.index('id="round-1"')
    assert "Go to your table" in body
    assert "Asha (bot)" in body
    play_round(tournament)
    assert "→" in read_tournament(signed_in, tournament)
    end_break(tournament)
    play_to_the_end(tournament)
    body = read_tournament(signed_in, tournament)
    # The headings of the viewer's path, the final, and the collapsed first round.
    assert body.count("<h3") == 3
    assert "Show the tables" in body
    matches = list(Match.objects.all())
    assert len(matches) == 4
    both = body + read_tournament(signed_in, tournament, round=1)
    # Tournaments are public, so everybody may view the deals of each table.
    for match in matches:
        assert f"/matches/{match.pk}/" in both
        assert signed_in.get(f"/matches/{match.pk}/").status_code == 200
        assert signed_in.get(f"/matches/{match.pk}/deals/1/").status_code == 200
    assert_places_are_shown(signed_in, tournament, body)
    signed_in.logout()
    assert signed_in.get(f"/matches/{matches[0].pk}/").status_code == 302


def assert_places_are_shown(client, tournament, body):
    own, best = tournament.entrants.get(user=client.player), tournament.entrants.get(place=1)
    assert f"You finished {ordinal(own.rank)} of 9." in body
    assert f'<span class="visually-hidden">Winner: </span>{best.user.player_name}' in body
    prizes = body.split('id="prizes-title"')[1].split("</table>")[0]
    paid = tournament.entrants.filter(prize__gt=0).select_related("user")
    assert paid
    for entrant in paid:
        row = prizes.split(entrant.user.player_name)[1].split("</tr>")[0]
        assert f"{entrant.prize:,} chips" in row
    assert not own.prize
    told = (
        f"You finished {ordinal(own.rank)} of 9. The first prize goes to {best.user.player_name}."
    )
    part = read_tournament(client, tournament, show="table")
    assert f'data-final="yes"> {told}' in part


def test_many_tables_and_ranks_have_pages(client, make_tournament_of):
    tournament = make_tournament_of(bots_to=110, seats=2, qualifiers=1)
    begin(tournament)
    body = read_tournament(client, tournament)
    assert body.count('class="bracket__table"') == 24
    assert "Page 1 of 3" in body
    last = read_tournament(client, tournament, round=1, page=3)
    assert last.count('class="bracket__table"') == 7
    assert "Page 3 of 3" in last
    # A page number that is too high shows the last page.
    assert "Page 3 of 3" in read_tournament(client, tournament, round=1, page=9)
    assert "?show=ranks" in body
    assert "show=ranks&amp;page=2" in read_tournament(client, tournament, show="ranks")
    ranks = read_tournament(client, tournament, show="ranks", page=2)
    assert ranks.count("<tr") > 5
    for wrong in ("show=all", "page=0", "page=x", "round=0", "round=x", "round=-1"):
        assert client.get(f"/tournaments/{tournament.pk}/?{wrong}").status_code == 404
    assert client.get("/tournaments/404/").status_code == 404


def test_a_table_shows_the_state_of_the_round(signed_in, start_tournament, make_player):
    cup = start_tournament(
        [signed_in.player, *(make_player() for _ in range(5))],
        name="Lotus Cup",
        seats=3,
        qualifiers=1,
    )
    part = read_tournament(signed_in, cup, show="table")
    assert "<html" not in part
    assert "best 1 of 3 go on" in part
    assert "270 chips" in part  # the first of six entry fees less a tenth
    table = RoundTable.objects.get(seats__entrant__user=signed_in.player).table
    body = read_page(signed_in, f"/tables/{table.pk}/")
    assert f'data-source="/tournaments/{cup.pk}/?show=table"' in body
    assert "js/event.js" in body


class TestFixedTablesMeet:
    """R10.4c: a waiting player sees the next opponents, as far as they are known."""

    @pytest.fixture
    def running(self, start_tournament):
        return start_tournament(12, seats=3, qualifiers=1, seats_early=True)

    def test_a_waiting_player_sees_the_next_opponent(self, client, running):
        play_table(RoundTable.objects.get(number=1).table)
        tick()
        sign_in(client, list_ranked(RoundTable.objects.get(number=1))[0])
        told_first = read_region(client, running, "own-result")
        assert "You go on. Your next table waits for table 2 of this round." in told_first
        assert "12 players left" not in read_region(client, running, "round")
        assert "place 10 or better" in read_region(client, running, "round")
        play_table(RoundTable.objects.get(number=2).table)
        tick_and_reload(running)
        begins = timezone.localtime(running.next_round_at)
        other = list_ranked(RoundTable.objects.get(round__number=1, number=2))[0]
        assert (
            f"You go on. At your next table: {other.player_name}. "
            f"Your next table begins at {begins:%H:%M:%S} IST or soon after."
        ) in read_region(client, running, "own-result")

    def test_a_player_who_is_out_sees_their_place_so_far(self, client, running):
        play_table(RoundTable.objects.get(number=1).table)
        tick()
        out = running.entrants.filter(state=EntrantState.OUT).order_by("-chips", "pk").first()
        sign_in(client, out.user)
        assert "your place so far: 11" in read_region(client, running, "round")
        body = read_tournament(client, running)
        assert "Out, round 1" in body

    def test_a_player_is_found_by_name(self, client, running):
        someone = running.entrants.select_related("user").first()
        body = read_tournament(client, running, player=someone.user.player_name.upper())
        assert f'id="way-{someone.pk}"' in body
        assert "Nobody in this tournament" not in body
        User.objects.filter(pk=someone.user_id).update(player_name="प\u0921\u093cोसी")
        # A keyboard may enter one character where the stored name has two code points.
        body = read_tournament(client, running, player=" प\u095cोसी ")
        assert f'id="way-{someone.pk}"' in body
        body = read_tournament(client, running, player="<nobody>")
        assert "Nobody in this tournament has “&lt;nobody&gt;” in their name." in body
        assert read_tournament(client, running).count('class="panel way"') == 0


def test_a_winner_goes_on_during_late_registration(client, start_tournament):
    """Only one table exists so far, so it is not yet known whether it is the final."""
    tournament = start_tournament(3, seats=3, qualifiers=1, seats_early=True, late_seconds=600)
    table = RoundTable.objects.get()
    play_table(table.table)
    tick()
    sign_in(client, list_ranked(table)[0])
    assert "You go on: your next table is drawn" in read_region(client, tournament, "own-result")


def test_a_bracket_of_5000_is_small_and_takes_few_queries(client, make_tournament_of, make_player):
    """A bracket of 5,000 stays below 150 KB, and needs as many database queries as one of 12 players."""
    asked = ("", "?show=ranks", "?player=a", "?round=1&page=1")
    counted = []
    for field in (12, 5_000):
        tournament = make_tournament_of(
            bots_to=field, max_entrants=5_000, seats=6, seats_early=True
        )
        me = make_player()
        enter(tournament, me)
        begin(tournament)
        sign_in(client, me)
        read_tournament(client, tournament)
        questions = []
        for parts in asked:
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(f"{tournament.get_absolute_url()}{parts}")
            assert len(answer.content) <= 150_000, parts
            questions.append(len(queries))
        counted.append(questions)
    small, large = counted
    assert all(more <= few + 2 for few, more in zip(small, large, strict=True)), counted


def test_the_loser_of_a_semi_final_plays_for_third_place(client, start_tournament):
    tournament = start_tournament(4, format="heads-up", seats=2, qualifiers=1, break_seconds=0)
    first, second = RoundTable.objects.order_by("number")
    play_table(first.table)
    tick()
    told = (
        "You go on. Your next table waits for table 2",
        "You play for third place. Your next table waits",
    )
    for player, words in zip(list_ranked(first), told, strict=True):
        sign_in(client, player)
        assert words in read_region(client, tournament, "own-result")
    tree = read_tournament(client, tournament).partition('class="tree"')[2]
    assert tree.count("bracket__seat--on") == 1  # only the winner's seat
    assert "· Third place" in tree
    play_table(second.table)
    tick()
    body = read_tournament(client, tournament)
    # As its match's heading, and beside both losers of the semi-finals.
    assert body.count("Third place") == 3
    assert '<h3 id="third-title"' in body
