import re
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts.desk.staff_roles import Role
from tests.accounts.staff import member, office
from tests.given import reload
from tests.wallet.fees.schedules import JANUARY, MARCH, MAY, PAST, fee, read_preview, schedule
from wallet.api import set_starting_fees
from wallet.fees.formats import list_charged_formats
from wallet.fees.selectors import FeeTerms
from wallet.models import FeeSchedule
from wallet.money import Currency
from wallet.refusals import NoFeeSchedule

pytestmark = pytest.mark.django_db


def test_the_fee_of_a_stake_at_a_time():
    low = schedule()
    high = schedule(stake_from=100, stake_to=None, rake_bps=500, rake_cap=70)
    later = schedule(valid_from=MAY, valid_until=None, rake_bps=900)
    assert fee(10) == fee(99) == FeeTerms(low.pk, 1_000, None)
    assert fee(100) == fee(10**12) == FeeTerms(high.pk, 500, 70)
    assert fee(10, at=MAY) == FeeTerms(later.pk, 900, None)
    unknowns: list[dict[str, Any]] = [
        {"stake": 9},
        {"stake": 100, "at": MAY},
        {"stake": 10, "at": datetime(2026, 12, 31, tzinfo=UTC)},
        {"stake": 10, "format": "POOL"},
        {"stake": 10, "currency": Currency.INR},
    ]
    for unknown in unknowns:
        with pytest.raises(NoFeeSchedule):
            fee(**unknown)


OVERLAPS = [
    {},
    {"stake_from": 99, "stake_to": None},
    {"stake_from": 0, "stake_to": 10},
    {"valid_from": MARCH, "valid_until": None},
    {"valid_from": datetime(2026, 1, 1, tzinfo=UTC), "valid_until": None},
]
NEIGHBOURS = [
    {"stake_from": 100, "stake_to": None},
    {"stake_from": 0, "stake_to": 9},
    {"valid_from": MAY, "valid_until": None},
    {"format": "POOL"},
    {"currency": Currency.INR},
]


@pytest.mark.parametrize("changes", OVERLAPS)
def test_the_database_refuses_overlaps(changes):
    first = schedule()
    with (
        pytest.raises(IntegrityError, match="wallet_fee_schedule_rows_do_not_overlap"),
        transaction.atomic(),
    ):
        schedule(**changes)
    assert FeeSchedule.objects.get() == first


@pytest.mark.parametrize("changes", NEIGHBOURS)
def test_adjacent_schedules_are_accepted(changes):
    schedule()
    schedule(**changes).full_clean()
    assert FeeSchedule.objects.count() == 2


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"stake_to": 9}, "stakes_are_a_range"),
        ({"stake_from": -1}, "stakes_are_a_range"),
        ({"rake_bps": 10_001}, "rake_is_a_share"),
        ({"rake_bps": -1}, "rake_is_a_share"),
        ({"rake_cap": -1}, "cap_is_not_negative"),
        ({"valid_until": JANUARY}, "ends_after_it_begins"),
    ],
)
def test_the_database_refuses_senseless_rows(changes, constraint):
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        schedule(**changes)
    assert not FeeSchedule.objects.exists()


class TestAdmin:
    @pytest.fixture(autouse=True)
    def _signed_in(self, client, boss):
        client.force_login(boss)

    FORM: ClassVar = {
        "format": "indian:POINTS",
        "currency": "CHIPS",
        "stake_from": "10",
        "rake_bps": "10",
        "valid_from_0": "2027-02-01",
        "valid_from_1": "00:00",
        "reason_for_audit": "A new price.",
    }

    def add(self, client, **changes):
        return client.post(reverse("admin:wallet_feeschedule_add"), {**self.FORM, **changes})

    def test_a_row_is_added(self, client):
        assert self.add(client).status_code == 302
        row = FeeSchedule.objects.get()
        assert (row.format, row.rake_bps) == ("POINTS", 1_000)
        assert (row.stake_from, row.stake_to) == (10, None)

    @pytest.mark.parametrize("page", ["add", "preview"])
    def test_each_format_of_each_game_is_a_choice_under_its_own_name(self, client, page):
        shown = client.get(reverse(f"admin:wallet_feeschedule_{page}")).text
        chosen = shown.partition('name="format"')[2].partition("</select>")[0]
        titles = dict(re.findall(r'value="([^"]+)"[^>]*>([^<]+)<', chosen))
        assert set(titles) == {f"{one.game}:{one.format}" for one in list_charged_formats()}
        assert len(set(titles.values())) == len(titles)
        assert titles["indian:POINTS"] == "Indian rummy · Points"
        assert titles["indian:DEALS"] == "Indian rummy · Deals"
        assert titles["rummikub:DEALS"] == "Rummikub · Rummikub session"

    @pytest.mark.parametrize("format", ["POINTS", "indian:GAME", "chess:POINTS", ""])
    def test_an_unknown_format_is_refused(self, client, format):
        answer = self.add(client, format=format)
        assert answer.context["adminform"].form.errors.keys() == {"format"}
        assert not FeeSchedule.objects.exists()

    def test_the_page_of_a_fee_names_it_in_words(self, client):
        row = schedule(stake_from=1, stake_to=None)
        page = client.get(reverse("admin:wallet_feeschedule_change", args=[row.pk]))
        assert page.text.count("Indian rummy · Points, from 1 chip: 10 %") >= 3
        assert "indian POINTS" not in page.text

    def test_the_fee_of_a_withdrawn_game_can_still_be_saved(self, client, settings):
        row = schedule(
            game="gin", stake_from=1, valid_from=datetime(2099, 1, 1, tzinfo=UTC), valid_until=None
        )
        settings.GAMES_OFFERED = ["indian"]
        change = reverse("admin:wallet_feeschedule_change", args=[row.pk])
        page = client.get(change).text
        assert '<option value="gin:POINTS" selected>gin POINTS</option>' in page
        form = {**self.FORM, "format": "gin:POINTS", "stake_from": "2"}
        form["valid_from_0"] = "2099-02-01"
        assert client.post(change, form).status_code == 302
        assert (reload(row).game, row.format, row.stake_from) == ("gin", "POINTS", 2)

    @pytest.mark.parametrize("changes", OVERLAPS)
    def test_an_overlap_is_refused_with_the_row_in_the_way(self, client, changes):
        schedule(**changes)
        answer = self.add(client)
        assert answer.status_code == 200
        assert "This overlaps with “indian POINTS CHIPS" in answer.text
        assert FeeSchedule.objects.count() == 1

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            ({"stake_to": "5"}, "The stakes must go from a lower to a higher amount."),
            ({"rake_bps": "100.01"}, "Enter 100 or less."),
            ({"rake_bps": "5.125"}, "Enter a percentage, such as 10 or 12.5."),
            ({"rake_cap": "-1"}, "Enter an amount in digits"),
            ({"stake_from": ""}, "This field is required."),
            (
                {"stake_from": "1.5"},
                "Chips are whole numbers: enter the amount without a decimal point.",
            ),
        ],
    )
    def test_a_senseless_row_is_refused_with_a_sentence(self, client, changes, sentence):
        answer = self.add(client, **changes)
        assert answer.status_code == 200
        assert sentence in answer.text
        assert not FeeSchedule.objects.exists()

    def test_the_list_shows_stakes_and_fees_in_words(self, client):
        schedule(stake_from=5, stake_to=500, currency=Currency.INR, rake_cap=7_550)
        schedule(stake_from=100, stake_to=None, rake_bps=1_250)
        schedule(stake_from=2_000, stake_to=2_000, format="POOL")
        page = client.get(reverse("admin:wallet_feeschedule_changelist")).text
        pattern = r'field-stakes">([^<]+)<.*?field-service_fee">([^<]+)<'
        assert set(re.findall(pattern, page)) == {
            ("₹0.05 to ₹5.00", "10 %, at most ₹75.50"),
            ("from 100 chips", "12.5 %"),
            ("2,000 chips", "10 %"),
        }


def test_the_starting_fees_are_set_once():
    set_starting_fees(valid_from=JANUARY)
    FeeSchedule.objects.filter(format="POINTS").update(rake_bps=777)
    set_starting_fees(valid_from=MAY)
    assert fee(1).rake_bps == 777
    assert FeeSchedule.objects.count() == len(list_charged_formats())


class TestPreview:
    PAGE = "admin:wallet_feeschedule_preview"

    @pytest.fixture(autouse=True)
    def _fees(self):
        schedule(valid_from=PAST, valid_until=None)
        in_rupees = {"currency": Currency.INR, "rake_cap": 1_200}
        schedule(format="POOL", **in_rupees, stake_from=1, stake_to=None, valid_from=PAST)

    @pytest.mark.parametrize(
        ("format", "currency", "stake", "players", "figures"),
        [
            # 5 losers of 80 points at 10, a tenth of it for the house
            ("POINTS", "CHIPS", 10, 6, ["4,000", "400", "3,600"]),
            # six entries of 25 rupees, a tenth but at most 12
            ("POOL", "INR", "25", 6, ["₹150.00", "₹12.00", "₹138.00"]),
            ("POOL", "INR", "10.00", 2, ["₹20.00", "₹2.00", "₹18.00"]),
        ],
    )
    def test_the_preview_shows_what_a_table_would_pay(
        self, desk, format, currency, stake, players, figures
    ):
        asked = {"format": f"indian:{format}", "currency": currency}
        assert read_preview(desk, **asked, stake=stake, players=players) == figures

    def test_a_stake_without_a_schedule_opens_no_table(self, desk):
        page = read_preview(desk, format="indian:DEALS")
        assert "such a table cannot be opened" in page

    @pytest.mark.parametrize("stake", ["0", "-1", "1.5", "x", "9" * 30])
    def test_a_senseless_stake_is_refused_with_a_sentence(self, desk, stake):
        assert "errorlist" in read_preview(desk, stake=stake)

    def test_only_staff_who_see_fees_open_it(self, client, desk):
        page = desk.get(reverse("admin:wallet_feeschedule_changelist")).text
        assert reverse(self.PAGE) in page
        support = office(member(Role.SUPPORT))
        assert support.get(reverse(self.PAGE)).status_code == 403
        assert client.get(reverse(self.PAGE)).status_code == 302
