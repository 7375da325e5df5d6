"""Numbers and examples on the rules pages, which must come from the rules."""

import re

import pytest
from django.urls import reverse

from games.indian.game import GAME as INDIAN
from games.indian.rules.melds import meld_kind
from games.indian.rules.ruleset import POINTS, PRESETS
from tables.house_rules.facts import compare_presets
from tests.games.vectors import cards, wild

SHOWN = {format.code.lower(): format.presets for format in INDIAN.formats}
PAGES = [
    reverse("rules"),
    reverse("learn"),
    *(reverse("rules_of", args=[format]) for format in SHOWN),
]
EXAMPLE = re.compile(
    r'data-cards="(?P<cards>[^"]+)"\s+data-kind="(?P<kind>\w+)"(?:\s+data-wild="(?P<wild>\w+)")?'
    r"(?P<picture>.*?)</(?:figure|li)>",
    re.DOTALL,
)
FACE = re.compile(r'card--(?P<suit>[SHDC]|joker)\b.*?card__rank">\s*(?P<rank>\w+)', re.DOTALL)


@pytest.mark.parametrize("path", PAGES)
def test_examples_are_melds_of_the_kind_that_the_page_says(client, db, path):
    examples = list(EXAMPLE.finditer(client.get(path).text))
    assert len(examples) >= 3
    for example in examples:
        kind = meld_kind(cards(example["cards"]), wild(example["wild"]), POINTS)
        assert (kind or "none") == example["kind"], example["cards"]
        assert read_cards(example["picture"]) == example["cards"]


def read_cards(html: str) -> str:
    """Return the cards shown in a picture, in the notation of the rules."""
    faces = []
    for face in FACE.finditer(html):
        rank = "T" if face["rank"] == "10" else face["rank"]
        faces.append("PJ" if face["suit"] == "joker" else rank + face["suit"])
    return " ".join(faces)


@pytest.mark.parametrize("format", SHOWN)
def test_facts_of_a_format_are_those_of_its_rule_sets(client, db, format):
    facts = compare_presets("indian", format.upper())
    assert len(facts) >= 8
    for fact in facts:
        rules = [PRESETS[name] for name in SHOWN[format]]
        numbers = [getattr(one, fact.field) or None for one in rules]
        if all(type(number) is int for number in numbers):
            assert list(fact.values) == numbers
    page = client.get(reverse("rules_of", args=[format])).text
    for fact in facts:
        row = page[page.index(f'data-rule="{fact.field}"') :].split("</tr>")[0]
        shown = re.findall(r'class="num">\s*([^<]*[^<\s])', row)
        assert shown == ["\u2013" if value is None else str(value) for value in fact.values]


def test_the_pages_of_a_game_have_addresses_of_their_own(client, db):
    for path, same in (
        ("/rules/indian/", "/rules/"),
        ("/rules/indian/pool/", "/rules/pool/"),
        ("/learn/indian/", "/learn/"),
    ):
        own, usual = client.get(path), client.get(same)
        assert own.status_code == usual.status_code == 200
        assert own.templates[0].name == usual.templates[0].name


@pytest.mark.parametrize(
    "path",
    [
        "/rules/whist/",
        "/rules/whist/pool/",
        "/rules/indian/whist/",
        "/rules/indian/POOL/",
        "/learn/whist/",
        "/rules/../indian/",
    ],
)
def test_unknown_games_and_formats_have_no_pages(client, db, path):
    assert client.get(path).status_code == 404
