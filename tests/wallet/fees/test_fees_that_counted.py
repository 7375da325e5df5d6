"""Fees that have been charged: they cannot be changed, only ended and replaced without a gap."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from tests.accounts.staff import member, office
from tests.given import reload
from tests.refusals import refused
from tests.wallet.fees.schedules import FUTURE, LATER, PAST, PAST_END, fee, read_preview, schedule
from wallet.fees.selectors import FeeTerms
from wallet.fees.services import NextFee, end_fee, follow_fee
from wallet.models import FeeSchedule
from wallet.refusals import FEE_HAS_ENDED, FEE_TERMS_WRONG, FEE_TOO_EARLY

pytestmark = pytest.mark.django_db


class TestFollowing:
    def test_a_fee_ends_where_the_next_begins(self, running):
        new = follow_fee(schedule_id=running.pk, fee=NextFee(500, 70, FUTURE))
        assert (reload(running).rake_bps, running.valid_until) == (1_000, FUTURE)
        assert (new.valid_from, new.valid_until) == (FUTURE, None)
        assert (new.stake_from, new.stake_to) == (0, None)
        just_before = FUTURE - timedelta(microseconds=1)
        assert fee(10, at=just_before) == FeeTerms(running.pk, 1_000, None)
        assert fee(10, at=FUTURE) == FeeTerms(new.pk, 500, 70)

    def test_a_fee_without_a_date_is_followed_at_once(self, running):
        new = follow_fee(schedule_id=running.pk, fee=NextFee(500))
        assert reload(running).valid_until == new.valid_from
        assert abs(new.valid_from - timezone.now()) < timedelta(seconds=5)
        assert fee(10, at=timezone.now()).rake_bps == 500

    def test_a_fee_may_follow_before_a_planned_one(self, running):
        planned = follow_fee(schedule_id=running.pk, fee=NextFee(500, None, LATER))
        new = follow_fee(schedule_id=running.pk, fee=NextFee(700, None, FUTURE))
        assert (reload(running).valid_until, new.valid_until) == (FUTURE, LATER)
        at = [FUTURE - timedelta(1), FUTURE, LATER]
        assert [fee(10, at=moment).schedule_id for moment in at] == [running.pk, new.pk, planned.pk]

    @pytest.mark.parametrize(
        ("ends", "next_fee", "refusal"),
        [
            (None, NextFee(10_001), FEE_TERMS_WRONG),
            (None, NextFee(-1), FEE_TERMS_WRONG),
            (None, NextFee(500, -1), FEE_TERMS_WRONG),
            (None, NextFee(500, None, PAST_END), FEE_TOO_EARLY),
            (FUTURE, NextFee(500, None, LATER), FEE_HAS_ENDED),
            (PAST_END, NextFee(500), FEE_HAS_ENDED),
        ],
    )
    def test_refusals_change_nothing(self, ends, next_fee, refusal):
        old = schedule(valid_from=PAST, valid_until=ends)
        with refused(refusal):
            follow_fee(schedule_id=old.pk, fee=next_fee)
        row = FeeSchedule.objects.get()
        assert (row.rake_bps, row.valid_from, row.valid_until) == (1_000, PAST, ends)

    def test_an_end_is_moved_and_not_into_the_past(self, running, over):
        end_fee(schedule_id=running.pk, valid_until=LATER)
        end_fee(schedule_id=running.pk, valid_until=FUTURE)
        with refused(FEE_TOO_EARLY):
            end_fee(schedule_id=running.pk, valid_until=PAST_END)
        assert reload(running).valid_until == FUTURE
        with refused(FEE_HAS_ENDED):
            end_fee(schedule_id=over.pk, valid_until=None)


class TestTheDatabase:
    @pytest.mark.parametrize(
        "change",
        [
            {"rake_bps": 1},
            {"rake_cap": 1},
            {"stake_from": 1},
            {"stake_to": 5},
            {"game": "gin"},
            {"format": "POOL"},
            {"currency": "INR"},
            {"valid_from": FUTURE},
            {"valid_until": PAST_END},
        ],
    )
    def test_the_database_refuses_to_change_a_fee_that_has_counted(self, running, change):
        with pytest.raises(IntegrityError, match="has counted") as refused, transaction.atomic():
            FeeSchedule.objects.update(**change)
        cause: Any = refused.value.__cause__
        assert cause.diag.constraint_name == "wallet_fee_schedule_that_counted_stays"
        assert FeeSchedule.objects.get().rake_bps == 1_000

    def test_the_database_refuses_to_delete_or_revive_a_fee(self, running, over):
        for change in (
            lambda: FeeSchedule.objects.filter(pk=running.pk).delete(),
            lambda: FeeSchedule.objects.filter(pk=over.pk).update(valid_until=None),
        ):
            with pytest.raises(IntegrityError, match="has counted"), transaction.atomic():
                change()
        assert FeeSchedule.objects.count() == 2

    def test_lets_a_future_fee_be_changed_and_deleted(self):
        schedule(valid_from=FUTURE, valid_until=None)
        assert FeeSchedule.objects.update(rake_bps=1, valid_from=LATER) == 1
        assert FeeSchedule.objects.all().delete()[0] == 1


class TestAdminOfWhatHasCounted:
    def page(self, row, name="change"):
        return reverse(f"admin:wallet_feeschedule_{name}", args=[row.pk])

    def save(self, desk, row, **fields):
        form = {"valid_until_0": "", "valid_until_1": "", "reason_for_audit": "x", **fields}
        return desk.post(self.page(row), form)

    def test_only_its_end_can_be_changed(self, desk, running):
        page = desk.get(self.page(running)).text
        assert 'name="valid_until_0"' in page
        for field in ("format", "currency", "stake_from", "stake_to", "rake_bps", "rake_cap"):
            assert f'name="{field}"' not in page
        fields = {"rake_bps": 1, "stake_from": 7, "valid_from_0": "2099-01-01"}
        answer = self.save(
            desk, running, **fields, valid_until_0="2099-01-01", valid_until_1="05:30"
        )
        assert answer.status_code == 302
        assert (reload(running).rake_bps, running.stake_from) == (1_000, 0)
        assert (running.valid_from, running.valid_until) == (PAST, FUTURE)
        entry = AuditEntry.objects.get()
        assert (entry.action, list(entry.after)) == ("change", ["valid_until"])

    def test_an_end_in_the_past_is_refused_with_a_sentence(self, desk, running):
        answer = self.save(desk, running, valid_until_0="2021-01-01", valid_until_1="00:00")
        assert "choose a later time" in answer.text
        assert reload(running).valid_until is None

    def test_a_fee_that_counted_cannot_be_deleted_or_edited(self, desk, running, over):
        assert desk.post(self.page(running, "delete"), {"post": "yes"}).status_code == 403
        assert self.save(desk, over).status_code == 403
        assert desk.get(self.page(over)).status_code == 200
        assert desk.get(self.page(over, "follow")).status_code == 403
        assert FeeSchedule.objects.count() == 2

    def test_a_running_fee_is_followed_in_one_step(self, desk, running):
        follow = self.page(running, "follow")
        assert follow in desk.get(self.page(running)).text
        assert "The old fee ends" in desk.get(follow).text
        form = {"rake_bps": "5", "valid_from_0": "2099-01-01", "valid_from_1": "05:30"}
        assert "required" in desk.post(follow, form).text  # the reason
        assert FeeSchedule.objects.count() == 1
        assert desk.post(follow, {**form, "reason": "Less."}).status_code == 302
        old, new = FeeSchedule.objects.order_by("pk")
        assert (old.valid_until, new.valid_from, new.rake_bps) == (FUTURE, FUTURE, 500)
        entries = AuditEntry.objects.order_by("pk").values_list("action", "object_id", "reason")
        assert sorted(entries) == [("add", str(new.pk), "Less."), ("follow", str(old.pk), "Less.")]

    def test_a_refusal_is_a_sentence(self, desk, running):
        form = {"rake_bps": "5", "valid_from_0": "2021-01-01", "valid_from_1": "00:00"}
        page = desk.post(self.page(running, "follow"), {**form, "reason": "x"}).text
        assert "choose a later time" in page
        assert FeeSchedule.objects.get().valid_until is None
        assert not AuditEntry.objects.exists()

    def test_staff_who_may_only_view_fees_cannot_follow_one(self, running):
        desk = office(member(Role.GAMES))
        assert self.page(running, "follow") not in desk.get(self.page(running)).text
        answer = desk.post(self.page(running, "follow"), {"rake_bps": 1, "reason": "x"})
        assert answer.status_code == 403
        assert FeeSchedule.objects.get().rake_bps == 1_000


def test_an_overlap_names_the_time_of_the_site(running):
    other = FeeSchedule(game="indian", format="POINTS", stake_from=0, rake_bps=1, valid_from=FUTURE)
    with pytest.raises(ValidationError, match="valid from 1 Jan 2020, 05:30 IST"):
        other.full_clean()


def test_the_preview_of_a_day_is_in_the_time_of_the_site(desk, running):
    follow_fee(schedule_id=running.pk, fee=NextFee(500, None, FUTURE))
    for at, figures in (
        ("", ["800", "80", "720"]),
        ("2099-01-01T05:29", ["800", "80", "720"]),
        ("2099-01-01T05:30", ["800", "40", "760"]),
    ):
        assert read_preview(desk, at=at) == figures
