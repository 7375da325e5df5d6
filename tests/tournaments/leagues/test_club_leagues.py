"""Leagues of clubs: started by officers, for members at the club's tables, without prizes."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.people.closing import freeze
from core.models import OutgoingEmail
from players.clubs import services
from players.clubs.leagues import end_league, find_league, start_league
from players.refusals import LEAGUE_RUNS, NO_LEAGUE, NO_SUCH_CLUB
from tables.models import Admission, JoinBy
from tables.refusals import OFFICERS_ONLY
from tables.seating.hosting.private_tables import HostTerms, open_club_table
from tests.given import reload, require
from tests.refusals import refused
from tests.tournaments.browsing import read_page, sign_in
from tests.tournaments.leagues_driving import make_league, make_table, play
from tests.workers import empty_redis
from tournaments.leagues.reading import find_league as public_league
from tournaments.leagues.reading import leagues_page, list_leagues
from tournaments.leagues.ticking import act_on_leagues
from tournaments.models import League, LeaguePlace
from wallet.models import Transfer

pytestmark = pytest.mark.django_db
KIND = "indian:POINTS"


@pytest.fixture
def people(make_player):
    """A club's owner, an officer, two members, and a stranger."""
    empty_redis()
    return [make_player() for _ in range(5)]


@pytest.fixture
def club(people):
    owner, officer, *members, _stranger = people
    found = services.found_club(
        user_id=owner.pk, name="Neem Club", about="", icon="owl", join_by=JoinBy.LINK
    )
    for person in (officer, *members):
        services.join(club_id=found.pk, user_id=person.pk, invite=found.invite_code)
    services.make_officer(club_id=found.pk, user_id=owner.pk, other_id=officer.pk)
    return found


def start(club, person, **terms):
    start_league(club_id=club.pk, user_id=person.pk, **{"kind": KIND, "weeks": 4, **terms})
    League.objects.filter(club=club).update(starts_at=timezone.now() - timedelta(hours=1))
    return League.objects.get(club=club, settled_at=None)


def table_of(club, preset="points"):
    terms = HostTerms(
        game="indian", preset=preset, seats=4, admission=Admission.CLUB, club_id=club.pk
    )
    return open_club_table(terms)


def standings(club):
    League.objects.update(drawn_at=None)
    act_on_leagues()
    return [(line.rank, line.person.pk, line.points) for line in require(find_league(club)).lines]


def expect_refusal(refusal, act, **terms):
    before = list(League.objects.values())
    with refused(refusal):
        act(**terms)
    assert list(League.objects.values()) == before


def test_officers_start_one_league_at_a_time_within_what_is_offered(club, people):
    owner, officer, member, _other, stranger = people
    own = {"club_id": club.pk, "kind": KIND, "weeks": 4}
    for person in (member, stranger):
        expect_refusal(OFFICERS_ONLY, start_league, **{**own, "user_id": person.pk})
    for wrong in ({"kind": "chess:BLITZ"}, {"kind": ""}, {"weeks": 0}, {"weeks": 13}):
        expect_refusal(NO_LEAGUE, start_league, **{**own, "user_id": owner.pk, **wrong})
    expect_refusal(NO_LEAGUE, end_league, club_id=club.pk, user_id=owner.pk)
    league = start(club, officer)
    assert (league.name, league.format, league.pool, league.repeats) == (
        "Neem Club", "POINTS", 0, False,
    )  # fmt: skip
    assert league.ends_at - timezone.now() > timedelta(days=27)
    expect_refusal(LEAGUE_RUNS, start_league, **{**own, "user_id": owner.pk})
    expect_refusal(OFFICERS_ONLY, end_league, club_id=club.pk, user_id=member.pk)
    freeze(user_id=officer.pk, staff_id=owner.pk, reason="test")
    expect_refusal(OFFICERS_ONLY, end_league, club_id=club.pk, user_id=officer.pk)


def test_only_matches_of_members_at_the_clubs_tables_count(club, people, make_player):
    owner, officer, member, other, stranger = people
    start(club, owner)
    table = table_of(club)
    play(table, owner, officer, member)
    play(table, member, owner, ranks=[1, 1])
    play(table, stranger, owner)
    play(make_table(), other, owner)
    play(table_of(club, preset="pool101"), other, owner)
    bot = make_player()
    bot.is_bot = True
    bot.save()
    play(table, other, bot, bots=(bot,))
    assert standings(club) == [(1, owner.pk, 5), (2, officer.pk, 2), (3, member.pk, 1)]


def test_removed_and_frozen_members_leave_the_standings(club, people):
    owner, officer, member, other, _stranger = people
    start(club, owner)
    table = table_of(club)
    play(table, member, officer, owner, other)
    assert standings(club)[0] == (1, member.pk, 6)
    services.remove(club_id=club.pk, user_id=owner.pk, other_id=member.pk)
    assert standings(club) == [(1, officer.pk, 4), (2, owner.pk, 2)]
    freeze(user_id=officer.pk, staff_id=owner.pk, reason="test")
    assert standings(club) == [(1, owner.pk, 2)]


def test_a_club_league_ends_with_standings_and_without_prizes(club, people):
    owner, officer, *_others = people
    league = start(club, owner)
    play(table_of(club), owner, officer)
    transfers, mails = Transfer.objects.count(), OutgoingEmail.objects.count()
    League.objects.update(
        ends_at=timezone.now() - timedelta(minutes=2),
        settles_at=timezone.now() - timedelta(minutes=1),
        settle_seconds=60,
    )
    assert act_on_leagues() == 1
    assert reload(league).settled_at is not None
    assert require(find_league(club)).is_over
    assert [line.points for line in require(find_league(club)).lines] == [2]
    assert LeaguePlace.objects.exclude(prize=0).count() == 0
    assert (Transfer.objects.count(), OutgoingEmail.objects.count()) == (transfers, mails)
    assert act_on_leagues() == 0
    assert start(club, owner).pk != league.pk


def test_a_club_league_is_ended_by_an_officer_or_by_closing_the_club(club, people):
    owner, officer, *_others = people
    start(club, owner)
    play(table_of(club), officer, owner)
    end_league(club_id=club.pk, user_id=officer.pk)
    shown = require(find_league(club))
    assert (shown.is_over, [line.person.pk for line in shown.lines]) == (True, [officer.pk])
    second = start(club, owner)
    services.close_by_staff(club_id=club.pk, reason="test")
    expect_refusal(
        NO_SUCH_CLUB, start_league, club_id=club.pk, user_id=owner.pk, kind=KIND, weeks=1
    )
    assert act_on_leagues() == 1
    assert reload(second).settled_at is not None
    assert second.ends_at <= timezone.now()


def test_club_leagues_are_shown_only_on_the_page_of_their_club(club, people, client):
    owner, _officer, member, *_others = people
    league, public = start(club, owner), make_league()
    assert list_leagues(with_cash=False) == [public]
    assert leagues_page(over=False, with_cash=False, after=None)[0] == [public]
    assert public_league(league.pk, with_cash=True) is None
    assert client.get(reverse("tournaments:league", args=[league.pk])).status_code == 404
    sign_in(client, member)
    page = read_page(client, reverse("clubs:club", args=[club.pk]))
    assert "No match of this league is counted yet." in page
    assert "End the league now" not in page
    address = reverse("clubs:league", args=[club.pk])
    client.post(address, {"end": "1"})
    assert not require(find_league(club)).is_over
    sign_in(client, owner)
    assert "End the league now" in read_page(client, reverse("clubs:club", args=[club.pk]))
    client.post(address, {"end": "1"})
    assert require(find_league(club)).is_over
    for weeks in ("x", "", "99"):
        client.post(address, {"kind": KIND, "weeks": weeks})
    assert League.objects.filter(club=club).count() == 1
    assert client.post(address, {"kind": KIND, "weeks": "2"}).status_code == 302
    assert League.objects.filter(club=club, settled_at=None).count() == 1


def test_the_database_requires_prizes_of_public_leagues_only(club, people):
    start(club, people[0])
    for wrong in ({"pool": 0}, {"pool": 10, "club": club}, {"pool": 0, "club": club}):
        with pytest.raises(IntegrityError), transaction.atomic():
            make_league(**wrong)
    assert League.objects.count() == 1
