"""Policies of withdrawals in the administration: nobody lifts alone what binds them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.desk.staff_roles import Role
from tests.accounts.staff import member, office
from tests.given import fresh
from tests.wallet.cash_players import set_rules
from wallet.models import WithdrawalPolicy
from wallet.withdrawals.requesting import withdrawal_policy

pytestmark = pytest.mark.django_db
ADD = "admin:wallet_withdrawalpolicy_add"
LIFTED = "1000000"  # rupees


@pytest.fixture
def policy():
    return set_rules(second_above=1_000_000)


@pytest.fixture
def finance():
    return office(member(Role.FINANCE))


def sent(second_above, *, after):
    moment = timezone.localtime() + after
    return {
        "least": "100",
        "most_a_day": "1000000",
        "second_approval_above": second_above,
        "valid_from_0": f"{moment:%Y-%m-%d}",
        "valid_from_1": f"{moment:%H:%M:%S}",
        "reason_for_audit": "Fewer clicks.",
    }


@pytest.mark.parametrize("after", [timedelta(0), timedelta(days=-1), timedelta(hours=71)], ids=str)
def test_finance_does_not_lift_the_second_approval_at_once(finance, policy, after):
    answer = finance.post(reverse(ADD), sent(LIFTED, after=after))
    assert answer.status_code == 200
    assert "72 hours from now" in answer.text
    assert WithdrawalPolicy.objects.get() == policy


def test_it_counts_three_days_later_and_others_delete_it_until_then(finance, policy):
    assert finance.post(reverse(ADD), sent(LIFTED, after=timedelta(hours=73))).status_code == 302
    assert withdrawal_policy(timezone.now()) == policy
    later = WithdrawalPolicy.objects.exclude(pk=policy.pk).get()
    change = reverse("admin:wallet_withdrawalpolicy_change", args=[later.pk])
    assert finance.post(change, sent(LIFTED, after=timedelta(hours=1))).status_code == 200
    assert fresh(later).valid_from > timezone.now() + timedelta(hours=72)
    other = office(member(Role.FINANCE, "other"))
    delete = reverse("admin:wallet_withdrawalpolicy_delete", args=[later.pk])
    gone = other.post(delete, {"post": "yes", "reason_for_audit": "Too high."})
    assert gone.status_code == 302
    assert WithdrawalPolicy.objects.get() == policy


def test_a_stricter_one_that_is_coming_is_not_overtaken(finance, policy):
    coming = timezone.now() + timedelta(hours=2)
    WithdrawalPolicy.objects.create(
        least=10_000, most_a_day=5_000_000, second_approval_above=50_000, valid_from=coming
    )
    same_as_now = sent("10000", after=timedelta(hours=3))
    assert finance.post(reverse(ADD), same_as_now).status_code == 200
    assert WithdrawalPolicy.objects.count() == 2
    assert finance.post(reverse(ADD), sent("10000", after=timedelta(hours=1))).status_code == 302


def test_a_stricter_one_counts_at_once(finance, policy):
    assert finance.post(reverse(ADD), sent("500", after=timedelta(seconds=1))).status_code == 302
    later = withdrawal_policy(timezone.now() + timedelta(minutes=1))
    assert later.second_approval_above == 50_000


def test_a_superuser_may_lift_it_at_once(policy):
    boss = office(member(Role.SUPERUSER))
    assert boss.post(reverse(ADD), sent(LIFTED, after=timedelta(seconds=1))).status_code == 302
    later = withdrawal_policy(timezone.now() + timedelta(minutes=1))
    assert later.second_approval_above == 100_000_000
