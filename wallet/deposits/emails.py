"""The e-mail about a payment that was not credited."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import User
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from wallet.models import Deposit
from wallet.money import Currency, format_shown_amount
from wallet.refusals import ACCOUNT_FROZEN, DEPOSIT_LIMIT_REACHED, SELF_EXCLUDED, WALLET_CLOSED

KIND = "deposit"
_Why = Deposit.RefusedFor
WHY: dict[str, str | Promise] = {
    _Why.CLOSED: WALLET_CLOSED.message,
    _Why.FROZEN: ACCOUNT_FROZEN.message,
    _Why.EXCLUDED: SELF_EXCLUDED.message,
    _Why.LIMIT: DEPOSIT_LIMIT_REACHED.message,
}


def write_about(deposit: Deposit) -> None:
    """Write the e-mail about a refused payment, in the transaction that refuses it. A closed account gets no e-mail."""
    if deposit.refused_for == _Why.CLOSED:
        return
    user = User.objects.only("player_name", "language").get(pk=deposit.user_id)
    amount = format_shown_amount(deposit.amount, Currency.INR)
    with override(user.language):
        why = str(WHY[deposit.refused_for])
    write_mail(
        NOT_CREDITED, user=user, hint=KIND, amount=amount, why=why, reference=deposit.reference
    )


def _compose_not_credited(values: Values) -> tuple[str, str]:
    subject = _("Your deposit of %(amount)s was not credited") % values
    lines = [
        render_greeting(values),
        "",
        f"{subject}.",
        values["why"],
        _("The payment goes back to where it came from; your bank shows it within days."),
        "",
        _("Reference: %(reference)s") % values,
    ]
    return subject, "\n".join(lines)


NOT_CREDITED = register_mail_kind(
    "deposit_not_credited",
    gettext_lazy("Payment not credited"),
    _compose_not_credited,
    amount=gettext_lazy("the amount"),
    why=gettext_lazy("why it was not credited"),
    reference=gettext_lazy("the payment's reference"),
)
