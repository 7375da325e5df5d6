"""Guide pages, which take their figures from the rules and the wallet."""

import html
import re
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse
from django.utils.translation import override

from games.engine.guide import Example, GuidePot
from games.registry import GAMES, get_game
from tables.catalog import format_title, translate
from tables.house_rules.facts import rules_at
from tables.learning.views import EXAMPLE_FEE_BPS, GUIDE_TOPICS, example_fee
from tables.models import Table
from tests.given import reload
from wallet import api as wallet
from wallet.money import Currency

GUIDES = {code: game.guide for code, game in GAMES.items() if game.guide is not None}


def get_address(name: str, code: str = "indian") -> str:
    return reverse("rules_of_format", args=[code, name])


def examples_of(code: str) -> dict[str, Example]:
    return {one.code: one for one in GUIDES[code].examples(example_fee)}


@pytest.mark.django_db
def test_the_points_example_is_what_the_ledger_pays():
    """R7.2: the guide's example agrees with what the wallet settles."""
    example: Any = examples_of("indian")["points"]
    for seat in range(1, 5):
        wallet.buy_in(
            user_id=None, seat_id=seat, amount=1_000, currency=Currency.CHIPS, key=f"seat:{seat}"
        )
    losses = {seat: row.text.values["chips"] for seat, row in enumerate(example.rows, start=2)}
    settled = wallet.settle_points(
        match_id=1, table_id=1, currency=Currency.CHIPS, winner_seat_ids=[1], losses=losses,
        rake_bps=EXAMPLE_FEE_BPS, rake_cap=None, key="example",
    )  # fmt: skip
    assert (settled.gross, settled.rake, settled.net) == (134, 13, 121)
    assert example.pot == GuidePot(134, 13, 121)


def test_examples_of_pool_and_deals_add_up():
    """R8.5, R8.7, R9: pots, shares and scores of the examples."""
    shown: dict[str, Any] = examples_of("indian")
    assert (shown["pool"].pot, shown["pool"].text.values["out"]) == (GuidePot(600, 60, 540), 101)
    parts = [row.text.values["chips"] for row in shown["split"].rows]
    assert sum(parts) == shown["split"].pot.net == 360
    # 40 of 101 points leave three drops of 20; 75 points leave one.
    assert parts == [270, 90]
    assert shown["deals"].text.values["begin"] == 160
    assert shown["deals"].end.values == {"first": 173, "second": 147}
    assert shown["deals"].pot.net == 180


@pytest.mark.parametrize("language", ["en", "hi"])
@pytest.mark.parametrize("code", GUIDES)
def test_the_pages_show_the_whole_guide(client, db, code, language):
    """The pages include all tips, terms, refusals, sums and prizes."""
    client.cookies["django_language"] = language
    pages = {name: client.get(get_address(name, code)) for name in GUIDE_TOPICS}
    assert {page.status_code for page in pages.values()} == {200}
    shown = {name: html.unescape(page.text) for name, page in pages.items()}
    nets = dict(re.findall(r'data-example="(\w+)"\s+data-net="(\d+)"', shown["winnings"]))
    assert nets == {name: str(one.pot.net) for name, one in examples_of(code).items() if one.pot}
    for example in examples_of(code).values():
        assert all(row.sum in shown["winnings"] for row in example.rows)
    guide, book = GUIDES[code], GAMES[code].rules
    rules = book.json(book.preset(GAMES[code].formats[0].presets[0]))
    with override(language):
        for claim in guide.claims():
            verdict = f'data-verdict="{claim.code or "right"}"'
            assert len(shown["claims"].split(verdict)) > 1
            assert claim.refusal is None or translate(claim.refusal) in shown["claims"]
        for tip in guide.tips(rules):
            assert translate(tip.text) in shown["tips"]
            assert translate(tip.text) in shown["print"]
        for term in guide.terms(rules):
            assert translate(term.text) in shown["terms"]


@pytest.mark.parametrize("code", GUIDES)
def test_the_guide_is_reached_from_every_page_of_the_rules(client, db, code):
    formats = [format.code.lower() for format in GAMES[code].formats]
    for page in (reverse("rules_of", args=[code]), *(get_address(name, code) for name in formats)):
        shown = client.get(page).text
        assert all(f'href="{get_address(name, code)}"' in shown for name in GUIDE_TOPICS)


def test_the_old_address_of_the_claims_redirects(client, db):
    answer = client.get(get_address("declarations"))
    assert (answer.status_code, answer.url) == (301, get_address("claims"))


def test_a_game_without_a_guide_has_no_such_pages(client, db, monkeypatch):
    monkeypatch.setitem(GAMES, "gin", replace(GAMES["gin"], guide=None))
    assert client.get("/rules/gin/tips/").status_code == 404
    assert "/rules/gin/tips/" not in client.get("/rules/gin/").text
    assert client.get("/rules/whist/tips/").status_code == 404


def test_the_printed_rules_tell_the_limits_of_a_deal(client, db):
    """R4.1, R4.7: the toss, and the most turns and minutes of a deal."""
    rules = get_game("indian").rules.preset("points")
    page = client.get("/rules/indian/print/").text
    assert f"more than {rules.max_turns} turns" in page
    assert f"after {rules.max_minutes} minutes" in page
    assert "Toss:" in page


@pytest.mark.parametrize(
    ("page", "language", "words"),
    [
        ("terms", "en", "scores only {} points"),
        ("print", "en", "scores {} points"),
        ("terms", "hi", "{} अंक गिने"),
        ("print", "hi", "{} अंक गिने"),
    ],
)
def test_a_second_valid_hand_costs_what_the_rules_say(client, db, page, language, words):
    """R3.6: the points of a second valid hand."""
    rules = get_game("indian").rules.preset("points")
    client.cookies["django_language"] = language
    with override(language):
        shown = client.get(f"/rules/indian/{page}/").text
    assert words.format(rules.second_valid_points) in shown


def get_rules_page(client, table, **query):
    return client.get(reverse("tables:rules", args=[table.pk]), query)


@pytest.mark.django_db
def test_changed_rules_are_marked_and_stand_in_the_title(client, make_table):
    table = make_table()
    page = client.get(reverse("table", args=[table.pk])).text
    assert f'href="{reverse("tables:rules", args=[table.pk])}"' in page
    assert not [fact for fact in rules_at(table.pk)["facts"] if fact.is_own]
    assert format_title(table) == "Points"
    assert 'data-own="yes"' not in get_rules_page(client, table).text
    rules = {**table.rules, "first_drop": 10, "turn_seconds": 45}
    Table.objects.filter(pk=table.pk).update(rules=rules)
    assert format_title(reload(table)) == "Points, own rules"
    facts = [fact for fact in rules_at(table.pk)["facts"] if fact.is_own]
    own = {fact.field: (fact.value, fact.usual) for fact in facts}
    assert own == {"first_drop": (10, 20), "turn_seconds": (45, 30)}
    page = get_rules_page(client, table).text
    assert re.findall(r'data-rule="(\w+)"\s+data-own="yes"', page) == list(own)


@pytest.mark.django_db
def test_rules_of_a_private_table_need_its_link(client, make_table):
    table = make_table(invite_code="secret")
    assert get_rules_page(client, table).status_code == 404
    assert get_rules_page(client, table, invite="secret").status_code == 200
    assert client.get(reverse("tables:rules", args=[999_999])).status_code == 404
