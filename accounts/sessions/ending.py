"""Revocation of everything that acts for a player: sessions, API tokens, OAuth grants with their codes and tokens."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.models import (
    ApiToken,
    OAuthAccessToken,
    OAuthClient,
    OAuthGrant,
    OAuthIDToken,
    User,
)
from accounts.models.users import PlayerRequest
from accounts.sessions.revocation import key_of_token, revoke_sockets
from accounts.sessions.services import end_sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedAccess:
    """The access to an account that was ended: the number of sessions, tokens and so on.

    `ways` names the other sites and the phone with which nobody can sign in to the account any more.
    """

    sessions: int = 0
    tokens: int = 0
    programs: int = 0
    ways: tuple[str | Promise, ...] = ()
    keys: int = 0
    devices: int = 0

    def describe(self) -> list[str]:
        """Return a line for each kind of access that was ended, in the active language."""
        lines = [
            (self.sessions, _("Devices that were signed in: %(number)s")),
            (self.tokens, _("API tokens: %(number)s")),
            (self.programs, _("Programs of other people: %(number)s")),
            (self.keys, _("Passkeys and second factors: %(number)s")),
            (self.devices, _("Devices that received notifications: %(number)s")),
        ]
        told = [line % {"number": number} for number, line in lines if number]
        if self.ways:
            told.append(_("Ways to sign in: %(names)s") % {"names": ", ".join(map(str, self.ways))})
        return told


def count_programs(user_id: int) -> EndedAccess:
    """Count the player's own API tokens, and the third-party programs that they have authorized."""
    grants = OAuthGrant.objects.filter(user_id=user_id)
    return EndedAccess(
        tokens=ApiToken.objects.filter(user_id=user_id, access_token=None).count(),
        programs=grants.values("application_id").distinct().count(),
    )


@transaction.atomic
def end_programs(*, user_id: int) -> EndedAccess:
    """Revoke all API tokens and OAuth grants of a player, including grants whose code was not yet exchanged.

    Closes the programs' sockets after the commit.
    """
    # A request in `while_signed_in` has then either finished, or is refused.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    ended = count_programs(user_id)
    end_grants(OAuthGrant.objects.filter(user_id=user_id))
    OAuthIDToken.objects.filter(user_id=user_id).delete()
    own = ApiToken.objects.filter(user_id=user_id)
    revoke_sockets(user_id, [key_of_token(token) for token in own.values_list("pk", flat=True)])
    own.delete()
    return ended


@transaction.atomic
def end_access(*, user_id: int, keep_key: str | None = None) -> EndedAccess:
    """End all sessions except `keep_key`, and revoke all programs."""
    ended = end_programs(user_id=user_id)
    return replace(ended, sessions=end_sessions(user_id=user_id, keep_key=keep_key))


def while_signed_in(view: Callable[..., HttpResponseBase]) -> Callable[..., Any]:
    """Decorate a view so that its POST runs in a transaction in which the player's password cannot change.

    Otherwise a request that began before a password change could create a token that survives it.
    """

    @wraps(view)
    def handle(request: PlayerRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        with transaction.atomic():
            _lock_signed_in(request)
            return view(request, *args, **kwargs)

    return handle


def _lock_signed_in(request: PlayerRequest) -> None:
    """Lock the player's row.

    Raises PermissionDenied if, since the request began, the password has changed or the account was frozen.
    """
    now = User.objects.select_for_update(no_key=True).get(pk=request.user.pk)
    if now.password != request.user.password or not now.is_active:
        raise PermissionDenied


def end_grants(grants: QuerySet[OAuthGrant]) -> None:
    """Delete these grants with their codes and tokens, and close their sockets after the commit."""
    # Lock first: a concurrent exchange has then either finished, with its tokens stored, or finds no grant.
    ended = [grant.pk for grant in grants.select_for_update().order_by("pk")]
    end_access_tokens(OAuthAccessToken.objects.filter(grant__in=ended))
    OAuthGrant.objects.filter(pk__in=ended).delete()


def end_access_tokens(tokens: QuerySet[OAuthAccessToken]) -> None:
    """Delete these access tokens, and close their sockets after the commit."""
    for made in ApiToken.objects.filter(access_token__in=tokens).only("user_id"):
        revoke_sockets(made.user_id, [key_of_token(made.pk)])
    tokens.delete()


@transaction.atomic
def delete_program(client: OAuthClient) -> None:
    """Delete an OAuth program with all grants to it, and close its sockets after the commit."""
    end_grants(OAuthGrant.objects.filter(application=client))
    client.delete()


def delete_programs_of(user_id: int) -> None:
    """Delete the programs that a player has made for other players."""
    for client in OAuthClient.objects.filter(owner_id=user_id):
        delete_program(client)


def close_sockets_of_programs(user_id: int) -> None:
    """Close the sockets that a frozen player's programs hold for other players, after the commit.

    Until the player is unfrozen, the tokens of these programs cannot open new sockets.
    """
    tokens = ApiToken.objects.filter(access_token__application__owner_id=user_id)
    for token in tokens.only("user_id"):
        revoke_sockets(token.user_id, [key_of_token(token.pk)])
