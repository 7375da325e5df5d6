from celery import shared_task
from django.utils import timezone

from wallet.bonuses.campaigns import pay_inviters
from wallet.bonuses.services import maintain_bonuses as maintain_due_bonuses
from wallet.deposits.refunds import send_refunds as send_due_refunds
from wallet.deposits.services import expire_deposits as expire_unpaid_deposits
from wallet.ledger.checks import check_recent
from wallet.ledger.checks import seal_ledger as seal_what_happened
from wallet.ledger.holds import expire_holds as give_back_expired_holds
from wallet.payments.cases import collect_due
from wallet.tax.year_end import settle_last_year as settle_tax_of_last_year
from wallet.withdrawals.payouts import send_payouts as send_due_payouts


# Checks new transfers until its time is up. After a check with findings it checks the whole ledger.
@shared_task(name="wallet.check_ledger", time_limit=3_600)
def check_ledger() -> int:
    """Check the ledger. Return the number of findings."""
    return len(check_recent().findings)


@shared_task(name="wallet.seal_ledger")
def seal_ledger() -> int:
    """Seal new transfers. Return how many."""
    return seal_what_happened()


@shared_task(name="wallet.expire_holds")
def expire_holds() -> int:
    """Release expired holds. Return how many."""
    return give_back_expired_holds()


@shared_task(name="wallet.send_payouts")
def send_payouts() -> int:
    """Send payouts. Return how many the provider accepted."""
    return send_due_payouts(now=timezone.now())


@shared_task(name="wallet.expire_deposits")
def expire_deposits() -> int:
    """Expire deposits that were not paid in time. Return how many."""
    return expire_unpaid_deposits(now=timezone.now())


@shared_task(name="wallet.send_refunds")
def send_refunds() -> int:
    """Send refunds. Return how many the provider accepted."""
    return send_due_refunds(now=timezone.now())


@shared_task(name="wallet.collect_held")
def collect_held() -> int:
    """Hold back money that is missing in undecided payment cases. Return how many cases now hold more."""
    return collect_due(now=timezone.now())


@shared_task(name="wallet.maintain_bonuses")
def maintain_bonuses() -> int:
    """Pay inviters, then release and expire bonuses. Return how many bonuses were paid or checked."""
    now = timezone.now()
    return pay_inviters(now=now) + maintain_due_bonuses(now=now)


@shared_task(name="wallet.settle_last_year")
def settle_last_year() -> int:
    """Settle the tax of the last financial year. Return how many players were settled."""
    return settle_tax_of_last_year(today=timezone.localdate())
