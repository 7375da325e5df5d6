"""The nightly job that computes the evidence about pairs."""

from datetime import timedelta

import pytest
from django.utils import timezone

from history.fairplay import weighing
from history.fairplay.pairs import FALSE_RATE, SHOWN_AT
from history.fairplay.weighing import FROM_HOUR, score_pairs
from history.models import MatchTrace, PairNight
from history.tasks import score_all_pairs
from tables.models import PairEvidence, PairState
from tests.given import require
from tests.history.fairplay.nights import people, store
from tests.history.fairplay.synthetic import club

pytestmark = pytest.mark.django_db


def night(days=0):
    """Return four o'clock in the night, this many days from now."""
    moment = timezone.localtime(timezone.now()) + timedelta(days=days)
    return moment.replace(hour=FROM_HOUR + 1, minute=0)


@pytest.fixture
def users():
    return people(12)


def test_the_feeding_pair_is_listed_first_with_its_money(users, make_table):
    store(club(400, 1, feeds=(1, 2)), users, make_table())
    assert require(score_pairs(night())) >= 1
    first = require(PairEvidence.objects.order_by("q").first())
    assert (first.low, first.high) == (users[1], users[2])
    assert first.q <= FALSE_RATE
    feeding = first.kinds["feeding"]
    assert feeding["q"] == first.q
    assert feeding["p"] < feeding["q"]
    assert PairEvidence.objects.filter(q__lte=FALSE_RATE).count() == 1  # and no honest friends
    assert PairNight.objects.get().tested == 66
    assert not PairEvidence.objects.filter(q__gt=SHOWN_AT).exists()
    (lost, won), *others = first.money.values()
    assert (lost % 10, won % 10, others) == (0, 0, [])
    assert lost + won > 0
    assert first.matches == MatchTrace.objects.filter(giver=users[1], taker=users[2]).count()


def test_pairs_are_weighed_once_a_night(users, make_table, monkeypatch):
    store(club(60, 1), users, make_table())
    assert score_pairs(night().replace(hour=FROM_HOUR - 1)) is None
    assert not PairNight.objects.exists()
    moment = night()
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    assert score_all_pairs() == PairEvidence.objects.count()
    assert score_all_pairs() is None
    assert score_pairs(moment + timedelta(minutes=10)) is None
    assert score_pairs(night(1)) is not None
    assert PairNight.objects.count() == 2


def test_a_weighing_that_dies_has_written_nothing(users, make_table, monkeypatch):
    store(club(200, 1, feeds=(1, 2)), users, make_table())

    def die(_low, _high, _now):
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(weighing, "sum_money_between", die)
        with pytest.raises(SystemExit):
            score_pairs(night())
    assert not PairNight.objects.exists()
    assert not PairEvidence.objects.exists()
    assert require(score_pairs(night())) >= 1


def test_the_next_night_keeps_what_staff_decided(users, make_table):
    store(club(200, 1, feeds=(1, 2)), users, make_table())
    score_pairs(night())
    pair = require(PairEvidence.objects.order_by("q").first())
    others = set(PairEvidence.objects.exclude(pk=pair.pk).values_list("pk", flat=True))
    since = timezone.now()
    PairEvidence.objects.filter(pk=pair.pk).update(
        state=PairState.WATCHED, reason="Look again", kept_apart_since=since
    )
    MatchTrace.objects.all().delete()
    score_pairs(night(1))
    pair.refresh_from_db()
    assert (pair.state, pair.reason, pair.kept_apart_since) == ("WATCHED", "Look again", since)
    # Unreviewed pairs without evidence are deleted.
    assert not PairEvidence.objects.filter(pk__in=others).exists()


def test_traces_of_another_version_are_ignored(users, make_table):
    store(club(60, 1, feeds=(1, 2)), users, make_table())
    MatchTrace.objects.update(version=0)
    score_pairs(night())
    assert PairNight.objects.get().tested == 0
    assert not PairEvidence.objects.exists()
