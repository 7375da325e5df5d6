"""Third-party programs and their grants: the toolkit's models (docs/oauth.md), storing secrets only as hashes."""

import secrets
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Value
from django.utils.translation import gettext_lazy as _
from oauth2_provider.generators import generate_client_id
from oauth2_provider.models import (
    AbstractAccessToken,
    AbstractApplication,
    AbstractDeviceGrant,
    AbstractGrant,
    AbstractIDToken,
    AbstractRefreshToken,
)

from accounts.models.users import User

LOOPBACK = {"127.0.0.1", "::1"}
ORIGINS_HELP = _(
    "If pages of the program call this site from a browser: where those pages come from, "
    "one on each line, such as https://coach.example, or http://127.0.0.1:5173 on your "
    "own machine."
)


class IdentityScope(models.TextChoices):
    """Claims about a player that another site may ask for. No API token has these scopes."""

    OPENID = "openid", _("Sign players in: a number that identifies each of them")
    PROFILE = "profile", _("Player name, face and address of the player's page")
    EMAIL = "email", _("E-mail address")


def hash_secret(text: str) -> str:
    """Return the hash of a random secret, in the form in which the toolkit hashes its tokens."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


class _Hash(str):
    __slots__ = ()


class HashField(models.CharField):  # type: ignore[type-arg] # not subscriptable
    """A random secret, stored as its hash: rows can be found by it, but it cannot be read back."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max_length": 64, **kwargs})

    def get_prep_value(self, value: Any) -> Any:
        return value if value is None or isinstance(value, _Hash) else _Hash(hash_secret(value))

    def from_db_value(self, value: str | None, *_more: Any) -> _Hash | None:
        return None if value is None else _Hash(value)


class OAuthClient(AbstractApplication):  # type: ignore[misc] # the toolkit has no types
    """A third-party program that players may authorize.

    The fields that this model adds to the toolkit's decide what the program may do.
    """

    client_id = models.CharField(
        "ID", max_length=100, primary_key=True, default=generate_client_id, editable=False
    )
    name = models.CharField(_("name"), max_length=100)
    client_type = models.CharField(
        _("Kind"),
        max_length=32,
        default=AbstractApplication.CLIENT_PUBLIC,
        choices=[
            (
                AbstractApplication.CLIENT_PUBLIC,
                _("in browsers or on devices: keeps no secret, must use PKCE"),
            ),
            (AbstractApplication.CLIENT_CONFIDENTIAL, _("on a server: has a secret")),
        ],
    )
    redirect_uris = models.TextField(
        _("Redirect addresses"),
        blank=True,
        help_text=_(
            "One on each line: https://…, http://127.0.0.1/… for programs on a player's "
            "own machine, or an app's own scheme, such as com.example.app:/back."
        ),
    )
    by_device = models.BooleanField(
        _("Has no browser"),
        default=False,
        help_text=_(
            "For televisions, consoles and terminals: the program shows a code, and the "
            "player enters it on another device."
        ),
    )
    scopes = ArrayField(models.CharField(max_length=10), verbose_name=_("The program may ask for"))
    origins = ArrayField(
        models.CharField(max_length=200),
        verbose_name=_("Origins of its pages"),
        default=list,
        # The previous version still runs while this one is installed, and writes no origins.
        db_default=Value([], ArrayField(models.CharField(max_length=200))),
        blank=True,
        help_text=ORIGINS_HELP,
    )
    # The player who made it; None for the operator's.
    owner = models.ForeignKey(
        User,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )
    created = models.DateTimeField(_("created at"), auto_now_add=True)
    # Fields of the toolkit that this site decides for all programs.
    id = user = authorization_grant_type = None
    post_logout_redirect_uris = allowed_origins = ""
    hash_client_secret, skip_authorization = True, False
    algorithm = AbstractApplication.RS256_ALGORITHM
    registration_source = AbstractApplication.RegistrationSource.MANUAL
    cimd_expires_at = None

    class Meta:
        db_table = "accounts_oauth_client"
        verbose_name = _("app")
        verbose_name_plural = _("apps")
        indexes = [GinIndex(fields=["origins"], name="oauth_client_origins")]

    def make_secret(self) -> str:
        """Make a random secret and return its text; saving stores a hash."""
        self.client_secret = secrets.token_urlsafe(32)
        return self.client_secret

    def clean(self) -> None:
        """Do nothing: the form checks addresses more strictly."""

    def allows_grant_type(self, *grant_types: str) -> bool:
        return (self.by_device and self.GRANT_DEVICE_CODE in grant_types) or (
            bool(self.redirect_uris) and self.GRANT_AUTHORIZATION_CODE in grant_types
        )

    def is_usable(self, _request: Any) -> bool:
        """Return whether the program may be used: not while the account of the player who made it is frozen."""
        return self.owner is None or self.owner.is_active

    def redirect_uri_allowed(self, uri: str) -> bool:
        return any(is_same_address(uri, entered) for entered in self.redirect_uris.split())

    def __str__(self) -> str:
        return str(self.name)


def is_same_address(address: str, entered: str) -> bool:
    """Return whether the redirect address `address` matches `entered`, which is registered for the program.

    They must be equal. Only the port may differ if the program runs on the player's own machine, because such a program
    uses any free port (RFC 8252, 7.3).
    """
    try:
        given, known = urlsplit(address), urlsplit(entered)
        port = given.port
    except ValueError:
        return False
    if known.scheme == "http" and known.hostname in LOOPBACK:
        host = f"[{known.hostname}]" if ":" in known.hostname else known.hostname
        entered = known._replace(netloc=host if port is None else f"{host}:{port}").geturl()
    return address == entered


class OAuthGrant(AbstractGrant):  # type: ignore[misc] # the toolkit has no types
    """A token family (RFC 9700): a player's consent, and all codes and tokens that were issued for it.

    `expires` is the expiry of the code until it is exchanged, then that of the newest refresh token.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    code = HashField(unique=True)
    # None until the code is exchanged.
    exchanged_at = models.DateTimeField(null=True)
    # The prefix that all refresh tokens of the family share.
    family = HashField(unique=True, null=True)

    class Meta:
        db_table = "accounts_oauth_grant"
        verbose_name = _("OAuth grant")
        verbose_name_plural = _("OAuth grants")
        indexes = [models.Index(fields=["expires"], name="oauth_grant_expires")]


class OAuthIDToken(AbstractIDToken):  # type: ignore[misc] # the toolkit has no types
    """An issued ID token."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")

    class Meta:
        db_table = "accounts_oauth_id_token"


class OAuthAccessToken(AbstractAccessToken):  # type: ignore[misc] # the toolkit has no types
    """An access token of a family. It is deleted once it has expired."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    grant = models.ForeignKey(OAuthGrant, models.CASCADE, null=True, related_name="access_tokens")

    class Meta:
        db_table = "accounts_oauth_access_token"
        indexes = [models.Index(fields=["expires"], name="oauth_access_token_expires")]


class OAuthRefreshToken(AbstractRefreshToken):  # type: ignore[misc] # the toolkit has no types
    """The newest refresh token of a family."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    grant = models.ForeignKey(OAuthGrant, models.CASCADE, null=True, related_name="refresh_tokens")

    class Meta(AbstractRefreshToken.Meta):  # type: ignore[misc] # the toolkit has no types
        db_table = "accounts_oauth_refresh_token"
        indexes = ()

    def revoke(self) -> None:
        """Record that the token was used. Unlike in the toolkit, its access token stays valid until it expires."""
        self.revoked = models.functions.Now()
        self.save(update_fields=["revoked"])


class OAuthDevice(AbstractDeviceGrant):  # type: ignore[misc] # the toolkit has no types
    """A request of a program without a browser (RFC 8628). It is deleted once it has expired.

    The player's consent is stored as a grant. Its tokens are issued and renewed like those of a grant with a code.
    """

    user = client_id = None
    client = models.ForeignKey(OAuthClient, models.CASCADE, related_name="+")
    device_code = HashField()
    # The code that the player types in, without its dash.
    user_code = HashField(unique=True)
    grant = models.OneToOneField(OAuthGrant, models.CASCADE, null=True, related_name="device")
    last_checked = models.DateTimeField(null=True)

    class Meta(AbstractDeviceGrant.Meta):  # type: ignore[misc] # the toolkit has no types
        db_table = "accounts_oauth_device"
        verbose_name = _("OAuth device request")
        verbose_name_plural = _("OAuth device requests")
        indexes = [models.Index(fields=["expires"], name="oauth_device_expires")]


class OAuthSubject(models.Model):
    """A player's pseudonym for the sites that they sign in to: random, and permanent."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="+")
    subject = models.UUIDField(default=uuid4, unique=True)

    class Meta:
        verbose_name = _("OpenID subject")
        verbose_name_plural = _("OpenID subjects")

    def __str__(self) -> str:
        return f"subject of user #{self.user_id}"
