"""Settings that are saved as soon as they are chosen, with JavaScript and without it."""

import pytest
from django.urls import reverse

from accounts.models import PageShownTo
from tests.given import reload

pytestmark = pytest.mark.django_db

SHOWN = {"shown_to": "everybody", "online_shown_to": "nobody"}
# For each form: its URL name, an accepted choice, a refused choice, and the page to return to.
FORMS = {
    "face": ("accounts:face", {"face": "owl"}, {"face": "dragon"}, "accounts:settings"),
    "absence": (
        "accounts:absence_notice", {"absence_notice": "none"}, {"absence_notice": "smoke"},
        "accounts:notices",
    ),
    "privacy": ("players:show_page", SHOWN, {**SHOWN, "shown_to": "dogs"}, "players:privacy"),
    "looks": ("players:looks", {"back": "blue"}, {"back": "night"}, "accounts:look"),
    "frame": ("players:looks", {"frame": "none"}, {"frame": "gold"}, "accounts:settings"),
    "look": (
        "accounts:preferences", {"theme": "dark", "page": "look"}, {"theme": "pink", "page": "look"},
        "accounts:look",
    ),
    "quiet": (
        "accounts:preferences", {"quiet": "on", "page": "notices"}, {"quiet": "x", "page": "notices"},
        "accounts:notices",
    ),
}  # fmt: skip
JSON = {"Accept": "application/json"}


def read_choices(player):
    player = reload(player)
    return (
        player.face, player.absence_notice, player.page_shown_to, player.online_shown_to,
        player.preferences,
    )  # fmt: skip


@pytest.fixture
def player(client, asha):
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    return asha


@pytest.mark.parametrize("form", FORMS)
def test_a_script_hears_that_a_choice_is_saved(client, player, form):
    name, chosen, _refused, _page = FORMS[form]
    before = read_choices(player)
    answer = client.post(reverse(name), chosen, headers=JSON)
    assert (answer.status_code, answer.content) == (204, b"")
    assert read_choices(player) != before
    # The next page does not show a message about it.
    assert 'class="messages"' not in client.get(reverse("accounts:settings")).text


@pytest.mark.parametrize("form", FORMS)
def test_a_script_hears_why_a_choice_is_refused(client, player, form):
    name, _chosen, refused, _page = FORMS[form]
    before = read_choices(player)
    answer = client.post(reverse(name), refused, headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert read_choices(player) == before


@pytest.mark.parametrize("form", FORMS)
def test_without_a_script_the_page_comes_back_with_the_answer(client, player, form):
    name, chosen, refused, page = FORMS[form]
    before = read_choices(player)
    answer = client.post(reverse(name), refused)
    assert answer.url == reverse(page)
    assert "message--error" in client.get(answer.url).text
    assert read_choices(player) == before
    answer = client.post(reverse(name), chosen)
    assert answer.url == reverse(page)
    assert "message--success" in client.get(answer.url).text
    assert read_choices(player) != before


@pytest.mark.parametrize(
    "name", ["accounts:settings", "accounts:look", "accounts:notices", "players:privacy"]
)
def test_settings_need_an_account_and_lead_to_each_other(client, asha, name):
    address = reverse(name)
    assert client.get(address).url == f"/accounts/login/?next={address}"
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(address).text
    tabs = page[page.index("settings__tabs") :].split("</nav>", maxsplit=1)[0]
    for other in ("accounts:settings", "accounts:look", "players:privacy", "wallet:limits"):
        assert f'href="{reverse(other)}"' in tabs
    assert tabs.count('aria-current="page"') == 1
    assert "<noscript>" in page


def test_the_address_of_before_leads_to_the_settings(client, player):
    assert client.get("/accounts/profile/").url == reverse("accounts:settings")


def test_every_setting_shows_what_is_stored(client, player):
    client.post(reverse("accounts:preferences"), {"suits": "clear", "hand": "left"})
    client.post(reverse("players:show_page"), {**SHOWN, "shown_to": PageShownTo.FRIENDS})
    look = client.get(reverse("accounts:look")).text
    assert '<option value="clear" selected>' in look
    assert '<option value="left" selected>' in look
    assert '<option value="auto" selected>' in look
    privacy = " ".join(client.get(reverse("players:privacy")).text.split())
    assert '<option value="friends" selected>' in privacy
    assert '<option value="nobody" selected>' in privacy
