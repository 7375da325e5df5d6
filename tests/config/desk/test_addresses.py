"""Addresses of the administration that somebody has typed or changed never end in an error of the server."""

from urllib.parse import urlencode

import pytest
from django.contrib.admin import site
from django.db import models
from django.urls import reverse

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
