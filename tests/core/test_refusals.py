"""Refusals: the kinds that the apps declare, and the exception that carries them."""

import re

from core.refusals import DECLARED, SWITCHED_OFF, Refusal
from tests.config.api.reached import read_modules


def test_every_kind_has_a_code_and_a_sentence():
    declaring = [name for name in read_modules() if name.endswith("refusals")]
    assert len(DECLARED) > 150 > len(declaring) > 5
    for kind in DECLARED:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", kind.code), kind
        assert re.fullmatch(r"[A-Z“].*[.?!)]", str(kind.message), re.DOTALL), kind


def test_a_refusal_is_of_its_kind():
    refusal = Refusal(SWITCHED_OFF)
    assert (refusal.kind, refusal.code, refusal.status) == (SWITCHED_OFF, "switched_off", 409)
    assert str(refusal) == str(SWITCHED_OFF.message)


def test_a_refusal_may_say_it_in_other_words_than_its_kind():
    refusal = Refusal(SWITCHED_OFF, message="Not today.", detail="maintenance")
    assert (refusal.code, str(refusal), refusal.args) == (
        "switched_off",
        "Not today.",
        ("maintenance",),
    )
