"""Traces of a move through two web processes and a real collector."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from core.observability import tracing
from tables.play.change import _build_message
from tables.play.move import MoveRequest, play_move
from tests.programs import ROOT
from tests.separate_processes import Processes, separate_processes
from tests.stand_in import serve
from tests.tables.driving import game_view, player_at, start_match
from tests.tables.live.scene import play_turn
from tests.tables.socket_client import TableSocket

PARTS = ["lock", "apply", "store", "commit", "publish"]
IN_ONE_STATEMENT = ["apply", "store", "publish"]  # by the process that made the last move


@dataclass
class Collector:
    """OTLP collector over HTTP."""

    spans: list[dict[str, Any]] = field(default_factory=list)

    def take(self, body: bytes) -> None:
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            of = {one.key: one.value.string_value for one in resource.resource.attributes}
            self.spans += [
                {
                    "name": span.name,
                    "trace": span.trace_id,
                    "id": span.span_id,
                    "parent": span.parent_span_id,
                    "from": span.start_time_unix_nano,
                    "to": span.end_time_unix_nano,
                    "service": of["service.name"],
                    "process": of["service.instance.id"],
                    "told": {
                        one.key: one.value.string_value or one.value.int_value
                        for one in span.attributes
                    },
                    "events": len(span.events),
                }
                for scope in resource.scope_spans
                for span in scope.spans
            ]

    def traces(self) -> list[list[dict[str, Any]]]:
        """Return the traces, oldest first, each with its spans ordered by start time."""
        found: dict[bytes, list[dict[str, Any]]] = {}
        for span in sorted(self.spans, key=lambda one: (one["from"], one["name"] != "move")):
            found.setdefault(span["trace"], []).append(span)
        return list(found.values())

    async def await_spans(self, count: int) -> None:
        for _ in range(200):
            if len(self.spans) >= count:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(self.spans)


@pytest.fixture
def collector():
    """Run a collector. Yield it and its address."""
    taken = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            assert self.path == "/v1/traces"
            taken.take(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with serve(server):
        yield taken, f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def processes(transactional_db: None, collector) -> Iterator[Processes]:
    given = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector[1], "OTEL_BSP_SCHEDULE_DELAY": "100"}
    with separate_processes(**given) as started:
        yield started


async def play_and_be_refused(processes, table, sessions):
    """Play one turn, then a move out of turn. Return the mover's seat and the last version."""
    (first, _one), (second, _two) = processes.web(), processes.web()
    async with (
        TableSocket(first, table.pk, sessions[0]) as one,
        TableSocket(second, table.pk, sessions[1]) as other,
    ):
        sockets = [one, other]
        for socket in sockets:
            await socket.hello()
        turn = one.state["game"]["turn"]
        version = await play_turn(sockets[turn], *sockets)
        refused = await sockets[turn].act(kind="draw", source="closed")
        assert refused["type"] == "rej"
    return turn, version


def check_played(spans, table, turn, names):
    """Check that a single trace leads from the player's move to every seat."""
    stored = "commit" if "commit" in names else "store"
    root = spans[0]
    parts = {span["name"]: span for span in spans}
    assert sorted(span["name"] for span in spans) == sorted(["move", *names, "send", "send"])
    assert (root["name"], root["parent"]) == ("move", b"")
    assert root["told"]["openrummy.table"] == table.pk
    assert root["told"]["openrummy.outcome"] == "played"
    assert [span["name"] for span in spans if span["name"] in names] == names
    assert all(parts[name]["parent"] == root["id"] for name in names if name != "publish")
    assert parts["publish"]["parent"] == parts[stored]["id"]
    own, others = (
        next(one for one in spans if one["name"] == "send" and one["told"] == whose)
        for whose in ({"openrummy.seat": turn}, {"openrummy.seat": 1 - turn})
    )
    # Each view comes from the process of its player.
    assert (own["parent"], own["process"]) == (root["id"], root["process"])
    assert others["parent"] == parts["publish"]["id"]
    assert others["process"] != root["process"]
    assert min(own["from"], others["from"]) >= parts[stored]["to"]


async def test_a_move_is_one_trace_to_the_last_seat(processes, collector, table_and_sessions):
    table, sessions = table_and_sessions
    taken, _address = collector
    turn, version = await play_and_be_refused(processes, table, sessions)
    await taken.await_spans(
        len([*PARTS, *IN_ONE_STATEMENT, *2 * ["move", "send", "send"]])
        + len(["move", "apply", "lock", "apply"])
    )
    drawn, discarded, late = taken.traces()
    check_played(drawn, table, turn, PARTS)
    check_played(discarded, table, turn, IN_ONE_STATEMENT)
    assert discarded[0]["told"]["openrummy.version"] == version
    assert [span["name"] for span in late] == ["move", "apply", "lock", "apply"]
    assert late[0]["told"]["openrummy.outcome"] == "refused"
    assert {span["service"] for span in taken.spans} == {"openrummy"}
    # Numbers and codes, no text of a refusal.
    assert {key for span in taken.spans for key in span["told"]} == {
        f"openrummy.{name}" for name in ("table", "seat", "game", "version", "outcome")
    }
    assert {span["events"] for span in taken.spans} == {0}


def test_without_a_collector_no_trace_is_made(db, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    turn = game_view(table)["turn"]
    move = {"kind": "draw", "source": "closed"}
    with tracing.trace("move", table=table.pk):
        assert tracing.mark() is None
        played = play_move(MoveRequest(table.pk, player_at(table, turn).pk, move))
        [step] = played.changes
        assert "trace" not in _build_message(step)
    said = asgi("print('config.monitoring.open_telemetry' in sys.modules)")
    assert (said.returncode, said.stdout) == (0, "False\n"), said.stderr


def test_tracing_without_the_library_says_what_to_install():
    said = asgi(
        "",
        before="sys.modules['opentelemetry'] = None",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:4318",
    )
    assert said.returncode == 1
    assert "pip install --require-hashes -r requirements-tracing.txt" in said.stderr


def asgi(then, *, before="", **given):
    """Import config.asgi in a subprocess, with a statement before it and one after. Return the finished process."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.local", **given}
    return subprocess.run(
        [sys.executable, "-c", f"import sys\n{before}\nimport config.asgi\n{then}"],
        env=environment, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
