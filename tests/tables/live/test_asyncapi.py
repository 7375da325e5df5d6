"""docs/asyncapi.json, which is generated from the schema of frames."""

import json
from pathlib import Path

import pytest
from jsonschema_rs import Draft7Validator

from tables.live.asyncapi import render_text

ROOT = Path(__file__).resolve().parents[3]
COMMITTED = (ROOT / "docs/asyncapi.json").read_text()
DOCUMENT = json.loads(COMMITTED)
FRAMES = json.loads((ROOT / "docs/protocol.schema.json").read_text())["$defs"]
OFFICIAL = ROOT / "node_modules/@asyncapi/specs/schemas/3.0.0.json"


def test_the_committed_document_is_made_of_the_schema() -> None:
    assert render_text() == COMMITTED, "python -m tables.live.asyncapi > docs/asyncapi.json"


@pytest.mark.skipif(not OFFICIAL.exists(), reason="npm has installed no schema of AsyncAPI here")
def test_the_document_is_valid_asyncapi_3() -> None:
    validator = Draft7Validator(json.loads(OFFICIAL.read_text()))
    assert [error.message for error in validator.iter_errors(DOCUMENT)] == []
    wrong = {**DOCUMENT, "operations": {"tableHears": {"action": "listen"}}}
    assert not validator.is_valid(wrong)


def test_every_frame_is_sent_or_heard_over_a_channel() -> None:
    payloads = {
        message["payload"]["$ref"].removeprefix("protocol.schema.json#/$defs/")
        for channel in DOCUMENT["channels"].values()
        for message in channel["messages"].values()
    }
    named = {
        one["$ref"].rpartition("/")[2]
        for name in ("fromClient", "fromServer", "whatMeHears", "whatTournamentHears")
        for one in FRAMES[name]["oneOf"]
    }
    assert payloads == named | {"listenerSends"}
    assert payloads <= set(FRAMES)
