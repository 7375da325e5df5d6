"""The REST API with a player's token. `/api/v1/docs/` describes the responses of each address.

`Api` is for programs with an event loop, `BlockingApi` for those without. Both send the same requests.
"""

import asyncio
import json
import logging
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from openrummy_client.version import __version__

TRIES: Final = 5
USER_AGENT: Final = f"openrummy-client/{__version__}"
_COME_BACK: Final = frozenset({429, 503})
_LONGEST_PAUSE: Final = 60.0

_log = logging.getLogger("openrummy_client")


class Refused(Exception):  # noqa: N818 - a refusal is expected, not an error
    """The request was not carried out, and nothing has changed. `code` is for programs."""

    def __init__(self, status: int, code: str, message: str, fields: Mapping[str, Any]) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.fields = fields


@dataclass(frozen=True, slots=True)
class _Again:
    """The request must be sent again after a pause."""

    seconds: float


class _Requests:
    """Builds the requests of one player and sends each of them once."""

    def __init__(self, address: str, token: str, *, timeout: float = 30) -> None:
        self.address = address.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}", "User-Agent": USER_AGENT}
        self._timeout = timeout

    def _make(
        self, method: str, path: str, query: Mapping[str, object], body: Mapping[str, Any] | None
    ) -> urllib.request.Request:
        asked = urllib.parse.urlencode({name: str(value) for name, value in query.items()})
        address = f"{self.address}/api/v1/{path.lstrip('/')}" + (f"?{asked}" if asked else "")
        headers = {**self.headers, "Content-Type": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(dict(body)).encode()
        return urllib.request.Request(address, data, headers, method=method)  # noqa: S310 - the program's site

    def _try(self, request: urllib.request.Request, left: int) -> Any:
        """Send the request. Return the answer, or `_Again` while retries are left."""
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:  # noqa: S310
                return json.loads(answer.read() or "null")
        except urllib.error.HTTPError as error:
            if error.code not in _COME_BACK or not left:
                raise _read_refusal(error) from None
            pause, why = _read_seconds(error.headers.get("Retry-After")), str(error.code)
            error.close()
        except OSError as error:
            if not left:
                raise
            pause, why = 1.0, str(error)
        _log.info("%s %s: %s, again in %s s", request.method, request.full_url, why, pause)
        return _Again(pause)


class Api(_Requests):
    """Requests of one player, for programs with an event loop.

    A request is retried if the site asks for that or cannot be reached. A POST is retried with the same idempotency
    key, so that it is carried out only once. `timeout` is the number of seconds that one attempt may go without an
    answer.

    All methods raise Refused, or OSError if the site cannot be reached. After an OSError, a request that changes
    something may or may not have been carried out.
    """

    async def get(self, path: str, **query: object) -> Any:
        return await self._send(self._make("GET", path, query, None))

    async def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return await self._send(self._make("POST", path, {}, body or {}))

    async def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        return await self._send(self._make("PATCH", path, {}, body))

    async def delete(self, path: str) -> Any:
        return await self._send(self._make("DELETE", path, {}, None))

    async def list_pages(self, path: str, **query: object) -> AsyncIterator[Any]:
        """Yield the results of a list, page after page: `async for line in api.list_pages("wallet/statement/")`."""
        page = await self.get(path, **query)
        while True:
            for result in page["results"]:
                yield result
            if page["next"] is None:
                return
            page = await self.get(path, **{**query, "cursor": page["next"]})

    async def _send(self, request: urllib.request.Request) -> Any:
        for left in reversed(range(TRIES)):
            # Pings of an open table go on meanwhile.
            answer = await asyncio.to_thread(self._try, request, left)
            if not isinstance(answer, _Again):
                return answer
            await asyncio.sleep(answer.seconds)
        raise AssertionError("unreachable")


class BlockingApi(_Requests):
    """The same requests for programs without an event loop. Each call returns when it is answered."""

    def get(self, path: str, **query: object) -> Any:
        return self._send(self._make("GET", path, query, None))

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return self._send(self._make("POST", path, {}, body or {}))

    def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._send(self._make("PATCH", path, {}, body))

    def delete(self, path: str) -> Any:
        return self._send(self._make("DELETE", path, {}, None))

    def list_pages(self, path: str, **query: object) -> Iterator[Any]:
        """Yield the results of a list, page after page."""
        page = self.get(path, **query)
        while True:
            yield from page["results"]
            if page["next"] is None:
                return
            page = self.get(path, **{**query, "cursor": page["next"]})

    def _send(self, request: urllib.request.Request) -> Any:
        for left in reversed(range(TRIES)):
            answer = self._try(request, left)
            if not isinstance(answer, _Again):
                return answer
            time.sleep(answer.seconds)
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
