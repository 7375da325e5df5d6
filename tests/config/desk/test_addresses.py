"""Mistyped or edited addresses of the administration never cause a server error."""

from urllib.parse import urlencode

import pytest
from django.contrib.admin import site
from django.db import models
from django.urls import reverse

from tests.wallet.cash_players import bring_winnings, make_player
from wallet.models import AccountKind, LedgerAccount

pytestmark = pytest.mark.django_db
NO_YEARS = ("9999", "²")
NO_KEYS = ("abc",)


def list_models():
    assert len(site._registry) > 30
    return [model._meta for model in site._registry]


def test_no_filter_by_a_year_ends_in_an_error(boss):
    asked = 0
    for options in list_models():
        address = reverse(f"admin:{options.app_label}_{options.model_name}_changelist")
        for field in options.get_fields():
            if not isinstance(field, models.DateField):
                continue
            for year in NO_YEARS:
                answer = boss.get(f"{address}?{urlencode({f'{field.name}__year': year})}")
                assert answer.status_code in (200, 302, 400, 403), (address, field.name, year)
                asked += 1
    assert asked > 40


def test_no_prefilled_row_ends_in_an_error(boss):
    asked = 0
    for options in list_models():
        address = reverse(f"admin:{options.app_label}_{options.model_name}_add")
        for field in options.get_fields():
            if not isinstance(field, models.ForeignKey):
                continue
            for key in NO_KEYS:
                answer = boss.get(f"{address}?{urlencode({field.name: key})}")
                assert answer.status_code in (200, 302, 403), (address, field.name, key)
                asked += answer.status_code == 200
    assert asked > 10


@pytest.mark.parametrize("text", ["²", "①", "७", "\u0667", "9" * 30])
def test_no_search_for_what_looks_like_a_number_ends_in_an_error(boss, text):
    for model in ("wallet_ledgeraccount", "wallet_journal", "wallet_transfer", "tables_match"):
        answer = boss.get(f"{reverse(f'admin:{model}_changelist')}?{urlencode({'q': text})}")
        assert answer.status_code == 200, model
    assert boss.get(f"/admin/search/?{urlencode({'q': text})}").status_code in (200, 404)


@pytest.mark.parametrize("text", ["²", "७", "9" * 30])
def test_no_page_of_entries_before_such_a_number_ends_in_an_error(boss, text):
    bring_winnings(make_player(), 100)
    account = LedgerAccount.objects.filter(kind=AccountKind.WINNINGS).latest("pk")
    page = reverse("admin:wallet_ledgeraccount_change", args=[account.pk])
    assert boss.get(f"{page}?{urlencode({'before': text})}").status_code == 200
    roles = reverse("admin:auth_group_add")
    assert boss.get(f"{roles}?{urlencode({'copy': text})}").status_code == 200
