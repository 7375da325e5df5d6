"""docs/protocol.schema.json, and the classes of frames from which it is generated."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from tables.live import frames, schema
from tables.live.frames import BadFrame, parse

COMMITTED = Path(__file__).resolve().parents[3] / "docs/protocol.schema.json"
ID = "0192f0c1-2b5e-7cc0-8000-000000000001"
GOOD: dict[str, dict[str, Any]] = {
    "hello": {"epoch": "", "v": 0},
    "act": {"id": ID, "v": 3, "move": {"kind": "drop"}},
    "draft": {"rev": 1, "draft": [["7H.0"]]},
    "ask": {"id": ID, "question": {"kind": "judge", "groups": [["7H.0"]]}},
    "pre_action": {"move": {"kind": "drop"}, "last_deal": True},
    "again": {"id": ID, "amount": 100},
    "start": {"id": ID},
    "back": {"id": ID},
    "say": {"phrase": "hello", "text": ""},
    "seed": {"promise": "ab", "seed": "cd"},
    "ping": {"c": 1},
    "me": {},
}
NO_VALUE_OF_ANY_FIELD = {"is": "an object where none belongs"}
OF_THE_GAME = "draft"  # the game validates it
FIELDS = [(kind, field) for kind, fields in GOOD.items() for field in fields]


def refusal_of(text: str | None) -> str:
    with pytest.raises(BadFrame) as refused:
        parse(text)
    return refused.value.code


def frame(kind: str, **fields: object) -> str:
    return json.dumps({"type": kind, **fields})


def test_the_committed_schema_is_made_of_the_classes() -> None:
    assert COMMITTED.read_text() == schema.render_text(), (
        "python -m tables.live.schema > docs/protocol.schema.json"
    )


def test_the_command_that_makes_it_needs_no_site() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "tables.live.schema"],
        env={"PATH": os.environ["PATH"]}, cwd=COMMITTED.parents[1], capture_output=True, check=True,
    )  # fmt: skip
    assert made.stdout.decode() == COMMITTED.read_text()


def test_a_changed_frame_class_changes_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = {kind: frame for kind, frame in frames.CLIENT_FRAMES.items() if kind != "seed"}
    monkeypatch.setattr(schema, "CLIENT_FRAMES", fewer)
    assert COMMITTED.read_text() != schema.render_text()


def test_every_frame_of_clients_has_an_example() -> None:
    assert set(GOOD) == set(frames.CLIENT_FRAMES)


@pytest.mark.parametrize("kind", GOOD)
def test_a_good_frame_is_read(kind: str) -> None:
    assert type(parse(frame(kind, **GOOD[kind]))) is frames.CLIENT_FRAMES[kind]


@pytest.mark.parametrize("kind", GOOD)
def test_an_unknown_field_is_refused(kind: str) -> None:
    assert refusal_of(frame(kind, **GOOD[kind], more=1)) == "malformed_message"


@pytest.mark.parametrize(("kind", "field"), FIELDS)
def test_a_missing_field_is_refused(kind: str, field: str) -> None:
    fields = {name: value for name, value in GOOD[kind].items() if name != field}
    assert refusal_of(frame(kind, **fields)) == "malformed_message"


@pytest.mark.parametrize(("kind", "field"), [one for one in FIELDS if one[1] != OF_THE_GAME])
def test_a_wrong_type_is_refused(kind: str, field: str) -> None:
    is_object = field in ("move", "question")
    wrong = "an object belongs here" if is_object else NO_VALUE_OF_ANY_FIELD
    assert refusal_of(frame(kind, **(GOOD[kind] | {field: wrong}))) == "malformed_message"


@pytest.mark.parametrize("kind", ["", "Hello", "hello ", "bye", "snap"])
def test_an_unknown_type_is_refused(kind: str) -> None:
    assert refusal_of(frame(kind, epoch="", v=0)) == "unknown_type"


@pytest.mark.parametrize("text", [None, "", "{", "hello", '{"type": "ping", "c": NaN}', "[" * 9000])
def test_invalid_json_is_refused(text: str | None) -> None:
    assert refusal_of(text) == "not_json"


@pytest.mark.parametrize("text", ["null", "[]", "7", "{}", '{"type": 7}', '{"type": null}'])
def test_json_without_a_type_is_refused(text: str) -> None:
    assert refusal_of(text) == "malformed_message"


@pytest.mark.parametrize(
    ("legal", "is_good"),
    [
        ([{"kind": "draw", "source": ["open"]}, {"kind": "leave"}], True),
        ([{"kind": "knock", "card": ["7H.0", None], "groups": None}], True),
        ([{"kind": "draw", "source": ["above"]}], False),
        ([{"kind": "draw", "source": None}], False),
        ([{"kind": "discard"}], False),
        ([{"kind": "drop", "points": 20}], False),
    ],
)
def test_legal_moves_are_those_of_the_game(legal: Any, is_good: bool) -> None:
    described = {**json.loads(COMMITTED.read_text()), "anyOf": [{"$ref": "#/$defs/ginLegal"}]}
    assert Draft202012Validator(described).is_valid(legal) is is_good
