import json
import re

import pytest
from django.urls import reverse

from accounts.people.preferences import CHOICES, get_preferences, set_preferences
from accounts.refusals import NoSuchPreference
from config.settings.base import BASE_DIR
from tests.given import reload, require

pytestmark = pytest.mark.django_db


def test_the_pages_have_the_same_table():
    script = (BASE_DIR / "static/js/lib/prefs.js").read_text()
    (table,) = re.findall(r"export const CHOICES = \{(.*?)\};", script, re.DOTALL)
    rows = re.findall(r"(\w+): \[(.*?)\]", table)
    assert {name: tuple(json.loads(f"[{values}]")) for name, values in rows} == CHOICES


def test_a_choice_is_kept_beside_the_others_and_comes_with_the_next_page(client, asha):
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    for chosen in ({"theme": "dark", "felt": "wine"}, {"theme": "light"}):
        assert client.post(reverse("accounts:preferences"), chosen).status_code == 204
    assert reload(asha).preferences == {"theme": "light", "felt": "wine"}
    page = client.get(reverse("accounts:settings")).text
    shown = require(re.search(r'data-preferences="([^"]*)"', page))
    told = json.loads(shown[1].replace("&quot;", '"'))
    assert told == {"account": str(asha.pk), "theme": "light", "felt": "wine"}


@pytest.mark.parametrize(
    "chosen", [{"theme": "pink"}, {"speed": "fast"}, {"theme": "dark", "felt": "x"}]
)
def test_an_unknown_choice_refuses_the_whole_form(client, asha, chosen):
    with pytest.raises(NoSuchPreference):
        set_preferences(user_id=asha.pk, chosen=chosen)
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(reverse("accounts:preferences"), chosen).status_code == 400
    assert reload(asha).preferences == {}


def test_stored_choices_unknown_to_this_version_are_hidden(asha):
    asha.preferences = {"theme": "dark", "felt": "tartan", "speed": "fast"}
    assert get_preferences(asha) == {"theme": "dark"}


def test_visitors_have_no_preferences(client):
    assert "data-preferences" not in client.get("/").text
    assert client.post(reverse("accounts:preferences"), {"theme": "dark"}).status_code == 302
