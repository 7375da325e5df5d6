"""Times that our own code formats are in the site's zone (TIME_ZONE), not UTC."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from accounts.desk.staff_roles import Role
from history.models import SupportCase, SupportMessage
from tests.accounts.staff import member, office
from tests.wallet.cash_players import make_player
from wallet.models import LedgerCheck, SelfExclusion

EVENING = datetime(2027, 1, 1, 20, tzinfo=UTC)  # 01:30 of the next day in India


def test_exclusions_and_ledger_checks_show_site_time():
    excluded = SelfExclusion(began_at=EVENING, until=EVENING + timedelta(days=1))
    assert str(excluded) == "2027-01-02 - 2027-01-03 01:30"
    assert str(SelfExclusion(began_at=EVENING, until=None)) == "2027-01-02 - "
    assert str(LedgerCheck(checked_at=EVENING, found=3)) == "2027-01-02 01:30 3"


@pytest.mark.django_db
def test_support_messages_show_site_time():
    asha = make_player()
    case = SupportCase.objects.create(user=asha, topic="OTHER")
    SupportMessage.objects.create(
        case=case, author=asha, text="Hello", is_answer=False, written_at=EVENING
    )
    desk = office(member(Role.SUPPORT))
    page = desk.get(f"/admin/history/supportcase/{case.pk}/change/").text
    assert re.search(r"<p *>\s*2 Jan 2027, 01:30 IST <strong>", page)
