"""The rules of cash that a new installation begins with; later rows replace them."""

from datetime import date, datetime

from wallet.models import TaxRule, WithdrawalPolicy


def set_starting_rules(*, valid_from: datetime) -> None:
    """Withdrawals from ₹100, ₹1,00,000 a day, two administrators above ₹10,000; India's tax on net
    winnings since 1 April 2023: 30 %, up to ₹100 with the next ones. Only where there is none."""
    if not WithdrawalPolicy.objects.exists():
        WithdrawalPolicy.objects.create(
            least=10_000,
            most_a_day=10_000_000,
            second_approval_above=1_000_000,
            valid_from=valid_from,
        )
    if not TaxRule.objects.exists():
        TaxRule.objects.create(
            code="IN-194BA", rate_bps=3_000, threshold=10_000, valid_from=date(2023, 4, 1)
        )
