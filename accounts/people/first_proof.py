"""Rules for what a new password and the first proof of an e-mail address revoke (docs/adr/0021-first-proof.md).

Anybody can register with somebody else's address. Until its address is proved, an account therefore belongs to the
people who made it. The link in our e-mail, opened in a session of the account, proves that the mailbox and the
account have the same owner. A new password set through the mailbox also proves the address. The mailbox
may belong to another person than the one who made the account, so all earlier access ends.
"""

from dataclasses import replace
from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed, password_reset
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import OAuthSubject, User
from accounts.models.sessions import PushSubscription
from accounts.sessions.ending import EndedAccess, end_access
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail

_HINT = "account"


def has_proved_address(user_id: int) -> bool:
    return bool(EmailAddress.objects.filter(user_id=user_id, verified=True).exists())


def gets_password_links(user: User, email: str) -> bool:
    """Return whether a link for a new password may be sent to this address of the account.

    An address that was added to the account may belong to somebody else, for example after a typing mistake. Only
    proved addresses therefore get links. While the account has no proved address, only its own address gets them.
    """
    if has_proved_address(user.pk):
        proved = EmailAddress.objects.filter(user_id=user.pk, verified=True)
        return bool(proved.filter(email__iexact=email).exists())
    return user.email == email.lower()


def is_only_claimed(email: str) -> bool:
    """Return whether no account has this address, except as an unproved additional one."""
    claims = EmailAddress.objects.filter(email__iexact=email)
    is_an_accounts = User.objects.filter(email__iexact=email).exists()
    return not is_an_accounts and not claims.exclude(verified=False, primary=False).exists()


def end_claims(*, user: User) -> None:
    """Remove a new account's address from other accounts that hold it only as an unproved additional one."""
    claims = EmailAddress.objects.filter(email__iexact=user.email, verified=False, primary=False)
    claims.exclude(user_id=user.pk).delete()


@transaction.atomic
def end_everything(*, user: User) -> EndedAccess:
    """Revoke everything that gives access to the account or acts for it, except its password and address.

    Passkeys and second factors of staff stay.
    """
    # A superuser has checked who a member of staff is, and a mailbox alone must not open the administration.
    keys = Authenticator.objects.filter(user_id=user.pk) if not user.is_staff else None
    accounts = SocialAccount.objects.filter(user_id=user.pk).order_by("pk")
    devices = PushSubscription.objects.filter(
        user_id=user.pk
    ).count()  # they end with their sessions
    ended = replace(
        end_access(user_id=user.pk),
        ways=tuple(_get_way(account) for account in accounts),
        keys=keys.count() if keys is not None else 0,
        devices=devices,
    )
    if keys is not None:
        keys.delete()
    accounts.delete()
    # Other sites know the account's earlier users by this pseudonym.
    OAuthSubject.objects.filter(user_id=user.pk).delete()
    return ended


def _get_way(account: SocialAccount) -> str | Promise:
    try:
        name: str | Promise = account.get_provider().name
    except SocialApp.DoesNotExist:  # a site that is no longer offered
        return str(account.provider)
    return name


@transaction.atomic
def end_by_new_password(request: HttpRequest, user: User, **_signal: Any) -> None:
    """Revoke earlier access after a password was set by the link in our e-mail. Tell the player what was revoked."""
    if has_proved_address(user.pk):
        ended = end_access(user_id=user.pk)
        told = _(
            "Because you set a new password, everything that others could have used to get "
            "into your account has been revoked: %(what)s. Set up again what you need."
        )
    else:
        ended = end_everything(user=user)
        told = _(
            "With your new password you are the first to prove that this address is yours. "
            "What was set up in the account before has been removed, because it could be "
            "somebody else's: %(what)s. Set up again what you need."
        )
        _prove_address(request, user)
    if not (lines := ended.describe()):
        return
    messages.warning(request, told % {"what": "; ".join(lines)})
    with override(user.language):
        what = "\n".join(f"- {line}" for line in ended.describe())
    write_mail(NEW_PASSWORD, user=user, hint=_HINT, ended=what)


def _prove_address(request: HttpRequest, user: User) -> None:
    """Confirm the account's own address, to which the link for the new password was sent."""
    address, _is_new = EmailAddress.objects.get_or_create(
        user=user, email=user.email, defaults={"primary": True}
    )
    if address.set_verified():
        email_confirmed.send(sender=EmailAddress, request=request, email_address=address)


@transaction.atomic
def keep_proved_address(email_address: EmailAddress, **_signal: Any) -> None:
    """Make the first confirmed address the account's own, and delete its unproved addresses.

    An address that is not the player's must not get links for new passwords, and must stay free for its owner.
    """
    others = EmailAddress.objects.filter(user_id=email_address.user_id).exclude(pk=email_address.pk)
    if others.filter(verified=True).exists():
        return
    others.delete()
    email_address.set_as_primary()


def connect_receivers() -> None:
    password_reset.connect(end_by_new_password, dispatch_uid="accounts.end_by_new_password")
    email_confirmed.connect(keep_proved_address, dispatch_uid="accounts.keep_proved_address")


def _compose_new_password(values: Values) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        _("A new password was set for your account with the link that we sent to this address."),
        _("The following was revoked at the same time, because somebody else could have used it:"),
        "",
        values["ended"],
        "",
        _(
            "Set up again what you need. If you did not set the password, ask for a new one at once."
        ),
    ]
    return _("Your account has a new password"), "\n".join(lines)


NEW_PASSWORD = register_mail_kind(
    "new_password",
    gettext_lazy("A new password was set"),
    _compose_new_password,
    ended=gettext_lazy("what has ended, one on each line"),
)
