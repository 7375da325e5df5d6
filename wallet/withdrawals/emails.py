"""The texts about a withdrawal's state, and the e-mails that inform the player."""

from collections.abc import Mapping
from functools import partial

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import User
from core.emails.kinds import MailKind, Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from wallet.models import Withdrawal
from wallet.money import Currency, format_shown_amount

_State = Withdrawal.State
EXPLANATIONS: Mapping[Withdrawal.State, str | Promise] = {
    _State.REQUESTED: gettext_lazy(
        "The amount is set aside. An administrator will check your request, usually today."
    ),
    _State.NEEDS_SECOND: gettext_lazy(
        "One administrator has approved your request; a second one will check it."
    ),
    _State.APPROVED: gettext_lazy("The money goes to your bank within a minute."),
    _State.SENT: gettext_lazy(
        "Your bank has the payment; it usually arrives within seconds, sometimes only after a day."
    ),
    _State.PAID: gettext_lazy("The money has arrived."),
    _State.REFUSED: gettext_lazy("The amount is back in your winnings."),
    _State.CANCELLED: gettext_lazy("The amount is back in your winnings."),
    _State.FAILED: gettext_lazy(
        "The amount is back in your winnings. Check the address and try again."
    ),
    _State.IN_DISPUTE: gettext_lazy(
        "Something about this payment does not match; our staff will look into it and write to you."
    ),
}


KIND = "withdrawal"


def write_about(withdrawal: Withdrawal) -> None:
    """Write the e-mail about a withdrawal's new state, in the transaction that changed it."""
    kind = MAILS.get(_State(withdrawal.state))
    if kind is None:
        return
    user = User.objects.only("player_name", "language").get(pk=withdrawal.user_id)
    with override(user.language):
        reason = _(withdrawal.reason) if withdrawal.reason else ""
    write_mail(
        kind,
        user=user,
        hint=KIND,
        amount=_format_rupees(withdrawal.amount),
        tax=_format_rupees(withdrawal.tax),
        net=_format_rupees(withdrawal.net),
        reference=withdrawal.reference,
        reason=reason,
    )


def _render_default(state: Withdrawal.State, values: Values) -> tuple[str, str]:
    subject = _("Your withdrawal of %(amount)s: %(state)s") % {**values, "state": state.label}
    lines = [render_greeting(values), "", f"{subject}.", str(EXPLANATIONS[state])]
    if values["reason"]:
        lines += ["", _("Reason: %(reason)s") % values]
    lines += [
        "",
        _("Amount: %(amount)s") % values,
        _("Tax deducted (TDS): %(amount)s") % {"amount": values["tax"]},
        _("To you: %(amount)s") % {"amount": values["net"]},
        _("Reference: %(reference)s") % values,
        "",
        _("If you did not ask for this, change your password and write to us at once."),
    ]
    return subject, "\n".join(lines)


def _register_kind(state: Withdrawal.State, title: Promise) -> MailKind:
    return register_mail_kind(
        f"withdrawal_{state.lower()}",
        title,
        partial(_render_default, state),
        amount=gettext_lazy("the amount"),
        tax=gettext_lazy("the tax deducted"),
        net=gettext_lazy("the payout"),
        reference=gettext_lazy("the withdrawal's reference"),
        reason=gettext_lazy("the reason, if there is one"),
    )


MAILS = {
    _State.APPROVED: _register_kind(_State.APPROVED, gettext_lazy("Withdrawal approved")),
    _State.PAID: _register_kind(_State.PAID, gettext_lazy("Withdrawal paid")),
    _State.REFUSED: _register_kind(_State.REFUSED, gettext_lazy("Withdrawal refused")),
    _State.FAILED: _register_kind(_State.FAILED, gettext_lazy("Withdrawal failed")),
    _State.IN_DISPUTE: _register_kind(_State.IN_DISPUTE, gettext_lazy("Withdrawal under review")),
}


def _format_rupees(paise: int) -> str:
    return format_shown_amount(paise, Currency.INR)
