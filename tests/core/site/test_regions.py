"""Players' regions: players state theirs before they play for cash, and its law applies."""

from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.identity.regions import state_region
from accounts.models import IdentityCheck, Residence, User
from accounts.refusals import REGION_IS_STATED
from core.models import AuditEntry, Region
from core.site.content import refresh_site, site
from tests.accounts.staff import member, office
from tests.given import reload
from tests.refusals import refused
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    make_player,
    make_staff,
    may_withdraw,
    read_cash,
)
from tests.wallet.seats import INR, buy_in
from tests.wallet.withdrawals.asking import ask
from wallet import api as wallet
from wallet.deposits.services import start_deposit
from wallet.models import Deposit
from wallet.refusals import (
    AGE_NOT_PROVEN,
    REGION_REFUSES_CASH,
    TOO_YOUNG_FOR_CASH,
    RegionNotStated,
)

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


def play_for_cash(user):
    """Begin a deposit, and buy in for 100 rupees from an earlier one."""
    start_deposit(user_id=user.pk, amount=25_000)
    buy_in(user.pk, 10_000, currency=INR)
    assert read_cash(user).deposit == 40_000


def expect_refused(user, refusal):
    with refused(refusal):
        start_deposit(user_id=user.pk, amount=25_000)
    with refused(refusal):
        buy_in(user.pk, 10_000, currency=INR)
    assert Deposit.objects.filter(state="WAITING").count() == 0
    assert read_cash(user).deposit == 50_000


class TestCash:
    def test_cash_needs_no_residence_without_region_rules(self, asha):
        refresh_site()
        play_for_cash(asha)

    def test_cash_waits_for_the_players_residence(self, asha, goa):
        refresh_site()
        expect_refused(asha, RegionNotStated)
        lives_in(asha, goa)
        play_for_cash(asha)

    def test_a_region_refuses_cash_and_allows_chips(self, asha, sikkim):
        lives_in(asha, sikkim)
        expect_refused(asha, REGION_REFUSES_CASH)
        wallet.grant_welcome_chips(user_id=asha.pk)
        buy_in(asha.pk, 100)

    def test_cash_waits_for_proof_of_a_regions_higher_age(self, asha, nagaland):
        lives_in(asha, nagaland)
        expect_refused(asha, AGE_NOT_PROVEN)
        approve_identity(asha, make_staff("Boss"))
        today = timezone.localdate()
        almost = date(today.year - 21, today.month, 1) + timedelta(days=40)
        IdentityCheck.objects.update(born_on=almost)
        expect_refused(asha, TOO_YOUNG_FOR_CASH)
        IdentityCheck.objects.update(born_on=date(today.year - 22, 1, 1))
        start_deposit(user_id=asha.pk, amount=25_000)

    def test_winnings_are_paid_out_everywhere(self, asha, sikkim):
        may_withdraw(asha, make_staff("Boss"))
        lives_in(asha, sikkim)
        assert ask(asha, 100_000).state == "REQUESTED"


class TestPage:
    def test_the_residence_page_precedes_the_first_deposit(self, client, asha, goa):
        refresh_site()
        client.force_login(asha)
        asked = client.post("/wallet/deposits/", {"amount": "250"})
        assert asked.url == "/accounts/region/?next=%2Fwallet%2Fdeposits%2F"
        page = client.get(asked.url).text
        assert f'<option value="{goa.pk}">Goa</option>' in page
        nothing = client.post("/accounts/region/", {"region": "0", "next": "/wallet/deposits/"})
        assert nothing.status_code == 200
        assert not Residence.objects.exists()
        chosen = {"region": str(goa.pk), "next": "/wallet/deposits/"}
        done = client.post("/accounts/region/", chosen)
        assert done.url == "/wallet/deposits/"
        assert client.post("/wallet/deposits/", {"amount": "250"}).status_code == 302
        assert "Goa" in client.get("/accounts/region/").text

    def test_a_player_states_their_residence_once(self, client, asha, goa, sikkim):
        lives_in(asha, sikkim)
        client.force_login(asha)
        client.post("/accounts/region/", {"region": str(goa.pk), "next": "https://evil.example/"})
        assert Residence.objects.get().region == sikkim
        with refused(REGION_IS_STATED):
            state_region(user_id=asha.pk, region_id=goa.pk)
        assert "The law there does not allow play for cash" in client.get("/accounts/region/").text

    def test_the_residence_page_is_in_the_readers_language(self, client, asha, goa):
        refresh_site()
        client.force_login(asha)
        page = client.get("/accounts/region/", headers={"Accept-Language": "hi"}).text
        assert ">गोवा</option>" in page

    def test_the_residence_page_is_absent_without_region_rules(self, client, asha):
        refresh_site()
        client.force_login(asha)
        assert client.get("/accounts/region/").status_code == 404


class TestStaff:
    def test_staff_correct_a_residence_with_a_reason(self, asha, goa, sikkim):
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
    def test_a_region_refused_by_staff_is_refused_at_once(self, asha, goa):
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
        assert not reload(goa).cash_is_refused
        assert finance.post(page, sent).status_code == 302
        expect_refused(asha, REGION_REFUSES_CASH)

    def test_regions_begin_with_the_states_of_india(self, capsys):
        call_command("starting_regions")
        call_command("starting_regions")
        assert "36 regions were added" in capsys.readouterr().out
        assert Region.objects.count() == 36
        assert not Region.objects.filter(cash_is_refused=True).exists()


def test_the_residence_is_part_of_the_players_data(asha, goa):
    from config.account_data.export import export_account_data  # noqa: PLC0415 - far above

    lives_in(asha, goa)
    assert '"region__code": "IN-GA"' in export_account_data(asha.pk).decode()
    assert site().asks_region
    assert User.objects.filter(residences__region=goa).get() == asha
