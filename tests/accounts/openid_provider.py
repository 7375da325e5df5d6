"""An OpenID provider on a real port that signs everybody in without asking."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt

from tests.stand_in import Handler, run_server

CLIENT = "openrummy-here"
SECRET = "a-secret-between-the-two-sites-and-nobody-else"


@dataclass
class OpenIDProvider:
    """A running provider. `person` holds the claims about the next person to sign in."""

    address: str = ""
    person: dict[str, Any] = field(default_factory=dict)
    is_down: bool = False
    exchanged: list[dict[str, str]] = field(default_factory=list)

    @property
    def description(self) -> dict[str, Any]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "userinfo_endpoint": f"{self.address}/person",
            "jwks_uri": f"{self.address}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    @property
    def setting(self) -> dict[str, Any]:
        """The setting SOCIALACCOUNT_PROVIDERS of a site that offers this provider as "Club"."""
        app = {
            "provider_id": "oidc",
            "name": "Club",
            "client_id": CLIENT,
            "secret": SECRET,
            "settings": {"server_url": self.address},
        }
        return {
            "openid_connect": {
                "SCOPE": ["openid", "email"],
                "OAUTH_PKCE_ENABLED": True,
                "APPS": [app],
            }
        }


@contextmanager
def openid_provider() -> Iterator[OpenIDProvider]:
    provider = OpenIDProvider()

    class Pages(Handler):
        def respond(self) -> None:
            if self.command == "POST":
                self.exchange_code()
                return
            is_known = self.headers["Authorization"] == "Bearer a-token"
            answers = {
                "/.well-known/openid-configuration": (200, provider.description),
                "/person": (200, provider.person) if is_known else (401, {}),
            }
            found = (503, {}) if provider.is_down else answers.get(self.path, (404, {}))
            self.answer_json(*found)

        def exchange_code(self) -> None:
            asked = {
                name: values[0] for name, values in parse_qs(self.read_body().decode()).items()
            }
            provider.exchanged.append(asked)
            if (asked.get("code"), asked.get("client_secret")) != ("a-code", SECRET):
                self.answer_json(400, {"error": "invalid_grant"})
                return
            claims = {"iss": provider.address, "aud": CLIENT, "iat": 1, "exp": 4_000_000_000}
            token = jwt.encode(claims | {"sub": provider.person["sub"]}, SECRET, "HS256")
            told = {"access_token": "a-token", "token_type": "Bearer", "id_token": token}
            self.answer_json(200, told)

    with run_server(Pages) as provider.address:
        yield provider


def query_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
