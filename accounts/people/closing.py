"""Closing: a person made unknown. What is left is a number, and what the law wants kept."""

from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from allauth.idp.oidc.models import Token
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils import timezone

from accounts.identity import private_files
from accounts.models import (
    ApiRequest,
    ApiToken,
    IdentityCheck,
    IdentityDocument,
    OAuthGrant,
    PastSession,
    Residence,
    User,
)
from accounts.models.exports import AccountExport
from accounts.models.push import PushSubscription
from accounts.sessions.services import end_sessions
from core.models import OutgoingEmail

_OF_THE_PERSON: tuple[Any, ...] = (
    EmailAddress,
    Authenticator,
    SocialAccount,
    OAuthGrant,
    Token,
    ApiToken,
    ApiRequest,
    OutgoingEmail,
    PastSession,
    PushSubscription,
    Residence,
)


def name_of_closed(user_id: int) -> str:
    """No player can have chosen it: names have no "#"."""
    return f"Closed #{user_id}"


@transaction.atomic
def make_unknown(*, user_id: int, keep_identity: bool) -> None:
    """Nobody signs in to this account again. `keep_identity`: tax was deducted or money paid out
    in this person's name, and the books have to say in whose. The caller has locked the row."""
    user = User.objects.get(pk=user_id)
    end_sessions(user_id=user_id)
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
        transaction.on_commit(partial(private_files.forget, name), robust=True)
    user.email = f"closed-{user_id}@closed.invalid"
    user.player_name = name_of_closed(user_id)
    user.set_unusable_password()
    user.is_active, user.closed_at, user.frozen_at = False, timezone.now(), None
    user.adult_confirmed_at, user.last_login = None, None
    user.save(
        update_fields=[
            "email",
            "player_name",
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
