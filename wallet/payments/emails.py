"""The e-mails about money that is held back because a provider or a bank wants a payment back."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import User
from core.emails.kinds import MailKind, Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from wallet.models import PaymentCase
from wallet.money import Currency, format_shown_amount

# The notice that the player's open pages get, as after every change of a deposit.
_HINT: Final = "deposit"
_WHY: Final[Mapping[str, str | Promise]] = {
    PaymentCase.Kind.DISPUTE: gettext_lazy(
        "Your bank or card company disputes this payment and wants it back from us."
    ),
    PaymentCase.Kind.REFUND: gettext_lazy(
        "Our payment provider is paying this payment back to where it came from."
    ),
}
_State = PaymentCase.State


def write_held(case: PaymentCase, *, missing: int) -> None:
    """Write the e-mail about the first money held back for a case, in the transaction that holds it.

    `missing` is the further amount that will be held once the player has money.
    """
    _write(HELD, case, missing=missing)


def write_settled(case: PaymentCase, *, given_back: int = 0) -> None:
    """Write the e-mail about the staff's decision on a case, in the transaction of the decision.

    `given_back` is the amount that returned to the player.
    """
    kind = SETTLED.get(_State(case.state))
    if case.state == _State.GIVEN_BACK and not given_back:
        kind = SETTLED[_State.BORNE]
    if kind is not None:
        _write(kind, case, missing=case.taken - case.held, given_back=given_back)


def _write(kind: MailKind, case: PaymentCase, *, missing: int, given_back: int = 0) -> None:
    """Write an e-mail about a case of a deposit. A closed account has no address, so no e-mail is written."""
    deposit = case.deposit
    assert deposit is not None  # noqa: S101 - the table's constraint: only a deposit's case moves money
    user = User.objects.only("player_name", "language").get(pk=deposit.user_id)
    with override(user.language):
        why = str(_WHY[case.kind])
        rest = "" if missing <= 0 else _REST % {"missing": _format_rupees(missing)}
    write_mail(
        kind,
        user=user,
        hint=_HINT,
        deposit=_format_rupees(deposit.amount),
        amount=_format_rupees(case.taken or case.amount),
        held=_format_rupees(given_back or case.held),
        why=why,
        rest=rest,
        reference=deposit.reference,
    )


_REST: Final = gettext_lazy(
    "%(missing)s is still missing. It will be taken from cash that comes into your "
    "wallet; until it is paid you cannot withdraw."
)
_OF_DEPOSIT: Final = gettext_lazy("This is about your deposit of %(deposit)s.")
_IF_WRONG: Final = gettext_lazy("If this is wrong, write to us on the page Help and contact.")


def _compose_held(values: Values) -> tuple[str, str]:
    lines = [
        _OF_DEPOSIT % values,
        values["why"],
        _(
            "Until our staff have decided, you can neither play with %(held)s nor withdraw it. If "
            "the payment stays with us, you get it back."
        )
        % values,
        values["rest"],
    ]
    ask = _(
        "If you asked your bank for this by mistake, tell it that the payment was right. If you "
        "did not ask for it, or want to know more, write to us on the page Help and contact."
    )
    return _("We hold back %(held)s of your cash") % values, _join(values, lines, ask)


def _compose_given_back(values: Values) -> tuple[str, str]:
    lines = [
        _OF_DEPOSIT % values,
        _("The payment stays with us, and %(held)s that we held back is in your wallet again.")
        % values,
        _("You do not need to do anything."),
    ]
    return _("You have %(held)s of your cash back") % values, _join(values, lines)


def _compose_taken(values: Values) -> tuple[str, str]:
    lines = [
        _OF_DEPOSIT % values,
        values["why"],
        _("The cash that we held back for it is no longer yours. Nothing more is collected."),
    ]
    subject = _("%(amount)s of your deposit has gone back") % values
    return subject, _join(values, lines, str(_IF_WRONG))


def _compose_owed(values: Values) -> tuple[str, str]:
    lines = [_OF_DEPOSIT % values, values["why"], values["rest"]]
    subject = _("%(amount)s of your deposit has gone back, and you still owe part of it") % values
    return subject, _join(values, lines, str(_IF_WRONG))


def _compose_over(values: Values) -> tuple[str, str]:
    lines = [
        _("Our staff have decided: nothing more is taken from your wallet for this deposit."),
        _("You do not need to do anything."),
    ]
    subject = _("Nothing more is collected for your deposit of %(deposit)s") % values
    return subject, _join(values, lines)


def _join(values: Values, lines: Sequence[str], ask: str = "") -> str:
    return "\n".join(
        [
            render_greeting(values),
            "",
            *filter(None, lines),
            *(["", ask] if ask else []),
            "",
            _("Reference: %(reference)s") % values,
        ]
    )


_register = partial(
    register_mail_kind,
    deposit=gettext_lazy("the deposit"),
    amount=gettext_lazy("the amount that is claimed back"),
    held=gettext_lazy("the amount that is held back or given back"),
    why=gettext_lazy("why the payment is claimed back"),
    rest=gettext_lazy("what is still missing, if anything is"),
    reference=gettext_lazy("the payment's reference"),
)
HELD = _register("payment_held", gettext_lazy("Payment held back"), _compose_held)
SETTLED: Final[Mapping[PaymentCase.State, MailKind]] = {
    _State.GIVEN_BACK: _register(
        "payment_given_back", gettext_lazy("Payment given back"), _compose_given_back
    ),
    _State.TAKEN: _register(
        "payment_taken", gettext_lazy("Payment taken back by the provider"), _compose_taken
    ),
    _State.OWED: _register(
        "payment_owed",
        gettext_lazy("Rest still owed after a payment was taken back"),
        _compose_owed,
    ),
    _State.BORNE: _register("payment_over", gettext_lazy("Payment case closed"), _compose_over),
}


def _format_rupees(paise: int) -> str:
    return format_shown_amount(paise, Currency.INR)
