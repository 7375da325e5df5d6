"""What a player is told of a payment that was not credited."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from accounts.notifications.emails import write_email
from wallet.models import Deposit
from wallet.money import Currency, format_amount
from wallet.refusals import AccountClosed, AccountFrozen, DepositLimitReached, SelfExcluded

KIND = "deposit"
_Why = Deposit.RefusedFor
WHY: dict[str, str | Promise] = {
    _Why.CLOSED: AccountClosed.message,
    _Why.FROZEN: AccountFrozen.message,
    _Why.EXCLUDED: SelfExcluded.message,
    _Why.LIMIT: DepositLimitReached.message,
}


def write_about(deposit: Deposit) -> None:
    """In the transaction that has refused it; nobody reads what is written to a closed account."""
    if deposit.refused_for == _Why.CLOSED:
        return
    user = User.objects.only("player_name", "language").get(pk=deposit.user_id)
    with override(user.language):
        amount = f"₹{format_amount(deposit.amount, Currency.INR)}"
        subject = _("Your deposit of %(amount)s was not credited") % {"amount": amount}
        lines = [
            _("Hello %(name)s,") % {"name": user.player_name},
            "",
            f"{subject}.",
            str(WHY[deposit.refused_for]),
            _("The payment goes back to where it came from; your bank shows it within days."),
            "",
            _("Reference: %(reference)s") % {"reference": deposit.reference},
        ]
        write_email(user_id=user.pk, kind=KIND, subject=subject, text="\n".join(lines))
