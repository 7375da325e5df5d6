"""What players are written when a withdrawal is decided or paid."""

from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from accounts.notifications.emails import write_email
from wallet.models import Withdrawal
from wallet.money import Currency, format_amount
from wallet.withdrawals.texts import EXPLANATIONS

KIND = "withdrawal"
_State = Withdrawal.State
TOLD = frozenset({_State.APPROVED, _State.PAID, _State.REFUSED, _State.FAILED, _State.IN_DISPUTE})


def write_about(withdrawal: Withdrawal) -> None:
    """In the transaction that has changed its state."""
    state = _State(withdrawal.state)
    if state not in TOLD:
        return
    user = User.objects.only("player_name", "language").get(pk=withdrawal.user_id)
    with override(user.language):
        subject = _("Your withdrawal of %(amount)s: %(state)s") % {
            "amount": _rupees(withdrawal.amount),
            "state": state.label,
        }
        lines = [
            _("Hello %(name)s,") % {"name": user.player_name},
            "",
            f"{subject}.",
            str(EXPLANATIONS[state]),
        ]
        if withdrawal.reason:
            lines += ["", _("Reason: %(reason)s") % {"reason": _(withdrawal.reason)}]
        lines += [
            "",
            _("Amount: %(amount)s") % {"amount": _rupees(withdrawal.amount)},
            _("Tax deducted (TDS): %(amount)s") % {"amount": _rupees(withdrawal.tax)},
            _("To you: %(amount)s") % {"amount": _rupees(withdrawal.net)},
            _("Reference: %(reference)s") % {"reference": withdrawal.reference},
            "",
            _("If you did not ask for this, change your password and write to us at once."),
        ]
        write_email(user_id=user.pk, kind=KIND, subject=subject, text="\n".join(lines))


def _rupees(paise: int) -> str:
    return f"₹{format_amount(paise, Currency.INR)}"
