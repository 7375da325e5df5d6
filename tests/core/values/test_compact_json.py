"""Compact JSON of the site's values."""

import json

import pytest

from accounts.names import GivenName
from core.values.compact_json import encode_json
from core.values.isolation import Isolated


@pytest.mark.parametrize(
    "value",
    [
        {"name": Isolated("\u05d0\u05d1"), "cards": ("7H.0", "PJ.1")},
        [GivenName("Chitra (bot)"), None, True, -3, 1.5],
        {"text": 'a "word" \\ with \n and \u0939\u093f'},
    ],
)
def test_values_are_written_as_the_standard_library_writes_them(value):
    """A name is written as it is stored, not translated into the active language."""
    compact = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    assert encode_json(value) == compact


def test_what_has_no_json_is_refused():
    with pytest.raises(TypeError, match="object has no JSON"):
        encode_json({"it": object()})
