"""Withdrawals in the administration: approval of several at once, and policies that need two people to relax."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.models import IdentityCheck
from core.models.audit import AuditEntry
from tests.accounts.staff import act_on_rows, decide, member, office
from tests.barring import freeze_by_staff
from tests.given import reload
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_player,
    make_staff,
    set_rules,
)
from tests.wallet.rawsql import post
from tests.wallet.withdrawals.asking import ask
from wallet.models import Withdrawal, WithdrawalPolicy
from wallet.tax.figures import LifeFigures, compute_life_figures
from wallet.withdrawals.requesting import get_withdrawal_policy

pytestmark = pytest.mark.django_db
LIST = "/admin/wallet/withdrawal/"
ADD = "admin:wallet_withdrawalpolicy_add"
LIFTED = "1000000"  # rupees
State = Withdrawal.State


@pytest.fixture
def waiting(boss):
    """Three withdrawals. The second needs two approvals, and the third player is frozen."""
    set_rules(second_above=60_000)
    rows = []
    for name, amount in (("Asha", 50_000), ("Ravi", 70_000), ("Nila", 40_000)):
        user = make_player(name)
        approve_identity(user, boss)
        bring_winnings(user, 200_000)
        rows.append(ask(user, amount, reference=f"w{name}"))
    freeze_by_staff(rows[2].user)
    return rows


def approve(desk, *rows, reason="Checked against the list."):
    return act_on_rows(desk, "approve_them", *rows, reason=reason).text


def states(rows):
    return [Withdrawal.objects.get(pk=row.pk).state for row in rows]


def test_withdrawals_approved_together_are_decided_one_by_one(waiting):
    first, second = member(Role.FINANCE), make_staff("Second")
    page = approve(office(first), *waiting)
    assert page.count("Approved: it will be paid out within a minute.") == 1
    assert page.count("Approved once: a second member of staff has to approve it too.") == 1
    assert states(waiting) == [State.APPROVED, State.NEEDS_SECOND, State.REQUESTED]
    entries = AuditEntry.objects.filter(action="approve").values_list("object_id", "reason")
    assert sorted(entries) == sorted(
        (str(row.pk), "Checked against the list.") for row in waiting[:2]
    )
    # A large withdrawal needs two different approvers.
    approve(office(first), *waiting)
    assert states(waiting) == [State.APPROVED, State.NEEDS_SECOND, State.REQUESTED]
    approve(office(second), waiting[1])
    assert states(waiting) == [State.APPROVED, State.APPROVED, State.REQUESTED]
    assert AuditEntry.objects.filter(action="approve").count() == 3


def test_the_first_approver_is_not_offered_the_second_approval(waiting):
    first, second = office(member(Role.FINANCE)), office(make_staff("Second"))
    row = waiting[1]
    decide(first, row, "approve", "Checked.")
    assert row.state == State.NEEDS_SECOND
    page = reverse("admin:wallet_withdrawal_change", args=[row.pk])
    assert 'value="approve"' not in first.get(page).text
    assert 'value="refuse"' in first.get(page).text
    assert 'value="approve"' in second.get(page).text
    decide(first, row, "approve", "Once more.")
    assert row.state == State.NEEDS_SECOND
    # The link back to the list must not be called Close, which could mean closing the case.
    assert ">Back to the list</a>" in first.get(page).text
    assert ">Close</a>" not in first.get(page).text


def test_the_page_shows_identity_and_figures_of_the_player(desk, waiting):
    """It shows the identity check with its state, and the player's deposits, winnings and withdrawals so far."""
    row = waiting[0]
    bring_deposit(row.user, 30_000)
    page = desk.get(f"{LIST}{row.pk}/change/").text
    check = IdentityCheck.objects.get(user=row.user)
    link = f'<a href="/admin/accounts/identitycheck/{check.pk}/change/">'
    assert f"{check.full_name} · {link}{check.get_state_display()}</a>" in page
    figures = compute_life_figures(row.user_id, now=timezone.now())
    assert figures == LifeFigures(deposited=30_000, withdrawn=50_000, won=200_000)
    for words in ("deposited ₹300.00", "won ₹2,000.00", "withdrawn ₹500.00"):
        assert words in page
    second = office(member(Role.FINANCE, "second"))
    said = decide(second, row, "refuse", "Another name at the bank.").text
    assert "Refused: the player has the money back, and is told why." in said
    figures = compute_life_figures(row.user_id, now=timezone.now())
    assert figures == LifeFigures(deposited=30_000, withdrawn=0, won=200_000)


def test_losses_are_shown_as_negative_winnings(boss):
    asha = make_player()
    bring_deposit(asha, 30_000)
    post("lost", f"PLAYER,{asha.pk},POT,99,INR,30000,ENTRY_FEE")
    figures = compute_life_figures(asha.pk, now=timezone.now())
    assert figures == LifeFigures(deposited=30_000, withdrawn=0, won=-30_000)


def test_approving_needs_a_reason_and_the_right(desk, waiting):
    assert "Write a reason" in approve(desk, *waiting, reason=" ")
    approve(office(member(Role.SUPPORT)), *waiting)
    assert states(waiting) == [State.REQUESTED] * 3
    assert not AuditEntry.objects.filter(action="approve").exists()


def test_withdrawals_are_filtered_by_days_and_amounts(desk, waiting):
    def find(**asked):
        page = desk.get(LIST, asked)
        assert page.status_code == 200
        return {row.amount for row in page.context["cl"].result_list}

    today = f"{timezone.localdate():%Y-%m-%d}"
    assert find(requested_at__from=today, requested_at__until=today) == {50_000, 70_000, 40_000}
    assert find(requested_at__until="2020-01-01") == set()
    assert find(amount__from="500") == {50_000, 70_000}
    assert find(amount__from="400.01", amount__until="500.00") == {50_000}
    assert find(amount__from="much", state__exact="REQUESTED") == {50_000, 70_000, 40_000}
    page = desk.get(LIST, {"state__exact": "REQUESTED", "amount__from": "500"}).text
    # Using one filter keeps the others.
    form = page.split('class="range-filter"')[1].split("</form>")[0]
    assert '<input type="hidden" name="state__exact" value="REQUESTED">' in form


@pytest.fixture
def policy():
    return set_rules(second_above=1_000_000)


def build_form(second_above, **after):
    """Build the form data of a policy that begins this long from now."""
    moment = timezone.localtime() + timedelta(**after)
    return {
        "least": "100",
        "most_a_day": "1000000",
        "second_approval_above": second_above,
        "valid_from_0": f"{moment:%Y-%m-%d}",
        "valid_from_1": f"{moment:%H:%M:%S}",
        "reason_for_audit": "Fewer clicks.",
    }


def add_policy(client, second_above, **after):
    return client.post(reverse(ADD), build_form(second_above, **after))


@pytest.mark.parametrize("hours", [0, -24, 71])
def test_finance_does_not_lift_the_second_approval_at_once(desk, policy, hours):
    answer = add_policy(desk, LIFTED, hours=hours)
    assert answer.status_code == 200
    assert "after 72 hours" in answer.text
    assert WithdrawalPolicy.objects.get() == policy


def test_a_laxer_policy_waits_three_days_and_can_be_deleted(desk, policy):
    assert add_policy(desk, LIFTED, hours=73).status_code == 302
    assert get_withdrawal_policy(timezone.now()) == policy
    later = WithdrawalPolicy.objects.exclude(pk=policy.pk).get()
    change = reverse("admin:wallet_withdrawalpolicy_change", args=[later.pk])
    assert desk.post(change, build_form(LIFTED, hours=1)).status_code == 200
    assert reload(later).valid_from > timezone.now() + timedelta(hours=72)
    other = office(member(Role.FINANCE, "other"))
    delete = reverse("admin:wallet_withdrawalpolicy_delete", args=[later.pk])
    other.post(delete, {"post": "yes", "reason_for_audit": "Too high."})
    assert WithdrawalPolicy.objects.get() == policy


def test_a_coming_stricter_policy_is_not_overtaken(desk, policy):
    coming = timezone.now() + timedelta(hours=2)
    WithdrawalPolicy.objects.create(
        least=10_000, most_a_day=5_000_000, second_approval_above=50_000, valid_from=coming
    )
    assert add_policy(desk, "10000", hours=3).status_code == 200  # the same as now
    assert WithdrawalPolicy.objects.count() == 2
    assert add_policy(desk, "10000", hours=1).status_code == 302


def test_a_stricter_policy_counts_at_once(desk, policy):
    assert add_policy(desk, "500", seconds=1).status_code == 302
    later = get_withdrawal_policy(timezone.now() + timedelta(minutes=1))
    assert later.second_approval_above == 50_000


def test_a_superuser_lifts_the_second_approval_at_once(policy):
    assert add_policy(office(member(Role.SUPERUSER)), LIFTED, seconds=1).status_code == 302
    later = get_withdrawal_policy(timezone.now() + timedelta(minutes=1))
    assert later.second_approval_above == 100_000_000
