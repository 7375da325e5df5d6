"""Staff give chips to a player or take them, with a reason. Accounts that staff create get welcome chips."""

import re

import pytest
from django.urls import reverse

from accounts.desk.staff_roles import Role
from accounts.models import User
from core.models.audit import AuditEntry
from tests.accounts.staff import member, office
from tests.api_program import person
from tests.wallet.cash_players import make_staff
from tests.wallet.rawsql import snapshot
from wallet.ledger.balances import get_player_balances

pytestmark = pytest.mark.django_db


@pytest.fixture
def ravi(settings):
    settings.WELCOME_CHIPS = 1_000
    return person("Ravi")


def page_of(player):
    return reverse("admin:player_chips", args=[player.pk])


def send(desk, player, **changes):
    form = {"reference": "r1", "act": "give", "amount": "500", "reason": "A prize of the evening."}
    return desk.post(page_of(player), {**form, **changes}, follow=True)


def test_chips_are_given_once_and_audited_with_the_reason(ravi):
    desk = office(member(Role.FINANCE))
    change = reverse("admin:accounts_user_change", args=[ravi.pk])
    assert page_of(ravi) in desk.get(change).text
    assert "Ravi has 1,000 chips" in desk.get(page_of(ravi)).text
    answer = send(desk, ravi)
    assert "Ravi gets 500 chips." in answer.text
    assert answer.redirect_chain[-1][0] == change
    send(desk, ravi)  # submitting the same form again changes nothing
    assert get_player_balances(ravi.pk).chips == 1_500
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_type) == ("give_chips", "accounts.user")
    assert entry.object_id == str(ravi.pk)
    assert (entry.before, entry.after) == ({"chips": 1_000}, {"chips": 1_500})
    assert (entry.staff_name, entry.reason) == ("Staff finance", "A prize of the evening.")


def test_taken_chips_are_shown_in_the_players_wallet(ravi):
    answer = send(office(member(Role.FINANCE)), ravi, act="take", amount="1000")
    assert "1,000 chips are taken from Ravi." in answer.text
    assert get_player_balances(ravi.pk).chips == 0
    assert AuditEntry.objects.get().after == {"chips": 0}
    assert "Adjustment by the house" in office(ravi).get("/wallet/").text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"act": "take", "amount": "1001"}, "This player has 1,000 free chips."),
        ({"amount": "0"}, "Enter 1 or more."),
        ({"amount": "-5"}, "Enter an amount in digits"),
        ({"amount": "1.5"}, "Chips are whole"),
        ({"amount": "10000001"}, "Enter 10,000,000 or less."),
        ({"reason": " "}, "This field is required."),
        ({"act": "burn"}, "Select a valid choice."),
    ],
)
def test_a_refused_gift_is_explained_and_moves_nothing(ravi, changes, words):
    desk, before = office(member(Role.FINANCE)), snapshot()
    assert words in send(desk, ravi, **changes).text.replace("10000000", "10,000,000")
    assert snapshot() == before
    assert not AuditEntry.objects.exists()


def test_only_finance_gives_chips_and_only_to_other_open_players(ravi):
    before = snapshot()
    for role in (Role.SUPPORT, Role.GAMES):
        desk = office(member(role))
        change = reverse("admin:accounts_user_change", args=[ravi.pk])
        assert page_of(ravi) not in desk.get(change).text
        assert send(desk, ravi).status_code == 403
    boss = make_staff("Boss")
    assert "You cannot give chips to yourself" in send(office(boss), boss).text
    bot = User.objects.create_user("bot@example.com", player_name="Bot Meera", is_bot=True)
    assert send(office(boss), bot).status_code == 404
    User.objects.filter(pk=ravi.pk).update(closed_at="2026-01-01T00:00:00Z", is_active=False)
    assert "This account is closed." in send(office(boss), ravi).text
    assert snapshot() == before
    assert not AuditEntry.objects.exists()


def test_a_player_created_by_staff_has_the_welcome_chips(settings):
    settings.WELCOME_CHIPS, settings.WELCOMES_OF_A_DEVICE = 1_000, 1
    desk = office(make_staff("Boss"))
    for name in ("Asha", "Nila"):  # from the same browser
        form = {
            "email": f"{name}@example.com",
            "player_name": name,
            "usable_password": "false",
            "reason_for_audit": "A member of the club.",
        }
        answer = desk.post(reverse("admin:accounts_user_add"), form)
        assert answer.status_code == 302, re.findall(r"errorlist.*", answer.text)
        assert get_player_balances(User.objects.get(player_name=name).pk).chips == 1_000
