"""Sign-in with accounts of other sites. Each site is offered as soon as its variables are set.

The module also reads the keys that sign ID tokens, so that players can sign in elsewhere with an account of this
site (docs/oauth.md). docs/settings.md names the variables. Other sites are asked only for what identifies a player: a
number and an e-mail address.
"""

import binascii
from base64 import b64decode
from textwrap import wrap
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.settings import env

# A player who leaves for one of these sites posts a form to these origins.
_ORIGINS: Final = {
    "google": "https://accounts.google.com",
    "apple": "https://appleid.apple.com",
    "facebook": "https://www.facebook.com",
    "discord": "https://discord.com",
}
_ASKED: Final[dict[str, dict[str, Any]]] = {
    "google": {"SCOPE": ["email"], "OAUTH_PKCE_ENABLED": True},
    "apple": {"SCOPE": ["email"]},
    "facebook": {"SCOPE": ["email"], "FIELDS": ["id", "email"]},
    "discord": {"SCOPE": ["identify", "email"], "OAUTH_PKCE_ENABLED": True},
}
# The first byte of a DER-encoded key.
_SEQUENCE: Final = b"\x30"


def read_providers() -> dict[str, Any]:
    """Return SOCIALACCOUNT_PROVIDERS. Raises ImproperlyConfigured if a setting of a provider is missing."""
    offered: dict[str, Any] = {}
    for site, asked in _ASKED.items():
        prefix = site.upper()
        app = (
            _read_parts(
                f"{prefix}_CLIENT_ID", f"{prefix}_KEY_ID", f"{prefix}_TEAM_ID", f"{prefix}_KEY"
            )
            if site == "apple"
            else _read_parts(f"{prefix}_CLIENT_ID", f"{prefix}_CLIENT_SECRET")
        )
        if app:
            names: dict[str, Any] = dict(zip(("client_id", "secret", "key"), app, strict=False))
            if site == "apple":
                names["settings"] = {"certificate_key": app[3]}
            offered[site] = {**asked, "APPS": [names]}
    oidc = _read_parts("OIDC_NAME", "OIDC_SERVER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
    if oidc:
        name, server, client_id, secret = oidc
        offered["openid_connect"] = {
            "SCOPE": ["openid", "email"],
            "OAUTH_PKCE_ENABLED": True,
            "APPS": [
                {
                    "provider_id": "oidc",
                    "name": name,
                    "client_id": client_id,
                    "secret": secret,
                    "settings": {"server_url": server},
                }
            ],
        }
    return offered


def list_origins(offered: dict[str, Any]) -> list[str]:
    """Return the origins that forms may lead to, for the content security policy."""
    named = [_ORIGINS[site] for site in offered if site in _ORIGINS]
    if "openid_connect" in offered:
        named.append(_get_origin(env.text("OIDC_SERVER")))
    return named


def read_openid_keys() -> list[str]:
    """Return the keys for ID tokens, as PEM.

    The first one signs; the public parts of all are published. Without a key there is no OpenID.
    """
    return [_build_pem(key) for key in env.words("OPENID_PRIVATE_KEY")]


def _build_pem(key: str) -> str:
    """Return a PEM key with its line breaks restored. Raises ImproperlyConfigured."""
    try:
        is_key = b64decode(key, validate=True).startswith(_SEQUENCE)
    except binascii.Error:
        is_key = False
    if not is_key:
        raise ImproperlyConfigured("OPENID_PRIVATE_KEY must come from manage.py make_openid_key.")
    lines = ["-----BEGIN PRIVATE KEY-----", *wrap(key, 64), "-----END PRIVATE KEY-----"]
    return "\n".join(lines)


def _read_parts(*names: str) -> list[str]:
    """Return the values of variables that must be set together, or an empty list if none is set.

    Raises ImproperlyConfigured if only some are set.
    """
    values = [env.text(name) for name in names]
    if not any(values):
        return []
    if not all(values):
        missing = [name for name, value in zip(names, values, strict=True) if not value]
        raise ImproperlyConfigured(f"{', '.join(missing)} must be set as well.")
    return values


def _get_origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
