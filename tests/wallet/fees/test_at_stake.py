"""Setting the fee of one stake, without a gap or an overlap; and the list of stakes that have no fee."""

from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from tests.accounts.staff import member, office
from tests.given import reload, require
from tests.refusals import refused
from tests.together import run_at_once
from tests.wallet.fees.schedules import FUTURE, LATER, PAST, PAST_END, fee, schedule
from wallet.fees.at_stake import FeeGap, StakeFee, find_fee_gaps, set_stake_fee
from wallet.fees.formats import list_charged_formats
from wallet.fees.services import NextFee, follow_fee
from wallet.models import FeeSchedule
from wallet.money import Currency
from wallet.refusals import FEE_TERMS_WRONG, FEE_TOO_EARLY, NoFeeSchedule

pytestmark = pytest.mark.django_db

STAKES = (1, 49, 50, 51, 99, 100, 10**12)


def build_stake_fee(stake, rake_bps=500, cap=None, begins=FUTURE, currency=Currency.CHIPS):
    return StakeFee("indian", "POINTS", currency, stake, NextFee(rake_bps, cap, begins))


def fees(at):
    """Return the rake in basis points by stake, or None for a stake without a fee, at which no table can open."""

    def share(stake):
        try:
            return fee(stake, at=at).rake_bps
        except NoFeeSchedule:
            return None

    return {stake: share(stake) for stake in STAKES}


class TestOneStake:
    def test_the_other_stakes_keep_theirs(self, running):
        before = fees(timezone.now())
        split = set_stake_fee(build_stake_fee(50, cap=70))
        assert [
            (row.stake_from, row.stake_to, row.rake_bps, row.rake_cap) for row in split.new
        ] == [
            (0, 49, 1_000, None),
            (50, 50, 500, 70),
            (51, None, 1_000, None),
        ]
        assert {row.valid_from for row in split.new} == {reload(running).valid_until} == {FUTURE}
        assert fees(timezone.now()) == before
        assert fees(FUTURE) == {**before, 50: 500}

    def test_a_new_fee_begins_at_once_without_a_date(self, running):
        split = set_stake_fee(build_stake_fee(50, begins=None))
        assert reload(running).valid_until == split.begins
        assert fees(timezone.now())[50] == 500

    @pytest.mark.parametrize(
        ("stake", "left"),
        [(10, [(10, 10, 500), (11, 99, 1_000)]), (99, [(10, 98, 1_000), (99, 99, 500)])],
    )
    def test_a_stake_at_an_end_of_the_range_is_split_off(self, stake, left):
        schedule(valid_from=PAST, valid_until=None)
        new = set_stake_fee(build_stake_fee(stake)).new
        assert [(row.stake_from, row.stake_to, row.rake_bps) for row in new] == left

    def test_a_second_change_of_one_stake_touches_only_that_stake(self, running):
        set_stake_fee(build_stake_fee(50))
        new = set_stake_fee(build_stake_fee(50, rake_bps=700, begins=LATER)).new
        assert [(row.stake_from, row.stake_to) for row in new] == [(50, 50)]
        assert [fees(at)[50] for at in (FUTURE, LATER)] == [500, 700]

    def test_several_stakes_change_at_the_same_moment(self, running):
        before = fees(timezone.now())
        set_stake_fee(build_stake_fee(50))
        set_stake_fee(build_stake_fee(100, rake_bps=300))
        set_stake_fee(build_stake_fee(50, rake_bps=200))
        assert fees(FUTURE) == {**before, 50: 200, 100: 300}
        assert FeeSchedule.objects.filter(valid_from=FUTURE).count() == 5

    def test_a_new_fee_ends_where_a_planned_one_begins(self, running):
        planned = follow_fee(schedule_id=running.pk, fee=NextFee(900, None, LATER))
        new = set_stake_fee(build_stake_fee(50)).new
        assert {row.valid_until for row in new} == {LATER}
        assert fees(LATER) == dict.fromkeys(STAKES, planned.rake_bps)

    def test_a_fee_fills_a_gap_until_the_next_one_begins(self):
        schedule(stake_from=0, stake_to=49, valid_from=PAST, valid_until=None)
        later = schedule(stake_from=50, stake_to=60, valid_from=LATER, valid_until=None)
        split = set_stake_fee(build_stake_fee(50))
        (row,) = split.new
        assert (split.old, row.stake_from, row.stake_to, row.valid_until) == (None, 50, 50, LATER)
        assert fees(FUTURE) == {**dict.fromkeys(STAKES), 1: 1_000, 49: 1_000, 50: 500}
        assert fees(LATER)[50] == later.rake_bps

    def test_other_formats_and_currencies_keep_their_fees(self, running):
        others = [
            schedule(format="POOL", valid_from=PAST, valid_until=None),
            schedule(currency=Currency.INR, valid_from=PAST, valid_until=None),
        ]
        set_stake_fee(build_stake_fee(50))
        assert [reload(other).valid_until for other in others] == [None, None]

    @pytest.mark.parametrize(
        ("asked", "refusal"),
        [
            (build_stake_fee(50, rake_bps=10_001), FEE_TERMS_WRONG),
            (build_stake_fee(50, cap=-1), FEE_TERMS_WRONG),
            (build_stake_fee(50, begins=PAST), FEE_TOO_EARLY),
        ],
    )
    def test_refusals_change_nothing(self, running, asked, refusal):
        with refused(refusal):
            set_stake_fee(asked)
        assert reload(running).valid_until is None
        assert FeeSchedule.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_second_of_two_simultaneous_changes_splits_the_result_of_the_first():
    schedule(valid_from=PAST, valid_until=None, stake_from=0, stake_to=None)
    asked = [build_stake_fee(stake, begins=None) for stake in (50, 100)]
    first, second = run_at_once(*(partial(set_stake_fee, one) for one in asked))
    assert first.begins != second.begins
    assert fees(timezone.now()) == {**dict.fromkeys(STAKES, 1_000), 50: 500, 100: 500}


class TestGaps:
    def of_points(self, currency=Currency.CHIPS):
        return [
            (gap.stake_from, gap.stake_to)
            for gap in find_fee_gaps(timezone.now())
            if (gap.game, gap.format, gap.currency) == ("indian", "POINTS", currency)
        ]

    def test_gaps_below_between_and_above_are_listed(self):
        schedule(stake_from=10, stake_to=49, valid_from=PAST, valid_until=None)
        schedule(stake_from=50, stake_to=99, valid_from=PAST, valid_until=None)
        schedule(stake_from=200, stake_to=300, valid_from=PAST, valid_until=None)
        assert self.of_points() == [(1, 9), (100, 199), (301, None)]

    def test_a_fee_for_every_stake_leaves_no_gap(self, running):
        assert self.of_points() == []

    def test_past_and_future_fees_close_no_gap(self):
        schedule(stake_from=0, stake_to=None, valid_from=PAST, valid_until=PAST_END)
        schedule(stake_from=0, stake_to=None, valid_from=FUTURE, valid_until=None)
        assert self.of_points() == [(1, None)]

    def test_gaps_for_cash_are_listed_only_while_cash_is_on(self, settings):
        assert self.of_points(Currency.INR) == [(1, None)]
        settings.CASH_PLAY = "off"
        assert {gap.currency for gap in find_fee_gaps(timezone.now())} == {Currency.CHIPS}
        assert len(find_fee_gaps(timezone.now())) == len(list_charged_formats())


class TestPage:
    PAGE = "admin:wallet_feeschedule_at_stake"

    def form(self, **changes):
        fields = {
            "format": "indian:POINTS",
            "currency": "CHIPS",
            "stake": "50",
            "rake_bps": "5",
            "valid_from_0": "2099-01-01",
            "valid_from_1": "05:30",
            "reason": "Cheaper in the middle.",
        }
        return {**fields, **changes}

    def press_twice(self, desk, **changes):
        seen = desk.post(reverse(self.PAGE), self.form()).context["form"].data["seen"]
        return desk.post(reverse(self.PAGE), self.form(seen=seen, **changes))

    def test_the_first_press_previews_and_the_second_saves(self, desk, running):
        shown = desk.post(reverse(self.PAGE), self.form())
        assert FeeSchedule.objects.count() == 1
        split = shown.context["split"]
        assert [(line["stakes"], line["fee"], line["is_new"]) for line in split["before"]] == [
            ("from 0 chips", "10 %", False)
        ]
        assert [(line["stakes"], line["fee"], line["is_new"]) for line in split["after"]] == [
            ("0 chips to 49 chips", "10 %", False),
            ("50 chips", "5 %", True),
            ("from 51 chips", "10 %", False),
        ]
        answer = self.press_twice(desk)
        row = FeeSchedule.objects.get(stake_from=50)
        assert answer.url == reverse("admin:wallet_feeschedule_change", args=[row.pk])
        assert fees(FUTURE)[50] == 500
        said = [str(message) for message in desk.get(answer.url).context["messages"]]
        told = "Indian rummy · Points at 50 chips: 5 % from 1 Jan 2099, 05:30 IST on."
        assert said == [f"{told} The other stakes keep theirs."]

    def test_a_change_after_the_preview_is_previewed_again(self, desk, running):
        answer = self.press_twice(desk, rake_bps="50")
        assert answer.status_code == 200
        assert FeeSchedule.objects.count() == 1
        assert answer.context["split"]["after"][1]["fee"] == "50 %"

    def test_each_changed_row_is_in_the_audit_log(self, desk, running):
        self.press_twice(desk)
        entries = AuditEntry.objects.filter(object_type="wallet.feeschedule").order_by("pk")
        assert [entry.action for entry in entries] == ["split", "add", "add", "add"]
        assert {entry.reason for entry in entries} == {"Cheaper in the middle."}
        first = require(entries.first())
        assert first.object_id == str(running.pk)
        assert first.before["valid_until"] is None
        assert first.after["valid_until"] == "2099-01-01T00:00:00Z"

    def test_a_refused_moment_is_reported_at_its_field(self, desk, running):
        answer = desk.post(reverse(self.PAGE), self.form(valid_from_0="2020-01-01"))
        assert answer.context["form"].errors.keys() == {"valid_from"}
        assert FeeSchedule.objects.count() == 1

    def test_only_staff_who_edit_fees_open_it(self, running):
        games = office(member(Role.GAMES))
        assert games.get(reverse(self.PAGE)).status_code == 403
        fees = games.get(reverse("admin:wallet_feeschedule_changelist")).text
        assert reverse(self.PAGE) not in fees

    def test_the_list_names_gaps_and_leads_to_forms_that_close_them(self, desk):
        schedule(stake_from=10, stake_to=None, valid_from=PAST, valid_until=None)
        page = desk.get(reverse("admin:wallet_feeschedule_changelist"))
        gaps = {(format, stakes): address for format, stakes, address in page.context["gaps"]}
        address = gaps["Indian rummy · Points", "1 chip to 9 chips"]
        initial = desk.get(address).context["adminform"].form.initial
        fields = ("format", "currency", "stake_from", "stake_to")
        assert [initial[name] for name in fields] == ["indian:POINTS", "CHIPS", "1", "9"]
        gap = FeeGap("indian", "POINTS", Currency.CHIPS, 10, None)
        assert gap not in find_fee_gaps(timezone.now())
