"""Several withdrawals are approved with one reason; what is refused for one is done for the others."""

import pytest
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.people.closing import freeze
from core.models.audit import AuditEntry
from tests.accounts.staff import member, office
from tests.wallet.cash_players import (
    approve_identity,
    bring_winnings,
    make_player,
    make_staff,
    set_rules,
)
from tests.wallet.withdrawals.asking import ask
from wallet.models import Withdrawal

pytestmark = pytest.mark.django_db
LIST = "/admin/wallet/withdrawal/"
State = Withdrawal.State


@pytest.fixture
def waiting(boss):
    """Two of two players, the second above the limit of one approval; and one of a frozen player."""
    set_rules(second_above=60_000)
    rows = []
    for name, amount in (("Asha", 50_000), ("Ravi", 70_000), ("Nila", 40_000)):
        user = make_player(name)
        approve_identity(user, boss)
        bring_winnings(user, 200_000)
        rows.append(ask(user, amount, reference=f"w{name}"))
    freeze(user_id=rows[2].user_id, staff_id=boss.pk, reason="Looks odd.")
    return rows


def approve(desk, *rows, reason="Checked against the list."):
    form = {"action": "approve_them", "_selected_action": [row.pk for row in rows]}
    answer = desk.post(LIST, {**form, "reason_for_audit": reason}, follow=True)
    return answer.text


def states(rows):
    return [Withdrawal.objects.get(pk=row.pk).state for row in rows]


def test_each_is_decided_by_itself(waiting):
    first, second = member(Role.FINANCE), make_staff("Second")
    page = approve(office(first), *waiting)
    assert page.count(": done.") == 2
    assert states(waiting) == [State.APPROVED, State.NEEDS_SECOND, State.REQUESTED]
    entries = AuditEntry.objects.filter(action="approve").values_list("object_id", "reason")
    assert sorted(entries) == sorted(
        (str(row.pk), "Checked against the list.") for row in waiting[:2]
    )
    # Nobody is both of the two who approve a large one.
    approve(office(first), *waiting)
    assert states(waiting) == [State.APPROVED, State.NEEDS_SECOND, State.REQUESTED]
    approve(office(second), waiting[1])
    assert states(waiting) == [State.APPROVED, State.APPROVED, State.REQUESTED]
    assert AuditEntry.objects.filter(action="approve").count() == 3


def test_not_without_a_reason_and_not_by_everybody(waiting):
    assert "Write a reason" in approve(office(member(Role.FINANCE)), *waiting, reason=" ")
    approve(office(member(Role.SUPPORT)), *waiting)
    assert states(waiting) == [State.REQUESTED] * 3
    assert not AuditEntry.objects.filter(action="approve").exists()


def test_lists_by_days_and_amounts(waiting):
    desk = office(member(Role.FINANCE))

    def found(**asked):
        page = desk.get(LIST, asked)
        assert page.status_code == 200
        return {row.amount for row in page.context["cl"].result_list}

    today = f"{timezone.localdate():%Y-%m-%d}"
    assert found(requested_at__from=today, requested_at__until=today) == {50_000, 70_000, 40_000}
    assert found(requested_at__until="2020-01-01") == set()
    assert found(amount__from="500") == {50_000, 70_000}
    assert found(amount__from="400.01", amount__until="500.00") == {50_000}
    assert found(amount__from="much", state__exact="REQUESTED") == {50_000, 70_000, 40_000}
    page = desk.get(LIST, {"state__exact": "REQUESTED", "amount__from": "500"}).text
    # The form of one filter keeps the others.
    form = page.split('class="range-filter"')[1].split("</form>")[0]
    assert '<input type="hidden" name="state__exact" value="REQUESTED">' in form
