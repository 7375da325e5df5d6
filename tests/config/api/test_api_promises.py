"""Since the last release the API has kept its promises to programs, or a changelog fragment names each break."""

import re
from copy import deepcopy

import pytest

from config.api.promises import find_breaks, list_promises
from tests.programs import ROOT

SIT = "/api/v1/tables/{table_id}/sit/"
GONE = f"no longer: POST {SIT}"


def test_the_fragments_of_the_changelog_quote_each_line_that_breaks(described):
    released = (ROOT / "docs/api-promises.txt").read_text().splitlines()
    fragments = "".join(path.read_text() for path in ROOT.glob("changelog.d/*.breaking.md"))
    quoted = set(re.findall(r"^ *- `((?:no longer|now): .*)`$", fragments, re.M))
    assert quoted == set(find_breaks(released, list_promises(described)))


def remove_operation(described):
    del described["paths"][SIT]


def remove_input(described):
    described["components"]["schemas"]["Sit"]["properties"].pop("seat")


def remove_value(described):
    described["components"]["schemas"]["FaceEnum"]["enum"].remove("owl")


def remove_field(described):
    described["components"]["schemas"]["Seated"]["properties"].pop("socket")


def change_type(described):
    described["components"]["schemas"]["Seated"]["properties"]["table"]["type"] = "string"


def make_optional(described):
    described["components"]["schemas"]["Seated"]["required"].remove("table")


def demand_input(described):
    described["components"]["schemas"]["Sit"]["required"].append("seat")


def remove_code(described):
    described["components"]["schemas"]["ErrorCode"]["enum"].remove("seat_taken")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (remove_operation, GONE),
        (remove_input, f"{GONE} takes seat: integer"),
        (remove_value, "no longer: PATCH /api/v1/account/ takes face=owl"),
        (remove_field, f"{GONE} answers .socket: string"),
        (change_type, f"{GONE} answers .table: integer"),
        (make_optional, f"{GONE} answers .table: integer"),
        (demand_input, f"now: POST {SIT} needs seat"),
        (remove_code, "no longer: ERROR answers .code=seat_taken"),
    ],
)
def test_a_planted_break_is_found_and_an_addition_is_no_break(described, change, line):
    changed = deepcopy(described)
    change(changed)
    before, after = list_promises(described), list_promises(changed)
    found = find_breaks(before, after)
    assert line in found
    assert {one.split()[-1] for one in found} == {line.split()[-1]}
    # Reversed, each change only adds something, except that a type or a presence is no longer certain.
    back = find_breaks(after, before)
    assert bool(back) == (change in (change_type, make_optional))
