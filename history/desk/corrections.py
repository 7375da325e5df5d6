"""Corrections of finished cash matches: one member of staff proposes a correction, another one approves it."""

from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.refusals import Refusal, RefusalKind
from history.models import MatchCorrection
from tables.models import MatchStatus
from wallet import api as wallet
from wallet.money import Currency, format_shown_amount

State = MatchCorrection.State


CORRECTION_REFUSED: Final = RefusalKind(
    "correction_refused",
    _("Only a finished match for cash between open accounts can be corrected."),
)
CORRECTION_OF_OTHERS: Final = RefusalKind(
    "correction_of_others", _("Both must be players of this match.")
)
OWN_CORRECTION: Final = RefusalKind("own_correction", _("You cannot decide about your own match."))
SAME_STAFF: Final = RefusalKind("same_staff", _("Another member of staff has to approve it."))
CORRECTION_DECIDED: Final = RefusalKind(
    "correction_decided", _("This correction is already decided.")
)


def refuse_correction(correction: MatchCorrection) -> None:
    """Raise a Refusal if staff may not propose this correction.

    A correction is possible between two players of a finished cash match. The member of staff is neither of them, and
    the payee's account is not closed.
    """
    match = correction.match
    table = match.table
    is_for_cash = table.currency == Currency.INR and not (table.is_of_event or table.is_free)
    if match.status != MatchStatus.FINISHED or not is_for_cash:
        raise Refusal(CORRECTION_REFUSED)
    if not {correction.payer_id, correction.payee_id} <= set(match.participants):
        raise Refusal(CORRECTION_OF_OTHERS)
    if correction.payee.closed_at is not None:
        raise Refusal(CORRECTION_REFUSED)
    if correction.proposed_by_id in {correction.payer_id, correction.payee_id}:
        raise Refusal(OWN_CORRECTION)


def approve_correction(*, correction_id: int, staff_id: int, house_pays_rest: bool = False) -> None:
    """Move the amount from the payer to the payee's winnings.

    It is taken from the payer's winnings first, then from the payer's deposits. With `house_pays_rest` the house pays
    the part that the payer does not have. Raises CORRECTION_DECIDED, SAME_STAFF, OWN_CORRECTION, a refusal of
    `refuse_correction`, or InsufficientFunds; then nothing has moved.
    """
    with transaction.atomic():
        correction = _lock(correction_id)
        if correction.proposed_by_id == staff_id:
            raise Refusal(SAME_STAFF)
        _refuse_of_staff(correction, staff_id)
        # Closing an account takes the same lock. Both accounts are locked in the order of their ids.
        people = [correction.payer_id, correction.payee_id]
        list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk"))
        refuse_correction(correction)
        correction.by_house = wallet.correct_match(
            match_id=correction.match_id,
            payer_id=correction.payer_id,
            payee_id=correction.payee_id,
            amount=correction.amount,
            key=f"match:{correction.match_id}:correction:{correction.pk}",
            staff_id=staff_id,
            house_pays_rest=house_pays_rest,
        )
        _decide(correction, State.APPROVED, staff_id)
        _write_to_players(correction)


def refuse_proposal(*, correction_id: int, staff_id: int) -> None:
    """Refuse or withdraw a proposed correction. Raises CORRECTION_DECIDED or OWN_CORRECTION."""
    with transaction.atomic():
        correction = _lock(correction_id)
        _refuse_of_staff(correction, staff_id)
        _decide(correction, State.REFUSED, staff_id)


def _write_to_players(correction: MatchCorrection) -> None:
    """Send both players an e-mail, in the transaction that moves the amount. Closed accounts have no address."""
    payer, payee = correction.payer, correction.payee
    given = format_shown_amount(correction.amount - correction.by_house, Currency.INR)
    received = format_shown_amount(correction.amount, Currency.INR)
    for user, sentence, amount, other in (
        (payer, _("%(amount)s of your cash went to %(other)s."), given, payee),
        (payee, _("You received %(amount)s from the match with %(other)s."), received, payer),
    ):
        with override(user.language):
            what = sentence % {"amount": amount, "other": other.player_name}
        write_mail(
            CORRECTED,
            user=user,
            hint="account",
            match=f"#{correction.match_id}",
            what=what,
            reason=correction.reason,
        )


def _compose(values: Values) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        gettext("Our staff have looked at one of your finished matches and corrected its result.")
        + f" {values['what']}",
        gettext("Reason: %(reason)s") % values,
        gettext("You can see it in your statement and on the page of the match."),
        "",
        gettext("Do you disagree? Write to us on the page Help and contact."),
    ]
    return gettext("Your match %(match)s was corrected") % values, "\n".join(lines)


CORRECTED = register_mail_kind(
    "match_corrected",
    _("Match corrected"),
    _compose,
    match=_("the match's number"),
    what=_("what was moved"),
    reason=_("the reason"),
)


def _lock(correction_id: int) -> MatchCorrection:
    correction = MatchCorrection.objects.select_for_update(no_key=True).get(pk=correction_id)
    if correction.state != State.PROPOSED:
        raise Refusal(CORRECTION_DECIDED)
    return correction


def _refuse_of_staff(correction: MatchCorrection, staff_id: int) -> None:
    if staff_id in {correction.payer_id, correction.payee_id}:
        raise Refusal(OWN_CORRECTION)


def _decide(correction: MatchCorrection, state: MatchCorrection.State, staff_id: int) -> None:
    correction.state, correction.decided_by_id = state, staff_id
    correction.decided_at = timezone.now()
    correction.save(update_fields=["state", "decided_by", "decided_at", "by_house"])
