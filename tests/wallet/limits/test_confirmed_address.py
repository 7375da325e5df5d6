"""Play before the e-mail address is confirmed: chips are allowed, cash is not."""

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from core.emails.sending import awaits_confirmation, write_email
from core.models import OutgoingEmail
from tests.refusals import refused
from tests.wallet.cash_players import make_player
from tests.wallet.seats import INR, buy_in
from wallet import api as wallet
from wallet.deposits.services import start_deposit
from wallet.ledger.balances import get_player_balances
from wallet.models import Deposit
from wallet.refusals import ADDRESS_NOT_CONFIRMED
from wallet.withdrawals.requesting import quote_withdrawal

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha():
    user = make_player()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    wallet.grant_welcome_chips(user_id=user.pk)
    return user


def confirm(user):
    EmailAddress.objects.filter(user=user).update(verified=True)


def test_an_unconfirmed_player_brings_chips_to_a_seat_but_no_cash(asha):
    with refused(ADDRESS_NOT_CONFIRMED):
        buy_in(asha.pk, 100, currency=INR)
    assert get_player_balances(asha.pk).chips == 10_000
    buy_in(asha.pk, 100)
    assert get_player_balances(asha.pk).chips == 9_900


def test_a_deposit_begins_once_the_address_is_confirmed(asha):
    with refused(ADDRESS_NOT_CONFIRMED):
        start_deposit(user_id=asha.pk, amount=25_000)
    assert not Deposit.objects.exists()
    confirm(asha)
    assert start_deposit(user_id=asha.pk, amount=25_000).amount == 25_000


def test_an_unconfirmed_player_gets_no_quote_for_a_withdrawal(asha):
    with refused(ADDRESS_NOT_CONFIRMED):
        quote_withdrawal(user_id=asha.pk, amount=100_00, now=timezone.now())


def test_one_confirmed_address_is_enough_and_none_at_all_awaits_nothing(asha):
    assert awaits_confirmation(asha.pk)
    EmailAddress.objects.create(user=asha, email="other@example.com", verified=True)
    assert not awaits_confirmation(asha.pk)
    assert not awaits_confirmation(make_player("Bela").pk)


def test_an_unconfirmed_address_is_not_written_to(asha):
    """The address may belong to a stranger."""
    write_email(user_id=asha.pk, kind="account", subject="x", text="y")
    assert not OutgoingEmail.objects.exists()
    confirm(asha)
    write_email(user_id=asha.pk, kind="account", subject="x", text="y")
    assert OutgoingEmail.objects.get().user == asha
