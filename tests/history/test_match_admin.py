"""Matches in the administration: deals, moves, money and cancelling."""

import pytest
from django.urls import reverse

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from history.desk.match_admin import describe_event
from tables.models import MatchStatus
from tests.accounts.staff import member, office
from tests.given import reload, require
from tests.tables.driving import WELCOME, begin_match, chips_of, play_short_match
from tests.tables.pools import FEE, pot_of
from wallet.models import LedgerAccount

pytestmark = pytest.mark.django_db
LIST = "/admin/tables/match/"


@pytest.fixture
def played(players, make_table):
    return play_short_match(make_table(), *players[:2]), players[:2]


def test_the_pages_of_a_match_tell_deals_moves_and_money_in_words(played):
    match, players = played
    boss = office(member(Role.SUPERUSER))
    page = boss.get(f"{LIST}{match.pk}/change/").text
    deal = reverse("admin:tables_match_deal", args=[match.pk, 1])
    assert f'href="{deal}"' in page
    money = page.split('data-region="money"')[1]
    account = LedgerAccount.objects.get(kind="POT", owner_id=match.pk)
    assert reverse("admin:wallet_ledgeraccount_change", args=[account.pk]) in money
    for words in ("STAKE", "RAKE", "WINNINGS", f"match:{match.pk}:settle"):
        assert words in money
    outcome = page.split('data-region="outcome"')[1].split("</div>")[0]
    # R7.2: a first drop costs 20 points of one chip, a tenth of it is the fee.
    for words in ("+18 chips", "\N{MINUS SIGN}20 chips", "Service fee: 2 chips"):
        assert words in outcome
    for player in players:
        assert f"/admin/accounts/user/{player.pk}/change/" in outcome
    assert "First drop: 20" in page
    assert "chips_per_deal" not in page
    moves = boss.get(deal).text
    assert "kind" not in moves.split('data-region="steps"')[1].split("</table>")[0]
    (loser,) = (seat for seat, won in require(match.settlement)["amounts"].items() if won < 0)
    assert f"{match.players[loser]['name']} dropped for 20 points." in moves
    assert f"/matches/{match.pk}/deals/1/" in moves


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"kind": "drawn", "seat": 0, "source": "open", "card": "7H.1"}, "Asha took the 7H."),
        ({"kind": "drawn", "seat": 1, "source": "closed"}, "Ravi drew."),
        ({"kind": "declared", "seat": 0, "valid": False}, "Asha was wrong."),
        ({"kind": "deal_over", "winners": [0, 1], "points": {}}, "Goes to Asha, Ravi."),
        ({"kind": "turn", "seat": 0, "due_at": 5}, ""),
        ({"kind": "new", "seat": 0, "cards": ["7H.0", "10S.1"]}, "new seat 0 cards 7H, 10S"),
    ],
)
def test_events_are_described_in_words(event, said):
    texts = {
        "event_drawn_open": "{name} took the {card}.",
        "event_drawn_closed": "{name} drew.",
        "event_declared": "{name} was right.",
        "event_declared_wrong": "{name} was wrong.",
        "event_deal_over": "Goes to {names}.",
    }
    assert describe_event(event, texts=texts, names={"0": "Asha", "1": "Ravi"}) == said


def test_staff_see_no_cards_of_a_running_deal(players, make_table):
    match = begin_match(make_table(), *players[:2])
    boss = office(member(Role.SUPERUSER))
    page = boss.get(f"{LIST}{match.pk}/change/").text
    assert "No deal is over yet." in page
    assert boss.get(reverse("admin:tables_match_deal", args=[match.pk, 1])).status_code == 404
    for seat in ("0", "1"):
        hand = require(match.changes.exclude(private={}).first()).private[seat]["hand"]
        assert len(hand) == 13
        assert not any(card in page for card in hand)


def test_staff_find_matches_by_number_and_player(played, make_player):
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
def test_staff_see_moves_and_cancel_matches_by_role(
    players, make_table, role, may_see_moves, may_void
):
    match = begin_match(make_table(preset="pool101", entry_fee=FEE), *players[:2])
    client = office(member(role))
    assert client.get(f"{LIST}{match.pk}/change/").status_code == 200
    moves = client.get(reverse("admin:tables_match_deal", args=[match.pk, 1]))
    assert moves.status_code == (404 if may_see_moves else 403)
    address = reverse("admin:tables_match_decide", args=[match.pk])
    client.post(address, {"decision": "cancel", "reason": " "})
    assert reload(match).status == MatchStatus.RUNNING
    answer = client.post(address, {"decision": "cancel", "reason": "The server was down."})
    if not may_void:
        assert answer.status_code == 403
        assert (reload(match).status, pot_of(match)) == (MatchStatus.RUNNING, 2 * FEE)
        assert not AuditEntry.objects.exists()
        return
    assert (reload(match).status, pot_of(match)) == (MatchStatus.CANCELLED, 0)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_type) == ("cancel", "tables.match")
    assert (entry.object_id, entry.reason) == (str(match.pk), "The server was down.")
    assert (entry.before["status"], entry.after["status"]) == ("RUNNING", "CANCELLED")
    assert [chips_of(player) for player in players[:2]] == [WELCOME - FEE] * 2
