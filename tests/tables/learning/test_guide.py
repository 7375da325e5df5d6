"""The guide's examples are those of the rules and of the wallet: a page cannot say otherwise."""

import re

import pytest
from django.urls import reverse
from django.utils.translation import override

from games.indian.lab import guide
from games.indian.rules.melds import REASONS
from games.registry import get_game
from tables.catalog import title_of
from tables.house_rules.facts import rules_at
from tables.learning.views import EXAMPLE_FEE_BPS, example_fee
from tables.models import Table
from wallet import api as wallet
from wallet.money import Currency

BACKEND = "django.contrib.auth.backends.ModelBackend"


def address(name: str) -> str:
    return reverse("rules_of_format", args=["indian", name])


def test_each_wrong_declaration_fails_for_the_reason_that_it_is_shown_for():
    """R3.1 to R3.3; the order of the examples is that of the page."""
    judged = [(one["reason"], one["failed"]) for one in guide.declarations()]
    assert judged == [
        ("no_pure_sequence", None),
        ("no_second_sequence", None),
        ("two_of_a_suit_in_set", 3),
        ("gap_in_sequence", 2),
        ("too_few_cards", 4),
        ("gap_in_sequence", 2),
        (None, None),
    ]
    assert {reason for reason, _group in judged if reason} <= set(REASONS)


def test_every_declaration_has_thirteen_cards():
    counts = [sum(map(len, one["groups"])) for one in guide.declarations()]
    assert counts == [13] * len(counts)


@pytest.mark.django_db
def test_the_points_example_is_what_the_ledger_pays():
    """R7.2: the same losses, settled between seats that hold chips."""
    example = guide.winnings(example_fee)["points"]
    for seat in range(1, 5):
        wallet.buy_in(
            user_id=None, seat_id=seat, amount=1_000, currency=Currency.CHIPS, key=f"seat:{seat}"
        )
    losses = {seat: paid["chips"] for seat, paid in enumerate(example["paid"], start=2)}
    settled = wallet.settle_points(
        match_id=1, table_id=1, currency=Currency.CHIPS, winner_seat_ids=[1], losses=losses,
        rake_bps=EXAMPLE_FEE_BPS, rake_cap=None, key="example",
    )  # fmt: skip
    assert (settled.gross, settled.rake, settled.net) == (134, 13, 121)
    assert (example["gross"], example["rake"], example["net"]) == (134, 13, 121)


def test_the_other_examples_add_up():
    """R8.5, R8.7, R9: prizes are entry fees less the fee; a shared prize is shared altogether."""
    shown = guide.winnings(example_fee)
    assert (shown["pool"]["gross"], shown["pool"]["net"]) == (600, 540)
    assert shown["pool"]["out"] == 101
    parts = [part["chips"] for part in shown["split"]["parts"]]
    assert sum(parts) == shown["split"]["net"] == 360
    # 40 of 101 leaves three drops of 20, 75 leaves one.
    assert parts == [270, 90]
    assert shown["deals"]["begin"] == 160
    assert shown["deals"]["ends"] == (173, 147)
    assert shown["deals"]["net"] == 180


@pytest.mark.parametrize("language", ["en", "hi"])
def test_the_pages_show_these_numbers(client, db, language):
    client.cookies["django_language"] = language
    page = client.get(address("winnings")).content.decode()
    nets = dict(re.findall(r'data-example="(\w+)"\s+data-net="(\d+)"', page))
    expected = {name: str(example["net"]) for name, example in guide.winnings(example_fee).items()}
    assert nets == expected
    for name in guide.GUIDE.pages:
        assert client.get(address(name)).status_code == 200


def test_games_without_a_guide_have_none(client, db):
    assert client.get("/rules/gin/tips/").status_code == 404
    assert client.get("/rules/whist/tips/").status_code == 404


def test_the_limits_are_those_of_the_rules(client, db):
    """R4.1, R4.7."""
    rules = get_game("indian").rules.preset("points")
    page = client.get("/rules/indian/print/").content.decode()
    assert f"more than {rules.max_turns} turns" in page
    assert f"after {rules.max_minutes} minutes" in page
    assert "Toss:" in page


@pytest.mark.parametrize("page", ["terms", "print"])
@pytest.mark.parametrize(("language", "words"), [("en", "counts {} points"), ("hi", "{} अंक गिने")])
def test_a_second_valid_hand_costs_what_the_rules_say(client, db, page, language, words):
    """R3.6"""
    rules = get_game("indian").rules.preset("points")
    client.cookies["django_language"] = language
    with override(language):
        shown = client.get(f"/rules/indian/{page}/").content.decode()
    assert words.format(rules.second_valid_points) in shown


@pytest.mark.django_db
class TestTheVeryTable:
    def test_an_ordinary_table_differs_in_nothing(self, client, make_table):
        table = make_table()
        assert not [fact for fact in rules_at(table.pk)["facts"] if fact.is_own]
        assert title_of(table) == "Points"
        page = client.get(reverse("tables:rules", args=[table.pk])).content.decode()
        assert 'data-own="yes"' not in page

    def test_what_is_different_is_marked_and_stands_in_the_title(self, client, make_table):
        table = make_table()
        rules = {**table.rules, "first_drop": 10, "turn_seconds": 45}
        Table.objects.filter(pk=table.pk).update(rules=rules)
        table.refresh_from_db()
        assert title_of(table) == "Points, own rules"
        own = {
            fact.field: (fact.value, fact.usual)
            for fact in rules_at(table.pk)["facts"]
            if fact.is_own
        }
        assert own == {"first_drop": (10, 20), "turn_seconds": (45, 30)}
        page = client.get(reverse("tables:rules", args=[table.pk])).content.decode()
        assert re.findall(r'data-rule="(\w+)"\s+data-own="yes"', page) == [
            "first_drop",
            "turn_seconds",
        ]

    def test_the_page_of_a_table_leads_there(self, client, make_table):
        table = make_table()
        page = client.get(reverse("tables:table", args=[table.pk])).content.decode()
        assert f'href="{reverse("tables:rules", args=[table.pk])}"' in page

    def test_a_private_table_is_nobodys(self, client, make_table):
        table = make_table()
        Table.objects.filter(pk=table.pk).update(invite_code="secret")
        address = reverse("tables:rules", args=[table.pk])
        assert client.get(address).status_code == 404
        assert client.get(address, {"invite": "secret"}).status_code == 200
        assert client.get(reverse("tables:rules", args=[999_999])).status_code == 404
