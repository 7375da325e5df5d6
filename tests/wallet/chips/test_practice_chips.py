from datetime import date

import pytest

from accounts.models import User
from tests.wallet.rawsql import nothing_moves
from wallet import api as wallet
from wallet.chips.services import may_reload_chips, reload_chips
from wallet.ledger.balances import balance
from wallet.ledger.chart import Line, house, player
from wallet.ledger.posting import post_transfers
from wallet.models import Reason
from wallet.money import Currency
from wallet.refusals import PracticeChipsNotYet

CHIPS = Currency.CHIPS
TODAY = date(2026, 3, 1)
BUTTON = "Get practice chips"


@pytest.fixture(autouse=True)
def _settings(settings):
    settings.WELCOME_CHIPS = 10_000
    settings.PRACTICE_CHIPS = 5_000
    settings.PRACTICE_CHIPS_BELOW = 1_000


def lose(user_id, amount):
    line = Line(player(user_id, CHIPS), house(CHIPS), amount, Reason.ADJUSTMENT)
    post_transfers(key=f"lose:{user_id}:{amount}", lines=[line])


def chips(user_id):
    return balance(player(user_id, CHIPS))


@pytest.mark.django_db
def test_a_player_short_of_chips_gets_more_once_a_day(ledger):
    wallet.grant_welcome_chips(user_id=5)
    lose(5, 9_001)
    assert may_reload_chips(user_id=5, today=TODAY)
    assert reload_chips(user_id=5, today=TODAY) == 5_000
    assert chips(5) == 5_999
    lose(5, 5_999)
    before = ledger()
    assert not may_reload_chips(user_id=5, today=TODAY)
    with pytest.raises(PracticeChipsNotYet) as refusal:
        reload_chips(user_id=5, today=TODAY)
    assert refusal.value.code == "practice_chips_not_yet"
    assert ledger() == before
    assert reload_chips(user_id=5, today=date(2026, 3, 2)) == 5_000


@pytest.mark.django_db
def test_a_player_with_enough_gets_none():
    wallet.grant_welcome_chips(user_id=5)
    lose(5, 9_000)
    with nothing_moves(PracticeChipsNotYet):
        reload_chips(user_id=5, today=TODAY)


@pytest.mark.django_db
def test_the_wallet_page_offers_them(client):
    user = User.objects.create_user("asha@example.com", player_name="Asha")
    client.force_login(user)
    assert BUTTON in client.get("/wallet/").text
    page = client.post("/wallet/chips/", follow=True).text
    assert "You got 5,000 practice chips." in page
    assert BUTTON not in page
    page = client.post("/wallet/chips/", follow=True).text
    assert "once a day" in page
    assert chips(user.pk) == 5_000


@pytest.mark.django_db
def test_taking_them_is_for_players_and_no_link(client, ledger):
    before = ledger()
    assert client.post("/wallet/chips/").url == "/accounts/login/?next=/wallet/chips/"
    client.force_login(User.objects.create_user("asha@example.com", player_name="Asha"))
    assert client.get("/wallet/chips/").status_code == 405
    assert ledger() == before
