"""Identity checks: submission, decision, and whether a player is approved."""

from collections.abc import Mapping
from datetime import date

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.identity.rules import IdentityClaim, age_on
from accounts.models import DOCUMENT_IS_UNIQUE, IdentityCheck, IdentityDocument, User
from accounts.refusals import (
    DOCUMENT_OF_ANOTHER,
    IDENTITY_DECIDED,
    IDENTITY_KNOWN,
    OWN_IDENTITY,
    REASON_MISSING,
    TooYoung,
)
from core import private_files
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.images import read_image, strip_metadata
from core.refusals import Refusal
from core.site.content import site

State = IdentityCheck.State
Side = IdentityDocument.Side
_HINT = "identity"


def submit_identity_check(
    *, user_id: int, claim: IdentityClaim, images: Mapping[Side, bytes], today: date
) -> IdentityCheck:
    """Submit an identity check for staff to decide.

    Raises TooYoung, IDENTITY_KNOWN while another check is pending or approved, or NotADocument for an invalid
    image. Images are stored without metadata; those of a refused submission are not stored.
    """
    least_age = site().least_age
    if age_on(today, born_on=claim.born_on) < least_age:
        raise TooYoung(least_age)
    facts = {side: read_image(content) for side, content in images.items()}
    kept: list[str] = []
    try:
        with transaction.atomic():
            check = _open_check(user_id, claim)
            for side, content in images.items():
                image = facts[side]
                kept.append(
                    private_files.keep(
                        strip_metadata(content), folder="identity", extension=image.extension
                    )
                )
                IdentityDocument.objects.create(
                    identity_check=check,
                    side=side,
                    stored_as=kept[-1],
                    content_type=image.content_type,
                )
    except BaseException:
        for name in kept:
            private_files.forget(name)
        raise
    return check


def _open_check(user_id: int, claim: IdentityClaim) -> IdentityCheck:
    # Serialize concurrent submissions of one player.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    if IdentityCheck.objects.filter(user_id=user_id).exclude(state=State.REFUSED).exists():
        raise Refusal(IDENTITY_KNOWN)
    return IdentityCheck.objects.create(
        user_id=user_id,
        full_name=claim.full_name,
        born_on=claim.born_on,
        document_kind=claim.document_kind,
        document_number=claim.document_number,
    )


def approve_identity_check(*, check_id: int, staff_id: int) -> IdentityCheck:
    """Approve a check.

    Raises IDENTITY_DECIDED, OWN_IDENTITY, or DOCUMENT_OF_ANOTHER if another account has the same document.
    """
    try:
        with transaction.atomic():
            return _decide(check_id, staff_id=staff_id, state=State.APPROVED, reason="")
    except IntegrityError as error:
        diagnosis = getattr(error.__cause__, "diag", None)
        if getattr(diagnosis, "constraint_name", "") != DOCUMENT_IS_UNIQUE:
            raise
        raise Refusal(DOCUMENT_OF_ANOTHER) from error


def refuse_identity_check(*, check_id: int, staff_id: int, reason: str) -> IdentityCheck:
    """Refuse an identity check. The player reads the reason and may submit again.

    Raises IDENTITY_DECIDED, OWN_IDENTITY or REASON_MISSING.
    """
    if not reason.strip():
        raise Refusal(REASON_MISSING)
    with transaction.atomic():
        return _decide(check_id, staff_id=staff_id, state=State.REFUSED, reason=reason.strip())


def _decide(check_id: int, *, staff_id: int, state: State, reason: str) -> IdentityCheck:
    check = IdentityCheck.objects.select_for_update(no_key=True).get(pk=check_id)
    if check.state != State.SUBMITTED:
        raise Refusal(IDENTITY_DECIDED)
    if check.user_id == staff_id:
        raise Refusal(OWN_IDENTITY)
    check.state = state
    check.reason = reason
    check.decided_by_id = staff_id
    check.decided_at = timezone.now()
    check.save(update_fields=["state", "reason", "decided_by", "decided_at"])
    _write_about(check)
    return check


def _write_about(check: IdentityCheck) -> None:
    if check.state == State.APPROVED:
        write_mail(APPROVED, user=check.user, hint=_HINT)
    else:
        write_mail(REFUSED, user=check.user, hint=_HINT, reason=check.reason)


def _compose_approval(values: Values) -> tuple[str, str]:
    told = _("Your identity is approved. You can withdraw your winnings now.")
    return _("Your identity is approved"), "\n".join([render_greeting(values), "", told])


def _compose_refusal(values: Values) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        _("Your identity could not be approved."),
        _("Reason: %(reason)s") % values,
        _("You can send your details and a document again, on the page Identity."),
    ]
    return _("Your identity could not be approved"), "\n".join(lines)


APPROVED = register_mail_kind(
    "identity_approved", gettext_lazy("Identity approved"), _compose_approval
)
REFUSED = register_mail_kind(
    "identity_refused",
    gettext_lazy("Identity not approved"),
    _compose_refusal,
    reason=gettext_lazy("what staff wrote"),
)


def identity_is_asked_for() -> bool:
    """Return whether the site requires identity documents. It does unless cash play is off."""
    return bool(settings.CASH_PLAY != "off")


def get_latest_identity_check(user_id: int) -> IdentityCheck | None:
    return IdentityCheck.objects.filter(user_id=user_id).order_by("-submitted_at", "-pk").first()


def identity_is_approved(user_id: int) -> bool:
    return _filter_approved_checks().filter(user_id=user_id).exists()


def build_approval_condition(column: str) -> Exists:
    """Return a query condition for users with an approved identity. `column` is the column that holds the user's id."""
    return Exists(_filter_approved_checks().filter(user_id=OuterRef(column)))


def _filter_approved_checks() -> QuerySet[IdentityCheck]:
    return IdentityCheck.objects.filter(state=IdentityCheck.State.APPROVED)
