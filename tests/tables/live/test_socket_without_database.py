"""Sockets that are opened while the database is down or overloaded."""

import pytest
from django.db import OperationalError

from config.sockets.websocket import websocket_application
from core.threads import TooMuchAsked

SCOPE = {
    "type": "websocket",
    "path": "/ws/tables/1/",
    "query_string": b"",
    "client": ("127.0.0.1", 1),
    "extensions": {"websocket.http.response": {}},
}


@pytest.mark.parametrize("error", [OperationalError("connection refused"), TooMuchAsked()])
@pytest.mark.parametrize(
    "headers",
    [
        [
            (b"cookie", b"sessionid=abcdefghijkl"),
            (b"host", b"testserver"),
            (b"origin", b"http://testserver"),
        ],
        [(b"authorization", b"Bearer ort_abc")],
    ],
)
async def test_a_socket_without_the_database_is_refused_with_503(monkeypatch, headers, error):
    def fail(*_arguments):
        raise error

    monkeypatch.setattr("config.sockets.websocket.find_person", fail)
    monkeypatch.setattr("config.sockets.websocket.find_token", fail)
    sent = []

    async def receive():
        return {"type": "websocket.disconnect"}

    async def send(message):
        sent.append(message)

    await websocket_application({**SCOPE, "headers": headers}, receive, send)
    assert [message.get("status") for message in sent] == [503, None]
