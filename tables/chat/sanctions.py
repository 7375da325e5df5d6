"""Warnings and silences: staff decisions against players who insult others, and the e-mails that tell these players."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import User
from core.administration.lists import format_moment
from core.emails.kinds import MailKind, Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.page_notices import hint_after_commit
from core.refusals import Refusal
from tables.chat.selectors import format_end, has_ended
from tables.chat.services import notify_of_outcome
from tables.models import Report, ReportReason, ReportStatus, Sanction
from tables.refusals import (
    NOT_SANCTIONABLE,
    NOT_SILENCED,
    OWN_SANCTION,
    SANCTION_NEEDS_WORDS,
    AlreadySanctioned,
)

SANCTIONS_SHOWN: Final = 20
# The notice to a player's open pages that a silence has begun or ended.
SILENCE: Final = "silence"


@dataclass(frozen=True, slots=True)
class Grounds:
    """The grounds of a staff decision. The player reads `reason` and `words`.

    `report_id` is the report that led to the decision. `form` identifies the submitted form, so that a repeated
    submission is refused.
    """

    reason: ReportReason
    words: str = ""
    report_id: int | None = None
    form: UUID | None = None


@transaction.atomic
def warn(*, user_id: int, staff_id: int, grounds: Grounds) -> Sanction:
    """Warn a player by e-mail and on the page Help and contact.

    Raises AlreadySanctioned, NOT_SANCTIONABLE, OWN_SANCTION or SANCTION_NEEDS_WORDS.
    """
    user = _lock_player(user_id, staff_id, grounds)
    made = _decide(user, staff_id, grounds, Sanction(kind=Sanction.Kind.WARNING))
    _notify(WARNED, made, reason=_explain(made, user))
    return made


@transaction.atomic
def silence(
    *, user_id: int, staff_id: int, grounds: Grounds, lasts: timedelta | None, now: datetime
) -> Sanction:
    """Bar a player from writing free text in every chat, for the time `lasts` or permanently if it is None.

    If several silences overlap, the one that ends last applies. Raises AlreadySanctioned, NOT_SANCTIONABLE,
    OWN_SANCTION or SANCTION_NEEDS_WORDS.
    """
    user = _lock_player(user_id, staff_id, grounds)
    ends_at = None if lasts is None else now + lasts
    made = _decide(user, staff_id, grounds, Sanction(kind=Sanction.Kind.SILENCE, ends_at=ends_at))
    with override(user.language):
        until = format_end(made) or _("for good")
    _notify(SILENCED, made, reason=_explain(made, user), until=until)
    hint_after_commit({user_id}, SILENCE)
    return made


@transaction.atomic
def lift(*, sanction_id: int, staff_id: int, now: datetime) -> None:
    """End a silence early, and tell the player by e-mail. Raises NOT_SILENCED or OWN_SANCTION."""
    found = Sanction.objects.select_for_update(of=("self",)).select_related("user")
    silenced = found.get(pk=sanction_id)
    if silenced.user_id == staff_id:
        raise Refusal(OWN_SANCTION)
    if silenced.kind != Sanction.Kind.SILENCE or has_ended(silenced, now=now):
        raise Refusal(NOT_SILENCED)
    silenced.lifted_at, silenced.lifted_by_id = now, staff_id
    silenced.save(update_fields=["lifted_at", "lifted_by"])
    _notify(LIFTED, silenced)
    hint_after_commit({silenced.user_id}, SILENCE)


def list_sanctions(user_id: int) -> list[Sanction]:
    """Return a player's latest warnings and silences, newest first."""
    return list(Sanction.objects.filter(user=user_id).order_by("-pk")[:SANCTIONS_SHOWN])


def describe_course(sanction: Sanction, *, now: datetime) -> str:
    """Describe until when a silence applies, or when it ended. For a warning the text is empty."""
    if sanction.kind == Sanction.Kind.WARNING:
        return ""
    if sanction.lifted_at is not None:
        return _("lifted %(time)s") % {"time": format_moment(sanction.lifted_at)}
    if has_ended(sanction, now=now):
        return _("ended %(time)s") % {"time": format_end(sanction)}
    if sanction.ends_at is None:
        return _("for good")
    return _("until %(time)s") % {"time": format_end(sanction)}


def _lock_player(user_id: int, staff_id: int, grounds: Grounds) -> User:
    # Posting a line locks the player, too: once this has committed, no line follows.
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if grounds.form is not None and Sanction.objects.filter(form=grounds.form).exists():
        raise AlreadySanctioned
    if user.pk == staff_id:
        raise Refusal(OWN_SANCTION)
    if user.is_bot or user.closed_at is not None:
        raise Refusal(NOT_SANCTIONABLE)
    if grounds.reason == ReportReason.OTHER and not grounds.words.strip():
        raise Refusal(SANCTION_NEEDS_WORDS)
    return user


def _decide(user: User, staff_id: int, grounds: Grounds, made: Sanction) -> Sanction:
    made.user, made.decided_by_id = user, staff_id
    made.reason, made.words = grounds.reason, grounds.words.strip()
    made.form = grounds.form
    if grounds.report_id is not None:
        made.report = _uphold(grounds.report_id, user, staff_id)
    made.save()
    return made


def _uphold(report_id: int, user: User, staff_id: int) -> Report:
    """Mark the report as acted upon and e-mail its reporter, unless staff have already decided about it."""
    report = Report.objects.select_for_update().get(pk=report_id, reported=user)
    if report.status == ReportStatus.OPEN:
        report.status, report.handled_by_id = ReportStatus.ACTED, staff_id
        report.save(update_fields=["status", "handled_by"])
        notify_of_outcome(report)
    return report


def _explain(sanction: Sanction, user: User) -> str:
    with override(user.language):
        reason = str(sanction.get_reason_display())
    return f"{reason}: {sanction.words}" if sanction.words else reason


def _notify(kind: MailKind, sanction: Sanction, **values: str) -> None:
    write_mail(kind, user=sanction.user, hint="support", **values)


def _compose(values: Values, subject: str, told: str, *more: str) -> tuple[str, str]:
    object_here = _("Do you disagree? Write to us on the page Help and contact.")
    return subject, "\n".join([render_greeting(values), "", told, *more, "", object_here])


def _compose_warning(values: Values) -> tuple[str, str]:
    told = _(
        "our staff have given you a warning. If it happens again, we may silence "
        "you or close your account."
    )
    return _compose(values, _("Warning"), told, _("Reason: %(reason)s") % values)


def _compose_silence(values: Values) -> tuple[str, str]:
    told = _("our staff have silenced you: in every chat you may say only the quick phrases.")
    lines = (_("Reason: %(reason)s") % values, _("Until: %(until)s") % values)
    return _compose(values, _("You are silenced"), told, *lines)


def _compose_lifting(values: Values) -> tuple[str, str]:
    told = _("our staff have lifted the silence that they gave you: you may write in chats again.")
    return _("You may write again"), "\n".join([render_greeting(values), "", told])


_REASON: Final = gettext_lazy("the reason, with the staff's own words")
WARNED = register_mail_kind("warned", gettext_lazy("Warning"), _compose_warning, reason=_REASON)
SILENCED = register_mail_kind(
    "silenced",
    gettext_lazy("Silence"),
    _compose_silence,
    reason=_REASON,
    until=gettext_lazy("when it ends, or “for good”"),
)
LIFTED = register_mail_kind("silence_lifted", gettext_lazy("You may write again"), _compose_lifting)
