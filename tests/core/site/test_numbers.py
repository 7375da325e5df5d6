"""Limits and amounts that the operator can change while the site runs."""

import pytest
from django.conf import settings

from core.models import SiteNumbers
from core.models.audit import AuditEntry
from core.site.content import refresh_site
from core.site.numbers import NUMBERS, number
from tests.api_program import chips_of, person
from tests.wallet.cash_players import make_staff

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
    client.force_login(make_staff("Boss"))
    return client


@pytest.fixture
def save(boss, django_capture_on_commit_callbacks):
    def save_numbers(**numbers):
        page = CHANGE if SiteNumbers.objects.exists() else ADD
        with django_capture_on_commit_callbacks(execute=True):
            return boss.post(page, {**numbers, **REASON})

    return save_numbers


def test_every_number_has_its_setting_within_its_bounds():
    for name, one in NUMBERS.items():
        assert one.least <= getattr(settings, name) <= one.most
        assert number(name) == getattr(settings, name)


def test_a_change_applies_at_once_and_blank_fields_use_the_settings(boss, save):
    assert save(WELCOME_CHIPS=700).status_code == 302
    assert number("WELCOME_CHIPS") == 700
    assert number("TABLES_AT_ONCE") == settings.TABLES_AT_ONCE
    assert chips_of(person("Asha")) == 700
    assert 'value="700"' in boss.get(CHANGE).text
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.after["values"]) == ("add", {"WELCOME_CHIPS": 700})
    save()
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
def test_a_number_out_of_bounds_is_refused_and_nothing_changes(save, sent, words):
    assert words in save(**sent).text
    assert not SiteNumbers.objects.exists()
    assert {name: number(name) for name in sent} == {name: getattr(settings, name) for name in sent}


def test_the_numbers_have_one_row(boss):
    SiteNumbers.objects.create()
    assert boss.get(ADD)["Location"] == CHANGE
