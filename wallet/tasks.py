from celery import shared_task
from django.utils import timezone

from wallet.bonuses.campaigns.services import pay_inviters
from wallet.bonuses.services import tend_bonuses as tend_due_bonuses
from wallet.deposits.refunds import send_refunds as send_due_refunds
from wallet.deposits.services import expire_deposits as expire_unpaid_deposits
from wallet.ledger.checks import check_recent
from wallet.ledger.checks import seal_ledger as seal_what_happened
from wallet.ledger.holds import expire_holds as give_back_expired_holds
from wallet.tax.year_end import settle_last_year as settle_tax_of_last_year
from wallet.withdrawals.payouts import send_payouts as send_due_payouts


# It reads what is new, for as long as it has time; after a finding it reads everything.
@shared_task(name="wallet.check_ledger", time_limit=3_600)
def check_ledger() -> int:
    """The number of findings; see wallet.ledger.checks."""
    return len(check_recent().findings)


@shared_task(name="wallet.seal_ledger")
def seal_ledger() -> int:
    """The number of transfers that were sealed."""
    return seal_what_happened()


@shared_task(name="wallet.expire_holds")
def expire_holds() -> int:
    """The number of holds that ended."""
    return give_back_expired_holds()


@shared_task(name="wallet.send_payouts")
def send_payouts() -> int:
    """The number of payouts that the provider took."""
    return send_due_payouts(now=timezone.now())


@shared_task(name="wallet.expire_deposits")
def expire_deposits() -> int:
    """The number of deposits that were not paid in time."""
    return expire_unpaid_deposits(now=timezone.now())


@shared_task(name="wallet.send_refunds")
def send_refunds() -> int:
    """The number of payments that the provider pays back."""
    return send_due_refunds(now=timezone.now())


@shared_task(name="wallet.tend_bonuses")
def tend_bonuses() -> int:
    """The number of bonuses that were looked at, or given for invited friends."""
    now = timezone.now()
    return pay_inviters(now=now) + tend_due_bonuses(now=now)


@shared_task(name="wallet.settle_last_year")
def settle_last_year() -> int:
    """The number of players whose last financial year was settled now."""
    return settle_tax_of_last_year(today=timezone.localdate())
