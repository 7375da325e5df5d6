"""Regions of players: asked for before cash, and the law there."""

from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.identity.regions import state_region
from accounts.models import IdentityCheck, Residence, User
from accounts.refusals import RegionIsStated
from core.models import AuditEntry, Region
from core.site.content import refresh_site, site
from tests.accounts.staff import member, office
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_player,
    make_staff,
    set_rules,
)
from wallet import api as wallet
from wallet.deposits.services import start_deposit
from wallet.ledger.balances import get_player_balances
from wallet.models import Deposit
from wallet.money import Currency
from wallet.refusals import (
    AgeNotProven,
    RegionNotStated,
    RegionRefusesCash,
    TooYoungForCash,
)
from wallet.withdrawals.requesting import WithdrawalRequest, quote_withdrawal, request_withdrawal

pytestmark = pytest.mark.django_db


@pytest.fixture
def goa():
    return Region.objects.create(code="IN-GA", name="Goa", words={"hi": {"name": "गोवा"}})


@pytest.fixture
def sikkim():
    return Region.objects.create(code="IN-SK", name="Sikkim", cash_is_refused=True)


@pytest.fixture
def nagaland():
    return Region.objects.create(code="IN-NL", name="Nagaland", least_age=21)


@pytest.fixture
def asha():
    player = make_player()
    bring_deposit(player, 50_000)
    return player


def lives_in(user, region):
    refresh_site()
    return state_region(user_id=user.pk, region_id=region.pk)


def buy_in(user, currency=Currency.INR, amount=10_000):
    return wallet.buy_in(
        user_id=user.pk, seat_id=7, amount=amount, currency=currency, key=f"in:{user.pk}"
    )


def refuses(user, refusal, ledger_before=50_000):
    with pytest.raises(refusal):
        start_deposit(user_id=user.pk, amount=25_000)
    with pytest.raises(refusal):
        buy_in(user)
    assert Deposit.objects.filter(state="WAITING").count() == 0
    assert get_player_balances(user.pk).cash.deposit == ledger_before


class TestCash:
    def test_is_played_for_without_a_question_where_no_region_has_a_rule(self, asha):
        refresh_site()
        start_deposit(user_id=asha.pk, amount=25_000)
        buy_in(asha)
        assert get_player_balances(asha.pk).cash.deposit == 40_000

    def test_waits_until_a_player_has_said_where_they_live(self, asha, goa):
        refresh_site()
        refuses(asha, RegionNotStated)
        lives_in(asha, goa)
        start_deposit(user_id=asha.pk, amount=25_000)
        buy_in(asha)
        assert get_player_balances(asha.pk).cash.deposit == 40_000

    def test_is_refused_where_the_law_refuses_it_and_chips_are_not(self, asha, sikkim):
        lives_in(asha, sikkim)
        refuses(asha, RegionRefusesCash)
        wallet.grant_welcome_chips(user_id=asha.pk)
        buy_in(asha, Currency.CHIPS, 100)

    def test_waits_for_a_proven_age_where_more_than_the_sites_is_asked(self, asha, nagaland):
        lives_in(asha, nagaland)
        refuses(asha, AgeNotProven)
        boss = make_staff("Boss")
        approve_identity(asha, boss)
        today = timezone.localdate()
        almost = date(today.year - 21, today.month, 1) + timedelta(days=40)
        IdentityCheck.objects.update(born_on=almost)
        refuses(asha, TooYoungForCash)
        IdentityCheck.objects.update(born_on=date(today.year - 22, 1, 1))
        start_deposit(user_id=asha.pk, amount=25_000)

    def test_winnings_are_paid_out_everywhere(self, asha, sikkim):
        boss = make_staff("Boss")
        set_rules()
        approve_identity(asha, boss)
        bring_winnings(asha, 200_000)
        lives_in(asha, sikkim)
        wanted = WithdrawalRequest("w1", 100_000, 85_000, "asha@upi")
        quote = quote_withdrawal(user_id=asha.pk, amount=100_000, now=timezone.now())
        wanted = WithdrawalRequest("w1", 100_000, quote.taxed.net, "asha@upi")
        asked = request_withdrawal(user_id=asha.pk, wanted=wanted, now=timezone.now())
        assert asked.state == "REQUESTED"


class TestPage:
    def test_comes_before_the_first_deposit_and_leads_on(self, client, asha, goa):
        refresh_site()
        client.force_login(asha)
        asked = client.post("/wallet/deposits/", {"amount": "250"})
        assert asked.url == "/accounts/region/?next=%2Fwallet%2Fdeposits%2F"
        page = client.get(asked.url).text
        assert f'<option value="{goa.pk}">Goa</option>' in page
        nothing = client.post("/accounts/region/", {"region": "0", "next": "/wallet/deposits/"})
        assert nothing.status_code == 200
        assert not Residence.objects.exists()
        done = client.post(
            "/accounts/region/", {"region": str(goa.pk), "next": "/wallet/deposits/"}
        )
        assert done.url == "/wallet/deposits/"
        assert client.post("/wallet/deposits/", {"amount": "250"}).status_code == 302
        assert "Goa" in client.get("/accounts/region/").text

    def test_takes_the_players_word_once(self, client, asha, goa, sikkim):
        lives_in(asha, sikkim)
        client.force_login(asha)
        client.post("/accounts/region/", {"region": str(goa.pk), "next": "https://evil.example/"})
        assert Residence.objects.get().region == sikkim
        with pytest.raises(RegionIsStated):
            state_region(user_id=asha.pk, region_id=goa.pk)
        assert "Nobody plays for cash there" in client.get("/accounts/region/").text

    def test_is_in_the_readers_language(self, client, asha, goa):
        refresh_site()
        client.force_login(asha)
        page = client.get("/accounts/region/", headers={"Accept-Language": "hi"}).text
        assert ">गोवा</option>" in page

    def test_is_not_there_where_nobody_is_asked(self, client, asha):
        refresh_site()
        client.force_login(asha)
        assert client.get("/accounts/region/").status_code == 404


class TestStaff:
    def test_correct_a_residence_with_a_reason(self, asha, goa, sikkim):
        lives_in(asha, sikkim)
        support = office(member(Role.SUPPORT))
        page = "/admin/accounts/residence/add/"
        sent = {"user": asha.pk, "region": goa.pk}
        assert support.post(page, sent).status_code == 200
        assert Residence.objects.count() == 1
        moved = {**sent, "reason_for_audit": "Moved, has shown a bill."}
        assert support.post(page, moved).status_code == 302
        newest = Residence.objects.latest("pk")
        assert newest.region == goa
        assert str(newest.stated_by) == "Staff support"
        assert AuditEntry.objects.get().reason == "Moved, has shown a bill."
        start_deposit(user_id=asha.pk, amount=25_000)
        assert support.get(f"/admin/accounts/residence/{newest.pk}/delete/").status_code == 403

    @pytest.mark.django_db(transaction=True)
    def test_write_down_where_cash_is_refused_and_it_counts_at_once(self, asha, goa):
        lives_in(asha, goa)
        finance = office(member(Role.FINANCE))
        page = f"/admin/core/region/{goa.pk}/change/"
        sent = {
            "code": "IN-GA",
            "name": "Goa",
            "cash_is_refused": "on",
            "least_age": "18",
            "reason_for_audit": "The law of March.",
        }
        for wrong in ({"code": "Goa"}, {"least_age": "17"}, {"reason_for_audit": ""}):
            assert finance.post(page, {**sent, **wrong}).status_code == 200
        goa.refresh_from_db()
        assert not goa.cash_is_refused
        assert finance.post(page, sent).status_code == 302
        refuses(asha, RegionRefusesCash)

    def test_begin_with_the_states_of_india(self, capsys):
        call_command("starting_regions")
        call_command("starting_regions")
        assert "36 regions were added" in capsys.readouterr().out
        assert Region.objects.count() == 36
        assert not Region.objects.filter(cash_is_refused=True).exists()


def test_the_players_own_word_is_among_their_data(asha, goa):
    from config.account_data.export import export_account_data  # noqa: PLC0415 - far above

    lives_in(asha, goa)
    assert '"region__code": "IN-GA"' in export_account_data(asha.pk).decode()
    assert site().asks_region
    assert User.objects.filter(residences__region=goa).get() == asha
