"""Pages on which staff give their verdicts on pairs of players."""

import pytest
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.models import User
from core.models.audit import AuditEntry
from history.tasks import trace_finished_matches
from tables.models import Match, PairEvidence
from tables.play.seats import is_apart_from_any, list_pairs_kept_apart
from tests.accounts.staff import member, office
from tests.given import reload
from tests.tables.driving import play_to_the_end, start_match

pytestmark = pytest.mark.django_db
LIST = "/admin/tables/pairevidence/"


@pytest.fixture
def pair(make_player):
    """A pair with the figures of one night's job."""
    people = [make_player() for _ in range(2)]
    kinds = {
        "feeding": {
            "game": "indian", "matches": 31, "p": 1.3e-6, "q": 0.0004, "z": 4.7, "giver": None,
        },
        "dumping": {
            "game": "indian", "matches": 53, "p": 0.42, "q": 1.0, "z": 0.2, "giver": people[0].pk,
        },
    }  # fmt: skip
    return PairEvidence.objects.create(
        low=people[0], high=people[1], matches=53, q=0.0004, kinds=kinds,
        money={"CHIPS": [1500, 20]}, computed_at=timezone.now(),
    )  # fmt: skip


@pytest.fixture(autouse=True)
def _staff():
    for role in (Role.SUPERUSER, Role.SUPPORT, Role.GAMES, Role.FINANCE):
        member(role)


def desk_of(role):
    return office(User.objects.get(groups__name=role))


def page_of(pair, role=Role.SUPERUSER):
    return desk_of(role).get(f"{LIST}{pair.pk}/change/")


def decide(pair, code, role=Role.SUPERUSER, reason="Ten discards in a row"):
    return desk_of(role).post(
        f"{LIST}{pair.pk}/decide/", {"decision": code, "reason": reason}, follow=True
    )


def test_the_page_of_a_pair_shows_evidence_and_replays(pair, make_player, make_table):
    table = start_match(make_table(max_seats=3), pair.low, pair.high, make_player())
    play_to_the_end(table, strength="medium")
    trace_finished_matches()
    page = page_of(pair).text
    kinds = page.split('data-region="kinds"')[1].split("</div>")[0]
    assert "Discards for each other" in kinds
    assert "1.3e-06" in kinds
    assert "0.42" in kinds
    discards = page.split('data-region="discards"')[1].split("</div>")[0]
    assert f"/matches/{Match.objects.get().pk}/deals/1/" in discards
    hands = [len(row.split("</td>")[0].split()) for row in discards.split("<td data-hand>")[1:]]
    assert hands == [14, 13] * (len(hands) // 2)
    assert hands
    assert 'name="decision"' in page
    assert "1,500 chips / 20 chips" in page
    page = desk_of(Role.GAMES).get(LIST).text
    assert "found (q 0.0004)" in page
    assert "Discards for each other" in page


def test_staff_keep_a_pair_apart_and_undo_it(pair):
    assert list_pairs_kept_apart([pair.low_id, pair.high_id]) == frozenset()
    decide(pair, "keep_apart")
    both = (pair.low_id, pair.high_id)
    assert list_pairs_kept_apart([*both, 0]) == {both}
    assert is_apart_from_any(pair.high_id, [pair.low_id])
    assert not is_apart_from_any(pair.high_id, [])
    entry = AuditEntry.objects.get(object_type="tables.pairevidence")
    assert (entry.action, entry.reason) == ("keep_apart", "Ten discards in a row")
    assert entry.before["kept_apart_since"] is None
    decide(pair, "let_together")
    assert list_pairs_kept_apart(both) == frozenset()


def test_a_verdict_closes_the_case_and_freezes_nobody(pair):
    decide(pair, "upheld")
    pair.refresh_from_db()
    assert (pair.state, pair.verdict, pair.reason) == ("CLOSED", "UPHELD", "Ten discards in a row")
    assert pair.decided_by is not None
    assert reload(pair.low).frozen_at is None
    decide(pair, "watch")
    assert (reload(pair).state, pair.verdict) == ("WATCHED", "")


def test_staff_freeze_one_account_and_decide_with_the_right_and_a_reason(pair):
    decide(pair, "freeze_high", role=Role.GAMES)
    assert reload(pair.high).frozen_at is None
    assert page_of(pair, Role.FINANCE).status_code == 403
    assert decide(pair, "upheld", role=Role.FINANCE).status_code == 403
    decide(pair, "upheld", reason=" ")
    assert (reload(pair).state, pair.verdict) == ("NEW", "")
    assert not AuditEntry.objects.filter(object_type="tables.pairevidence").exists()
    decide(pair, "freeze_high", role=Role.SUPPORT)
    assert reload(pair.high).frozen_at is not None
    assert reload(pair.low).frozen_at is None
