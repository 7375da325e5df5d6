"""Players with cash and an approved identity, made by the services that production uses."""

from datetime import date

from django.utils import timezone

from accounts.models import IdentityCheck, User
from tests.wallet.rawsql import post
from wallet.ledger.balances import get_player_balances
from wallet.models import Deposit, TaxRule, WithdrawalPolicy


def make_player(name="Asha"):
    return User.objects.create_user(
        f"{name.lower()}@example.com", "a-long-password", player_name=name
    )


def make_staff(name):
    return User.objects.create_superuser(f"{name.lower()}@example.com", "x", player_name=name)


def approve_identity(user, staff):
    return IdentityCheck.objects.create(
        user=user,
        full_name=f"{user.player_name} Rao",
        born_on=date(1990, 1, 1),
        document_kind="PAN",
        document_number=f"ABCDE{user.pk:04}F",
        state="APPROVED",
        decided_at=timezone.now(),
        decided_by=staff,
    )


def read_cash(user):
    return get_player_balances(user.pk).cash


def bring_winnings(user, amount, key="won"):
    post(f"{key}:{user.pk}", f"SUSPENSE,0,WINNINGS,{user.pk},INR,{amount},PRIZE")


def bring_deposit(user, amount, key="brought"):
    """Store a deposit that the provider reports as paid, and credit it."""
    now = timezone.now()
    deposit = Deposit.objects.create(
        user=user,
        amount=amount,
        provider="sandbox",
        reference=f"{key}-{user.pk}",
        state="PAID",
        started_at=now,
        decided_at=now,
    )
    post(
        f"deposit:sandbox:{deposit.reference}", f"DEPOSITS,0,PLAYER,{user.pk},INR,{amount},DEPOSIT"
    )


def may_withdraw(user, staff, winnings=200_000, **rules):
    """Set the withdrawal rules, and give the player an approved identity and winnings."""
    set_rules(**rules)
    approve_identity(user, staff)
    bring_winnings(user, winnings)
    return user


def set_rules(*, second_above=1_000_000, threshold=0, rate_bps=3_000):
    TaxRule.objects.create(
        code="IN-194BA", rate_bps=rate_bps, threshold=threshold, valid_from=date(2023, 4, 1)
    )
    return WithdrawalPolicy.objects.create(
        least=10_000,
        most_a_day=5_000_000,
        second_approval_above=second_above,
        valid_from=timezone.now(),
    )
