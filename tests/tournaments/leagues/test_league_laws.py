"""R10.12 under random play: points follow the stored ranks, and the pool is paid once."""

import random
from collections import Counter

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from accounts.people.closing import freeze
from core.models import OutgoingEmail
from core.refusals import Refusal
from tables.models import Match, TableStatus
from tables.refusals import NotSeated
from tables.seating.closing import remove_player
from tables.seating.sitting import leave_table
from tests.effort import share_of
from tests.given import reload
from tests.tables.driving import start_match
from tests.together import run_at_once
from tests.tournaments.chance import take_step
from tests.tournaments.driving import chips_of
from tests.tournaments.leagues.test_leagues import bring_end
from tests.tournaments.leagues_driving import make_league, make_table, play
from tournaments.leagues.standings import FOR_BEATING, FOR_EQUAL
from tournaments.leagues.ticking import act_on_league, act_on_leagues
from tournaments.models import LeaguePlace
from wallet.ledger.checks import reconcile
from wallet.limits.services import exclude_oneself
from wallet.models import Journal

LEAVES, REMOVED, EXCLUDED, FROZEN = "leaves", "is stood up", "excludes", "is frozen"


def apply_incident(what, table, user, staff):
    try:
        if what == LEAVES:
            leave_table(table_id=table.pk, user_id=user.pk)
        elif what == REMOVED:
            remove_player(table_id=table.pk, user_id=user.pk)
        elif what == EXCLUDED:
            exclude_oneself(user_id=user.pk, until=None)
        elif what == FROZEN:
            freeze(user_id=user.pk, staff_id=staff.pk, reason="Looks odd.")
    except (NotSeated, Refusal):
        pass  # the player has already left


def play_by_chance(table, chance, happens, staff):
    """Play a match to its end. `happens` lists (step number, incident) pairs."""
    for step in range(2_000):
        table.refresh_from_db()
        if table.status != TableStatus.PLAYING:
            return
        for what in [what for when, what in happens if when == step]:
            seated = table.sittings.filter(left_at=None, user__is_bot=False).order_by("number")
            if seated:
                apply_incident(what, table, chance.choice(list(seated)).user, staff)
        table.refresh_from_db()
        if table.status != TableStatus.PLAYING:
            return
        take_step(table, chance)
    raise AssertionError("the match does not end")


def compute_points(matches):
    """Compute each user's points from all ended matches, as a short model of the rules."""
    points: Counter[int] = Counter()
    meetings: Counter[tuple[int, int]] = Counter()
    for match in matches:
        ranks = {match.players[seat]["user"]: rank for seat, rank in match.result["ranks"].items()}
        for one, rank in ranks.items():
            for other, behind in ranks.items():
                if one == other or meetings[one, other] >= 3:
                    continue
                points[one] += (rank < behind) * FOR_BEATING + (rank == behind) * FOR_EQUAL
        for pair in ((one, other) for one in ranks for other in ranks if one != other):
            meetings[pair] += 1
    return {user: count for user, count in points.items() if count}


happenings = st.lists(
    st.tuples(st.integers(0, 25), st.sampled_from([LEAVES, REMOVED, EXCLUDED, FROZEN])), max_size=3
)


@pytest.mark.django_db
@settings(
    max_examples=share_of(12),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    seed=st.integers(0, 2**32),
    matches=st.lists(st.tuples(st.integers(2, 4), happenings), min_size=1, max_size=3),
)
def test_points_follow_the_ranks_and_prizes_sum_to_the_pool(make_player, seed, matches):
    chance = random.Random(seed)
    with transaction.atomic():
        league = make_league(pool=997)
        staff = make_player()
        people = [make_player() for _ in range(6)]
        for size, happens in matches:
            chosen = chance.sample(people, size)
            table = make_table(max_seats=max(size, 2))
            try:
                start_match(table, *chosen)
            except Refusal:
                continue  # a player may not play any more
            play_by_chance(table, chance, happens, staff)
        ended = list(Match.objects.filter(status="FINISHED").order_by("ended_at", "pk"))
        act_on_league(league.pk)
        places = LeaguePlace.objects.filter(league=league)
        assert {p.user_id: p.points for p in places if p.points} == compute_points(ended)
        bring_end(league)
        before = {user.pk: chips_of(user) for user in people}
        act_on_leagues()
        act_on_leagues()
        prizes = dict(places.filter(prize__gt=0).values_list("user", "prize"))
        active = User.objects.filter(pk__in=compute_points(ended), is_active=True)
        assert sum(prizes.values()) == (league.pool if active.exists() else 0)
        assert set(prizes) <= set(active.values_list("pk", flat=True))
        for user in people:
            assert chips_of(user) - before[user.pk] == prizes.get(user.pk, 0)
        assert reconcile().findings == ()
        transaction.set_rollback(True)


@pytest.fixture
def finished_league(make_player):
    """A league whose prizes are due, and its players: first, second and last."""
    three = [make_player() for _ in range(3)]
    league = make_league(pool=1_000, repeats=False)
    play(make_table(), *three)
    bring_end(league)
    return league, three


def assert_paid_once(league, three, before):
    assert reload(league).settled_at is not None
    assert [chips_of(user) - had for user, had in zip(three, before, strict=True)] == [625, 375, 0]
    assert Journal.objects.filter(key=f"league:{league.pk}:prizes").count() == 1
    assert OutgoingEmail.objects.count() == 2
    assert reconcile().findings == ()


@pytest.mark.django_db(transaction=True)
def test_prizes_are_paid_once_if_a_worker_is_killed_at_any_statement(
    finished_league, kill_again_and_again
):
    league, three = finished_league
    before = [chips_of(user) for user in three]
    assert kill_again_and_again("leagues") > 5
    act_on_leagues()
    assert_paid_once(league, three, before)


@pytest.mark.django_db(transaction=True)
def test_concurrent_workers_pay_prizes_once(finished_league):
    league, three = finished_league
    before = [chips_of(user) for user in three]
    assert sum(run_at_once(*8 * [act_on_leagues])) >= 1
    assert_paid_once(league, three, before)


@pytest.mark.django_db
def test_a_leaver_is_ranked_behind_the_players_who_stay(make_player):
    league = make_league()
    stays, goes = make_player(), make_player()
    table = start_match(make_table(max_seats=2), stays, goes)
    leave_table(table_id=table.pk, user_id=goes.pk)
    assert Match.objects.get(table=table).status == "FINISHED"
    act_on_league(league.pk)
    assert dict(LeaguePlace.objects.values_list("user", "points")) == {stays.pk: FOR_BEATING}
