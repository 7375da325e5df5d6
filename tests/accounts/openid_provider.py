"""An OpenID provider on a real port that says of everybody who they are without asking."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt

from tests.stand_in import serve

CLIENT = "openrummy-here"
SECRET = "a-secret-between-the-two-sites-and-nobody-else"


@dataclass
class OpenIDProvider:
    """`person` holds the claims about whoever signs in next."""

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
        """Return SOCIALACCOUNT_PROVIDERS of a site that offers this provider as "Club"."""
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

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_known = self.headers["Authorization"] == "Bearer a-token"
            answers = {
                "/.well-known/openid-configuration": (200, provider.description),
                "/person": (200, provider.person) if is_known else (401, {}),
            }
            self._say(*((503, {}) if provider.is_down else answers.get(self.path, (404, {}))))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            asked = {name: values[0] for name, values in parse_qs(body).items()}
            provider.exchanged.append(asked)
            if (asked.get("code"), asked.get("client_secret")) != ("a-code", SECRET):
                self._say(400, {"error": "invalid_grant"})
                return
            claims = {"iss": provider.address, "aud": CLIENT, "iat": 1, "exp": 4_000_000_000}
            token = jwt.encode(claims | {"sub": provider.person["sub"]}, SECRET, "HS256")
            self._say(200, {"access_token": "a-token", "token_type": "Bearer", "id_token": token})

        def _say(self, status: int, values: dict[str, Any]) -> None:
            body = json.dumps(values).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.address = f"http://127.0.0.1:{server.server_port}"
    with serve(server):
        yield provider


def query_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
