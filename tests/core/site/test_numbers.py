"""Limits and amounts that the operator changes while the site runs."""

import pytest
from django.conf import settings

from accounts.models import User
from core.models import SiteNumbers
from core.models.audit import AuditEntry
from core.site.content import refresh_site
from core.site.numbers import NUMBERS, number
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances

pytestmark = pytest.mark.django_db
ADD, CHANGE = "/admin/core/sitenumbers/add/", "/admin/core/sitenumbers/1/change/"
REASON = {"reason_for_audit": "The club has voted."}


@pytest.fixture(autouse=True)
def _site_of_this_test():
    refresh_site()
    yield
    SiteNumbers.objects.all().delete()
    refresh_site()


@pytest.fixture
def boss(client):
    client.force_login(User.objects.create_superuser("a@example.com", "x", player_name="Boss"))
    return client


def save(boss, django_capture_on_commit_callbacks, **numbers):
    page = CHANGE if SiteNumbers.objects.exists() else ADD
    with django_capture_on_commit_callbacks(execute=True):
        return boss.post(page, {**numbers, **REASON})


def test_every_number_has_its_setting_within_its_bounds():
    for name, one in NUMBERS.items():
        assert one.least <= getattr(settings, name) <= one.most
        assert number(name) == getattr(settings, name)


def test_a_change_counts_at_once_and_what_is_empty_is_that_of_the_settings(
    boss, django_capture_on_commit_callbacks
):
    answer = save(boss, django_capture_on_commit_callbacks, WELCOME_CHIPS=700)
    assert answer.status_code == 302
    assert number("WELCOME_CHIPS") == 700
    assert number("TABLES_AT_ONCE") == settings.TABLES_AT_ONCE
    asha = User.objects.create_user("asha@example.com", "x", player_name="Asha")
    wallet.grant_welcome_chips(user_id=asha.pk)
    assert get_player_balances(asha.pk).chips == 700
    assert 'value="700"' in boss.get(CHANGE).text
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.after["values"]) == ("add", {"WELCOME_CHIPS": 700})
    save(boss, django_capture_on_commit_callbacks)
    assert number("WELCOME_CHIPS") == settings.WELCOME_CHIPS


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"TABLES_AT_ONCE": "0"}, "greater than or equal to 1"),
        ({"TABLES_AT_ONCE": "21"}, "less than or equal to 20"),
        ({"WELCOME_CHIPS": "-1"}, "greater than or equal to 0"),
        ({"WELCOME_CHIPS": "many"}, "Enter a whole number"),
        ({"DEPOSIT_LEAST": "5000", "DEPOSIT_MOST": "4000"}, "The largest deposit is below"),
        ({"DEPOSIT_MOST": "100"}, "The largest deposit is below"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(
    boss, django_capture_on_commit_callbacks, sent, words
):
    answer = save(boss, django_capture_on_commit_callbacks, **sent)
    assert words in answer.text
    assert not SiteNumbers.objects.exists()
    assert {name: number(name) for name in sent} == {name: getattr(settings, name) for name in sent}


def test_there_is_one_row(boss):
    SiteNumbers.objects.create()
    assert boss.get(ADD)["Location"] == CHANGE
