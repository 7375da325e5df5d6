"""The REST API with a player's token; what each address answers is at `/api/v1/docs/`."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Mapping
from typing import Any, Final

TRIES: Final = 5
_COME_BACK: Final = frozenset({429, 503})
_LONGEST_PAUSE: Final = 60.0


class Refused(Exception):  # noqa: N818 - a refusal is expected, not an error
    """The request was not carried out, and nothing has changed. `code` is for programs."""

    def __init__(self, status: int, code: str, message: str, fields: Mapping[str, Any]) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.fields = fields


class Api:
    """Requests of one player. Each is tried again where the site asks for that, or is not reached; a
    POST under the same key, so that it is carried out once."""

    def __init__(self, address: str, token: str, *, timeout: float = 30) -> None:
        self.address = address.rstrip("/")
        self.authorization = {"Authorization": f"Bearer {token}"}
        self._timeout = timeout

    def get(self, path: str, **query: object) -> Any:
        """Raises Refused, or OSError where the site is not reached."""
        asked = urllib.parse.urlencode({name: str(value) for name, value in query.items()})
        return self._send(f"{path}?{asked}" if asked else path, None)

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Raises Refused, or OSError where the site is not reached: then it may have been carried
        out or not."""
        return self._send(path, json.dumps(dict(body or {})).encode())

    def _send(self, path: str, data: bytes | None) -> Any:
        headers = {
            **self.authorization,
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        }
        address = f"{self.address}/api/v1/{path.lstrip('/')}"
        request = urllib.request.Request(address, data, headers)  # noqa: S310 - the program's site
        for left in reversed(range(TRIES)):
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as answer:  # noqa: S310
                    return json.loads(answer.read() or "null")
            except urllib.error.HTTPError as error:
                if error.code not in _COME_BACK or not left:
                    raise _read_refusal(error) from None
                pause = _read_seconds(error.headers.get("Retry-After"))
                error.close()
            except OSError:
                if not left:
                    raise
                pause = 1.0
            time.sleep(pause)
        raise AssertionError("unreachable")


def _read_seconds(told: str | None) -> float:
    return min(float(told), _LONGEST_PAUSE) if told and told.isdigit() else 1.0


def _read_refusal(error: urllib.error.HTTPError) -> Refused:
    with error:
        try:
            body = json.loads(error.read())
            return Refused(error.code, body["code"], body["detail"], body.get("fields", {}))
        except (ValueError, KeyError, TypeError):  # a proxy's own answer
            return Refused(error.code, "error", str(error.reason), {})
