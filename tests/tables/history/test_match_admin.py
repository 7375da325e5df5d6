"""Matches in the administration: deals, moves, money, and the void with its refund."""

import pytest
from django.urls import reverse

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from tables.history.match_admin import describe_event
from tables.models import Match, MatchStatus
from tests.accounts.staff import member, office
from tests.given import reload, require
from tests.tables.driving import chips_of, drop, let_time_pass, seat_all, start_match
from wallet.ledger.balances import balance
from wallet.ledger.chart import pot
from wallet.models import LedgerAccount
from wallet.money import Currency

pytestmark = pytest.mark.django_db
FEE = 100
LIST = "/admin/tables/match/"


@pytest.fixture
def played(make_player, make_table):
    players = [make_player(), make_player()]
    table = start_match(make_table(), *players)
    let_time_pass(table)
    drop(table)
    return Match.objects.get(table=table), players


def test_deals_moves_and_money_of_a_match(played):
    match, _players = played
    boss = office(member(Role.SUPERUSER))
    page = boss.get(f"{LIST}{match.pk}/change/").text
    deal = reverse("admin:tables_match_deal", args=[match.pk, 1])
    assert f'href="{deal}"' in page
    money = page.split('data-region="money"')[1]
    account = LedgerAccount.objects.get(kind="POT", owner_id=match.pk)
    assert reverse("admin:wallet_ledgeraccount_change", args=[account.pk]) in money
    for words in ("STAKE", "RAKE", "WINNINGS", f"match:{match.pk}:settle"):
        assert words in money
    moves = boss.get(deal).text
    assert "kind" not in moves.split('data-region="steps"')[1].split("</table>")[0]
    assert "drop" in moves
    assert f"/matches/{match.pk}/deals/1/" in moves


def test_the_outcome_the_rules_and_the_moves_are_words(played):
    match, players = played
    boss = office(member(Role.SUPERUSER))
    page = boss.get(f"{LIST}{match.pk}/change/").text
    outcome = page.split('data-region="outcome"')[1].split("</div>")[0]
    # R7.2: a first drop costs 20 points of one chip, a tenth of it is the fee.
    for words in ("+18 chips", "\N{MINUS SIGN}20 chips", "Service fee: 2 chips"):
        assert words in outcome
    for player in players:
        assert f"/admin/accounts/user/{player.pk}/change/" in outcome
    assert "First drop: 20" in page
    assert "chips_per_deal" not in page
    deal = boss.get(reverse("admin:tables_match_deal", args=[match.pk, 1])).text
    (loser,) = (seat for seat, won in require(match.settlement)["amounts"].items() if won < 0)
    assert f"{match.players[loser]['name']} dropped for 20 points." in deal


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"kind": "drawn", "seat": 0, "source": "open", "card": "7H.1"}, "Asha took the 7H."),
        ({"kind": "drawn", "seat": 1, "source": "closed"}, "Ravi drew."),
        ({"kind": "declared", "seat": 0, "valid": False}, "Asha was wrong."),
        ({"kind": "deal_over", "winners": [0, 1], "points": {}}, "Goes to Asha, Ravi."),
        ({"kind": "turn", "seat": 0, "due_at": 5}, ""),
        (
            {"kind": "new_thing", "seat": 0, "cards": ["7H.0", "10S.1"]},
            "new_thing seat 0 cards 7H, 10S",
        ),
    ],
)
def test_events_in_words(event, said):
    texts = {
        "event_drawn_open": "{name} took the {card}.",
        "event_drawn_closed": "{name} drew.",
        "event_declared": "{name} was right.",
        "event_declared_wrong": "{name} was wrong.",
        "event_deal_over": "Goes to {names}.",
    }
    assert describe_event(event, texts=texts, names={"0": "Asha", "1": "Ravi"}) == said


def test_nobody_sees_the_cards_of_a_deal_that_is_being_played(make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    match = Match.objects.get(table=table)
    boss = office(member(Role.SUPERUSER))
    page = boss.get(f"{LIST}{match.pk}/change/").text
    assert "No deal is over yet." in page
    assert boss.get(reverse("admin:tables_match_deal", args=[match.pk, 1])).status_code == 404
    for seat in ("0", "1"):
        hand = require(match.changes.exclude(private={}).first()).private[seat]["hand"]
        assert len(hand) == 13
        assert not any(card in page for card in hand)


def test_matches_are_found_by_number_and_by_player(played, make_player):
    match, players = played
    desk = office(member(Role.SUPPORT))
    for words in (str(match.pk), players[0].player_name.upper(), players[1].email):
        assert f"{LIST}{match.pk}/change/" in desk.get(LIST, {"q": words}).text
    for words in (make_player().player_name, "nobody", "9" * 30):
        assert f"{LIST}{match.pk}/change/" not in desk.get(LIST, {"q": words}).text


@pytest.mark.parametrize(
    ("role", "may_see_moves", "may_void"),
    [(Role.SUPPORT, True, False), (Role.FINANCE, False, False), (Role.GAMES, True, True)],
)
def test_who_may_do_what(make_player, make_table, role, may_see_moves, may_void):
    players = [make_player(), make_player()]
    table = make_table(preset="pool101", entry_fee=FEE)
    seat_all(table, *players, amount=FEE)
    let_time_pass(table)
    match = Match.objects.get(table=table)
    client = office(member(role))
    assert client.get(f"{LIST}{match.pk}/change/").status_code == 200
    moves = client.get(reverse("admin:tables_match_deal", args=[match.pk, 1]))
    assert moves.status_code == (404 if may_see_moves else 403)
    address = reverse("admin:tables_match_decide", args=[match.pk])
    answer = client.post(address, {"decision": "cancel", "reason": "The server was down."})
    the_pot = balance(pot(reload(match).pk, Currency.CHIPS))
    if not may_void:
        assert answer.status_code == 403
        assert (match.status, the_pot) == (MatchStatus.RUNNING, 2 * FEE)
        assert not AuditEntry.objects.exists()
        return
    assert (match.status, the_pot) == (MatchStatus.CANCELLED, 0)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_type, entry.object_id) == (
        "cancel",
        "tables.match",
        str(match.pk),
    )
    assert (entry.before["status"], entry.after["status"]) == ("RUNNING", "CANCELLED")
    assert entry.reason == "The server was down."
    assert [chips_of(player) for player in players] == [10_000 - FEE] * 2
