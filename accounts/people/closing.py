"""Closing, freezing and barring accounts.

Closing makes a person anonymous: only a number remains, and the records that the law requires.
"""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import (
    ApiRequest,
    IdentityCheck,
    IdentityDocument,
    OAuthSubject,
    PastSession,
    Residence,
    User,
)
from accounts.models.sessions import PushSubscription
from accounts.models.users import AccountExport
from accounts.refusals import ACCOUNT_CLOSED, NOT_FROZEN, OWN_ACCOUNT, REASON_MISSING
from accounts.sessions.ending import (
    close_sockets_of_programs,
    delete_programs_of,
    end_access,
)
from core import private_files
from core.after_commit import call_after_commit
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.models import OutgoingEmail, Webhook
from core.refusals import Refusal

_OF_THE_PERSON: tuple[Any, ...] = (
    EmailAddress,
    Authenticator,
    SocialAccount,
    OAuthSubject,
    ApiRequest,
    OutgoingEmail,
    PastSession,
    PushSubscription,
    Residence,
)


def name_of_closed(user_id: int) -> str:
    """Return the name of a closed account. No player can choose it: names have no "#"."""
    return f"Closed #{user_id}"


@transaction.atomic
def make_unknown(*, user_id: int, keep_identity: bool) -> None:
    """Delete a person's data and close the account permanently. The caller has locked the row.

    `keep_identity` keeps the identity of people from whom tax was deducted or to whom money was paid out, because
    the books must name them.
    """
    user = User.objects.get(pk=user_id)
    end_access(user_id=user_id)
    delete_programs_of(user_id)
    Webhook.objects.filter(owner_id=user_id).delete()
    for model in _OF_THE_PERSON:
        model.objects.filter(user_id=user_id).delete()
    exports = AccountExport.objects.filter(user_id=user_id)
    names = list(exports.exclude(stored_as="").values_list("stored_as", flat=True))
    exports.delete()
    if not keep_identity:
        documents = IdentityDocument.objects.filter(identity_check__user_id=user_id)
        names += documents.values_list("stored_as", flat=True)
        documents.delete()
        IdentityCheck.objects.filter(user_id=user_id).delete()
    for name in names:
        call_after_commit(private_files.forget, name)
    _rename_in_log(user_id)
    user.email = f"closed-{user_id}@closed.invalid"
    user.player_name, user.face = name_of_closed(user_id), ""
    user.set_unusable_password()
    user.is_active, user.closed_at, user.frozen_at = False, timezone.now(), None
    user.adult_confirmed_at, user.last_login, user.preferences = None, None, {}
    user.save(
        update_fields=[
            "preferences",
            "email",
            "player_name",
            "face",
            "password",
            "is_active",
            "closed_at",
            "frozen_at",
            "adult_confirmed_at",
            "last_login",
        ]
    )
    user.groups.clear()
    user.user_permissions.clear()


def _rename_in_log(user_id: int) -> None:
    """Replace the name in Django's admin log. The audit log contains no names of players."""
    entries = LogEntry.objects.filter(object_id=str(user_id), content_type__model="user")
    entries.filter(content_type__app_label="accounts").update(object_repr=name_of_closed(user_id))


# Sent in the transaction that opens an account, so a receiver commits or fails with it. It carries
# `user_id` and the player's `request`, None if staff opened the account.
account_opened = Signal()
# Sent after the commit, when a player may no longer play: frozen, or excluded by their own choice.
player_barred = Signal()
# Sent with `user_id`, `old_name` and `name` within the transaction in which staff change a name.
player_renamed = Signal()


def announce_barred(user_id: int) -> None:
    """Send `player_barred` after the commit. A receiver's failure is logged, and the other receivers still run."""
    call_after_commit(player_barred.send_robust, sender=None, user_id=user_id)


_HINT = "account"


@transaction.atomic
def freeze(*, user_id: int, staff_id: int, reason: str) -> None:
    """Freeze the account and end its sessions, tokens, programs and sockets.

    An e-mail tells the player this and where to ask, but not the reason. In a running match the player is treated
    as disconnected, and leaves the table after the match. If no match runs they leave at once. Raises
    REASON_MISSING, OWN_ACCOUNT or ACCOUNT_CLOSED.
    """
    user = _lock_user(user_id, reason)
    if user.pk == staff_id:
        raise Refusal(OWN_ACCOUNT)
    User.objects.filter(pk=user_id).update(is_active=False, frozen_at=timezone.now())
    end_access(user_id=user_id)
    close_sockets_of_programs(user_id)
    announce_barred(user_id)
    write_mail(FROZEN, user=user, hint=_HINT)


@transaction.atomic
def unfreeze(*, user_id: int, reason: str) -> None:
    """Unfreeze an account, and tell the player by e-mail. Raises REASON_MISSING, ACCOUNT_CLOSED or NOT_FROZEN."""
    user = _lock_user(user_id, reason)
    if user.frozen_at is None:
        raise Refusal(NOT_FROZEN)
    User.objects.filter(pk=user_id).update(is_active=True, frozen_at=None)
    write_mail(OPEN_AGAIN, user=user, hint=_HINT)


def _lock_user(user_id: int, reason: str) -> User:
    if not reason.strip():
        raise Refusal(REASON_MISSING)
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if user.closed_at is not None:
        raise Refusal(ACCOUNT_CLOSED)
    return user


def _compose_freezing(values: Values) -> tuple[str, str]:
    told = _(
        "Your account is frozen: nobody can sign in to it, and nothing can be paid in or "
        "out. Write to us if you do not know why."
    )
    return _("Your account is frozen"), "\n".join([render_greeting(values), "", told])


def _compose_reopening(values: Values) -> tuple[str, str]:
    lines = [render_greeting(values), "", _("You can sign in again.")]
    return _("Your account is open again"), "\n".join(lines)


FROZEN = register_mail_kind("frozen", gettext_lazy("Account frozen"), _compose_freezing)
OPEN_AGAIN = register_mail_kind("open_again", gettext_lazy("Account unfrozen"), _compose_reopening)
