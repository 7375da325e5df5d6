"""Freezing an account: nobody signs in to it, plays with it, or moves its money."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.people.barring import tell_of_barred
from accounts.refusals import AccountClosed, NotFrozen, OwnAccount, ReasonMissing
from accounts.sessions.services import end_sessions
from core.emails.kinds import Values, hello, mail_kind
from core.emails.texts import write_mail

_HINT = "account"


@transaction.atomic
def freeze(*, user_id: int, staff_id: int, reason: str) -> None:
    """The player is told by mail that it happened and where to ask, not why.

    Every session and socket ends. A match that is being played goes on without them, as if their
    network were lost; they are stood up after it, and at once where none is. Raises ReasonMissing,
    OwnAccount, AccountClosed.
    """
    user = _locked(user_id, reason)
    if user.pk == staff_id:
        raise OwnAccount
    User.objects.filter(pk=user_id).update(is_active=False, frozen_at=timezone.now())
    end_sessions(user_id=user_id)
    tell_of_barred(user_id)
    write_mail(FROZEN, user=user, hint=_HINT)


@transaction.atomic
def unfreeze(*, user_id: int, reason: str) -> None:
    """Raises ReasonMissing, AccountClosed, NotFrozen."""
    user = _locked(user_id, reason)
    if user.frozen_at is None:
        raise NotFrozen
    User.objects.filter(pk=user_id).update(is_active=True, frozen_at=None)
    write_mail(OPEN_AGAIN, user=user, hint=_HINT)


def _locked(user_id: int, reason: str) -> User:
    if not reason.strip():
        raise ReasonMissing
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if user.closed_at is not None:
        raise AccountClosed
    return user


def _frozen(values: Values) -> tuple[str, str]:
    told = _(
        "Your account is frozen: nobody can sign in to it, and nothing can be paid in or "
        "out. Write to us if you do not know why."
    )
    return _("Your account is frozen"), "\n".join([hello(values), "", told])


def _open_again(values: Values) -> tuple[str, str]:
    lines = [hello(values), "", _("You can sign in again.")]
    return _("Your account is open again"), "\n".join(lines)


FROZEN = mail_kind("frozen", gettext_lazy("Account frozen"), _frozen)
OPEN_AGAIN = mail_kind("open_again", gettext_lazy("Account open again"), _open_again)
