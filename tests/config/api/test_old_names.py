"""REST and sockets write times and states the same way, and keep old names for one release."""

import re

import pytest

from config.api.promises import OLD_NAMES
from tables.play.reading import snapshot
from tests.api_program import Program, person
from tests.given import require
from tests.programs import ROOT
from tests.tables.driving import seat_all, start_match

FIELDS = [(schema, *names) for schema, of_it in OLD_NAMES.items() for names in of_it.items()]


@pytest.mark.parametrize(("schema", "old", "new"), FIELDS)
def test_an_old_name_is_deprecated_beside_the_new_one(described, schema, old, new):
    fields = described["components"]["schemas"][schema]["properties"]
    assert fields[old]["deprecated"] is True
    assert f"`{new}`" in fields[old]["description"]
    assert "deprecated" not in fields[new]


def test_nothing_else_is_deprecated_and_the_document_lists_the_same(described):
    deprecated = {
        (schema, name)
        for schema, of_it in described["components"]["schemas"].items()
        for name, field in of_it.get("properties", {}).items()
        if field.get("deprecated")
    }
    assert deprecated == {(schema, old) for schema, old, _new in FIELDS}
    section = (ROOT / "docs/protocol.md").read_text().partition("## Old names")[2]
    rows = re.findall(r"^\| (`[A-Z].*?) \| `(\w+)`.*? \| `(\w+)`", section, re.MULTILINE)
    listed = {
        (schema, old, new) for objects, old, new in rows for schema in re.findall(r"\w+", objects)
    }
    assert listed == {*FIELDS}


def test_a_time_of_the_api_is_a_text_or_says_its_unit(described):
    """A numeric field for a moment has a name that ends in `_ms`, except for the old names."""
    old = {(schema, name) for schema, name, _new in FIELDS}
    for schema, of_it in described["components"]["schemas"].items():
        for name, field in of_it.get("properties", {}).items():
            is_number = "integer" in (field.get("type") or "")
            if is_number and re.search(r"(_at|_until|deadline|_from)$", name):
                # `out_at` is a score: the limit at which a player is out of a pool.
                assert (schema, name) in old or name == "out_at", (schema, name)


@pytest.mark.django_db
def test_states_are_those_of_the_socket(table, asha):
    def read_both():
        told = Program(asha).get(f"tables/{table.pk}/").json()
        state = require(snapshot(table_id=table.pk, user_id=asha.pk)).state
        assert told["state"] == state["table"]["status"]
        for chair in told["chairs"]:
            assert chair["state"] == state["seats"][chair["seat"]]["state"]
        assert told["state"].upper() == told["status"]
        return told["state"]

    assert read_both() == "waiting"
    seat_all(table, asha)
    assert read_both() == "waiting"
    start_match(table, person("Binod"))
    assert read_both() == "playing"
