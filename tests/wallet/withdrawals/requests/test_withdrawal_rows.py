"""Withdrawals: asking, deciding, and what the provider says of them."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.wallet.withdrawals.requests.asking import (
    State,
    ask,
)
from wallet.models import (
    GIVEN_BACK,
    STEPS,
    Withdrawal,
)

pytestmark = pytest.mark.django_db


class TestSchema:
    def test_the_steps_end(self):
        ends = {state for state, following in STEPS.items() if not following}
        assert ends == {State.PAID, State.REFUSED, State.CANCELLED}
        assert set(STEPS) == set(State)
        assert set(GIVEN_BACK) == {State.REFUSED, State.CANCELLED, State.FAILED}

    @pytest.mark.parametrize(
        ("change", "constraint"),
        [
            ({"net": 49_999}, "is_net_and_tax"),
            ({"amount": 0, "net": 0}, "is_net_and_tax"),
            ({"net_winnings": 50_001}, "net_winnings_are_a_part"),
            ({"state": "SENT"}, "leaves_approved"),
            ({"state": "REFUSED"}, "refusal_has_a_reason"),
            ({"send_at": timezone.now()}, "is_sent_when_approved"),
        ],
    )
    def test_the_database_keeps_rows_sensible(self, asha, change, constraint):
        withdrawal = ask(asha)
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            Withdrawal.objects.filter(pk=withdrawal.pk).update(**change)

    def test_two_approvals_are_of_two_others(self, asha, boss):
        withdrawal = ask(asha, 150_000)
        rows = Withdrawal.objects.filter(pk=withdrawal.pk)
        with pytest.raises(IntegrityError, match="approved_by_two"), transaction.atomic():
            rows.update(approved_by=boss, second_approved_by=boss)
        with pytest.raises(IntegrityError, match="approved_by_others"), transaction.atomic():
            rows.update(approved_by=asha)
