import json
import re

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.people.preferences import CHOICES, preferences_of, set_preferences
from accounts.refusals import NoSuchPreference
from config.settings.base import BASE_DIR

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha():
    return User.objects.create_user("asha@example.com", "seven-lemons", player_name="Asha")


def test_the_pages_have_the_same_table():
    script = (BASE_DIR / "static/js/lib/prefs.js").read_text()
    (table,) = re.findall(r"export const CHOICES = \{(.*?)\};", script, re.DOTALL)
    rows = re.findall(r"(\w+): \[(.*?)\]", table)
    assert {name: tuple(json.loads(f"[{values}]")) for name, values in rows} == CHOICES


def test_a_choice_is_kept_beside_the_others_and_comes_with_the_next_page(client, asha):
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    for chosen in ({"theme": "dark", "felt": "wine"}, {"theme": "light"}):
        assert client.post(reverse("accounts:preferences"), chosen).status_code == 204
    asha.refresh_from_db()
    assert asha.preferences == {"theme": "light", "felt": "wine"}
    page = client.get(reverse("accounts:profile")).text
    shown = re.search(r'data-preferences="([^"]*)"', page)
    assert shown is not None
    told = json.loads(shown[1].replace("&quot;", '"'))
    assert told == {"account": str(asha.pk), "theme": "light", "felt": "wine"}


@pytest.mark.parametrize(
    "chosen", [{"theme": "pink"}, {"speed": "fast"}, {"theme": "dark", "felt": "x"}]
)
def test_what_is_no_choice_is_refused_whole(client, asha, chosen):
    with pytest.raises(NoSuchPreference):
        set_preferences(user_id=asha.pk, chosen=chosen)
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(reverse("accounts:preferences"), chosen).status_code == 400
    asha.refresh_from_db()
    assert asha.preferences == {}


def test_what_this_version_does_not_know_is_not_shown(asha):
    asha.preferences = {"theme": "dark", "felt": "tartan", "speed": "fast"}
    assert preferences_of(asha) == {"theme": "dark"}


def test_visitors_have_none(client):
    assert "data-preferences" not in client.get("/").text
    assert client.post(reverse("accounts:preferences"), {"theme": "dark"}).status_code == 302
