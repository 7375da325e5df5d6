"""Players register their own OAuth programs and webhooks, within the operator's limits."""

import re
import unicodedata

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, OAuthClient, OAuthGrant
from accounts.people.closing import freeze
from config.account_data.closing import close_account
from core.models import Webhook, WebhookDelivery, WebhookEvent
from core.models.audit import AuditEntry
from core.webhooks.delivery import record_result
from tests.accounts.staff import office
from tests.api_program import person
from tests.given import reload
from tests.oauth_program import (
    BACK,
    build_query,
    call_api,
    exchange_code,
    grant_code,
    sign_in,
    sign_in_long_ago,
    to_exchange,
)
from tests.wallet.cash_players import make_staff

pytestmark = pytest.mark.django_db
PROGRAMS = "/accounts/programs/"
NEW = f"{PROGRAMS}new/"
NEW_WEBHOOK = "/accounts/webhooks/new/"
FORM = {
    "name": "Card Coach",
    "client_type": "public",
    "redirect_uris": BACK,
    "scopes": ["read", "play"],
    "origins": "https://coach.example/\nhttp://127.0.0.1:5173",
}
HOOK = {"name": "Board", "url": "https://93.184.215.14/results", "events": ["match.ended"]}
SECRET = re.compile(r"shown only once:\s*<code>([^<]+)</code>")


@pytest.fixture
def maker():
    return person("Maker")


@pytest.fixture
def maker_page(maker):
    return sign_in(maker)


def make(maker_page, **terms):
    """Register a program. Return it and the secret that the page shows, if any."""
    page = maker_page.post(NEW, {**FORM, **terms})
    assert page.status_code == 200
    shown = SECRET.search(page.text)
    return OAuthClient.objects.latest("created"), shown and shown[1]


def test_a_player_makes_a_program_that_another_player_lets_in(maker_page, maker, asha):
    program, secret = make(maker_page)
    assert (program.owner, program.name, secret) == (maker, "Card Coach", None)
    assert program.origins == ["https://coach.example", "http://127.0.0.1:5173"]
    tokens = exchange_code(program, grant_code(asha, program)).json()
    assert call_api(tokens).json()["name"] == "Asha"
    assert "1 player has allowed it" in maker_page.get(PROGRAMS).text
    page = maker_page.get(f"{PROGRAMS}{program.pk}/").text
    assert program.pk in page
    assert "Secret" not in page


def test_a_secret_is_shown_once_stored_as_a_hash_and_renewed(maker_page, asha):
    program, secret = make(maker_page, client_type="confidential")
    assert secret
    assert secret not in str(OAuthClient.objects.values())
    assert secret not in maker_page.get(f"{PROGRAMS}{program.pk}/").text
    renewed = SECRET.search(maker_page.post(f"{PROGRAMS}{program.pk}/secret/").text)
    assert renewed
    assert renewed[1] != secret

    def try_secret(text):
        sent = to_exchange(program, grant_code(asha, program), client_secret=text)
        return Client().post("/oauth/token", sent).status_code

    assert [try_secret(secret), try_secret(renewed[1])] == [401, 200]


def test_a_player_changes_a_program_but_not_its_kind(maker_page, asha):
    program, _secret = make(maker_page)
    tokens = exchange_code(program, grant_code(asha, program)).json()
    form = {**FORM, "name": "Better Coach", "origins": "", "client_type": "confidential"}
    page = maker_page.post(f"{PROGRAMS}{program.pk}/", form)
    assert page.status_code == 302
    program = reload(program)
    assert (program.name, program.origins, program.client_type) == ("Better Coach", [], "public")
    assert call_api(tokens).status_code == 200


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ({"redirect_uris": "http://coach.example/"}, "is not a valid redirect address"),
        ({"origins": "https://coach.example/app"}, "is not a valid origin"),
        ({"scopes": []}, "This field is required"),
        ({"redirect_uris": ""}, "Enter a redirect address"),
        ({"scopes": ["admin"]}, "Select a valid choice"),
        ({"redirect_uris": "https://coach.example;x/"}, "is not a valid redirect address"),
        # Names that look like another program's, or like no name at all.
        ({"name": "\u200b\u200b"}, "no invisible characters"),
        ({"name": "\u3164"}, "no invisible characters"),
        ({"name": "Coach\u202e"}, "no invisible characters"),
        ({"name": "?!"}, "no invisible characters"),
        ({"name": "OpenRummy Coach"}, "could be mistaken for one of the site"),
        ({"name": "0penRumrny"}, "could be mistaken for one of the site"),
        ({"name": "Official app"}, "could be mistaken for one of the site"),
    ],
)
def test_an_unfit_program_is_not_made(maker_page, terms, told):
    assert told in maker_page.post(NEW, {**FORM, **terms}).text
    assert not OAuthClient.objects.exists()


@pytest.mark.parametrize("name", ["Rummy Bot", "AT&T (beta) 2.0", "रमी कोच", "ख़ेल", "Coach ♥"])
def test_a_program_may_have_any_name_that_can_be_read(maker_page, name):
    program, _secret = make(maker_page, name=name)
    assert unicodedata.normalize("NFKC", name) == program.name


def test_the_page_of_consent_says_who_made_the_program_and_where_it_leads(maker_page, maker, asha):
    program, _secret = make(maker_page, redirect_uris=f"{BACK}\ncom.example.coach:/back")
    browser = sign_in(asha)
    page = browser.get("/oauth/authorize", build_query(program)).text
    assert f'It was made by the player <a href="/players/{maker.pk}/">Maker</a>.' in page
    assert "goes to <strong>coach.example</strong>" in page
    app = browser.get(
        "/oauth/authorize", build_query(program, redirect_uri="com.example.coach:/back")
    ).text
    assert "goes to <strong>com.example.coach:</strong>" in app
    OAuthClient.objects.update(owner=None)
    page = browser.get("/oauth/authorize", build_query(program)).text
    assert "made it" not in page
    assert "goes to <strong>coach.example</strong>" in page


def test_a_deleted_program_acts_for_nobody(maker_page, asha):
    program, _secret = make(maker_page)
    tokens = exchange_code(program, grant_code(asha, program)).json()
    assert maker_page.post(f"{PROGRAMS}{program.pk}/delete/").status_code == 302
    assert call_api(tokens).status_code == 401
    assert not any(kind.objects.exists() for kind in (OAuthClient, OAuthGrant, ApiToken))


def test_what_belongs_to_another_is_not_there(maker_page, asha):
    program, _secret = make(maker_page)
    webhook = make_webhook(maker_page)
    delivery = deliver(webhook)
    other = sign_in(asha)
    before = list(OAuthClient.objects.values()), list(Webhook.objects.values())
    for address in (
        f"{PROGRAMS}{program.pk}/",
        f"{PROGRAMS}{program.pk}/secret/",
        f"{PROGRAMS}{program.pk}/delete/",
        f"/accounts/webhooks/{webhook.pk}/",
        f"/accounts/webhooks/{webhook.pk}/secret/",
        f"/accounts/webhooks/{webhook.pk}/deliveries/{delivery.pk}/again/",
    ):
        assert other.post(address, {**FORM, **HOOK}).status_code == 404, address
    other.post(f"/accounts/webhooks/{webhook.pk}/delete/")
    assert (list(OAuthClient.objects.values()), list(Webhook.objects.values())) == before
    # Nor may they delete a program of the operator.
    OAuthClient.objects.update(owner=None)
    assert maker_page.post(f"{PROGRAMS}{program.pk}/delete/").status_code == 404


@pytest.mark.parametrize("path", [PROGRAMS, NEW, NEW_WEBHOOK])
def test_the_pages_ask_for_the_password_again(maker, path):
    assert "/reauthenticate/" in sign_in_long_ago(maker).get(path)["Location"]
    assert "/login/" in Client().get(path)["Location"]


def test_the_operator_bounds_programs_and_turns_them_off(maker_page, settings):
    settings.PROGRAMS_EACH = settings.WEBHOOKS_EACH = 1
    make(maker_page)
    assert "as many as this site allows (1)" in maker_page.post(NEW, FORM).text
    make_webhook(maker_page)
    assert "as many as this site allows (1)" in maker_page.post(NEW_WEBHOOK, HOOK).text
    assert (OAuthClient.objects.count(), Webhook.objects.count()) == (1, 1)
    settings.PROGRAMS_EACH = settings.WEBHOOKS_EACH = 0
    assert maker_page.post(NEW, FORM).status_code == 404
    assert maker_page.post(NEW_WEBHOOK, HOOK).status_code == 404
    assert (
        maker_page.get(PROGRAMS).text.count("On this site only the operator can add programs.") == 2
    )


def test_staff_see_who_made_a_program_and_end_it(maker_page, asha):
    program, _secret = make(maker_page)
    tokens = exchange_code(program, grant_code(asha, program)).json()
    desk = office(make_staff("Staff"))
    listed = desk.get("/admin/accounts/oauthclient/?q=Maker").text
    assert "Card Coach" in listed
    assert "Maker" in listed
    reason = {"post": "yes", "reason_for_audit": "It pretends to be ours."}
    desk.post(f"/admin/accounts/oauthclient/{program.pk}/delete/", reason)
    assert call_api(tokens).status_code == 401
    assert not OAuthClient.objects.exists()
    assert AuditEntry.objects.latest("pk").reason == "It pretends to be ours."


def test_staff_see_and_delete_a_players_webhook_but_neither_change_it_nor_see_its_secret(
    maker_page,
):
    webhook = make_webhook(maker_page)
    desk = office(make_staff("Staff"))
    page = desk.get(f"/admin/core/webhook/{webhook.pk}/change/").text
    assert "Maker" in page
    assert webhook.secret not in page
    desk.post(
        f"/admin/core/webhook/{webhook.pk}/change/",
        {**HOOK, "url": "https://staff.example/", "secret": "x", "reason_for_audit": "Why not."},
    )
    assert reload(webhook).url == HOOK["url"]
    reason = {"post": "yes", "reason_for_audit": "It floods a stranger."}
    desk.post(f"/admin/core/webhook/{webhook.pk}/delete/", reason)
    assert not Webhook.objects.exists()


def test_a_closed_account_leaves_no_program_behind(maker_page, maker, asha):
    program, _secret = make(maker_page)
    tokens = exchange_code(program, grant_code(asha, program)).json()
    make_webhook(maker_page)
    close_account(user_id=maker.pk)
    assert call_api(tokens).status_code == 401
    assert not any(kind.objects.exists() for kind in (OAuthClient, OAuthGrant, Webhook))


def test_the_programs_of_a_frozen_player_rest(maker_page, maker, asha):
    program, _secret = make(maker_page)
    tokens = exchange_code(program, grant_code(asha, program)).json()
    webhook = make_webhook(maker_page)
    freeze(user_id=maker.pk, staff_id=asha.pk, reason="Stolen.")
    assert call_api(tokens).status_code == 401
    assert deliver(webhook) is None


# --- Webhooks -------------------------------------------------------------------------------------


def make_webhook(maker_page, **terms):
    page = maker_page.post(NEW_WEBHOOK, {**HOOK, **terms})
    assert page.status_code == 200
    webhook = Webhook.objects.latest("pk")
    shown = SECRET.search(page.text)
    assert shown
    assert shown[1] == webhook.secret
    return webhook


def deliver(webhook, people=None):
    """Record a result of these players, by default the webhook's owner. Return the delivery, or None."""
    people = [webhook.owner_id] if people is None else people
    told = WebhookEvent.MATCH_ENDED
    record_result(told, lambda: {"match": 7}, people=people, now=timezone.now())
    return WebhookDelivery.objects.filter(webhook=webhook).last()


def test_a_webhook_gets_the_results_of_its_own_player_alone(maker_page, maker, asha):
    webhook = make_webhook(maker_page)
    assert webhook.owner == maker
    assert deliver(webhook, [asha.pk]) is None
    assert deliver(webhook, [asha.pk, maker.pk]) is not None


def test_deliveries_are_shown_with_their_answers_and_sent_again(maker_page):
    webhook = make_webhook(maker_page)
    delivery = deliver(webhook)
    done = {"due_at": None, "delivered_at": timezone.now(), "tries": 1, "answer": "200 seen"}
    WebhookDelivery.objects.update(**done)
    page = maker_page.get(f"/accounts/webhooks/{webhook.pk}/").text
    assert "200 seen" in page
    assert "a match has ended" in page
    assert webhook.secret not in page
    again = f"/accounts/webhooks/{webhook.pk}/deliveries/{delivery.pk}/again/"
    told = maker_page.post(again, follow=True).text
    assert "The delivery will be sent again within a minute." in told
    delivery = reload(delivery)
    assert (delivery.tries, delivery.delivered_at) == (0, None)
    assert delivery.due_at is not None
    for _number in range(9):
        maker_page.post(again)
    assert "Too many requests." in maker_page.post(again, follow=True).text


def test_a_webhook_is_turned_off_on_again_renewed_and_deleted(maker_page):
    webhook = make_webhook(maker_page)
    page = f"/accounts/webhooks/{webhook.pk}/"
    maker_page.post(page, {**HOOK, "action": "off"})
    assert deliver(webhook) is None
    assert "This webhook is off" in maker_page.get(page).text
    maker_page.post(page, {**HOOK, "name": "New board"})
    assert (reload(webhook).is_active, reload(webhook).name) == (True, "New board")
    old = webhook.secret
    shown = SECRET.search(maker_page.post(f"{page}secret/").text)
    assert shown
    assert shown[1] == reload(webhook).secret != old
    maker_page.post(f"{page}delete/")
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "http://93.184.215.14/",
        "https://93.184.215.14:8443/",
        "https://user@93.184.215.14/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.0.0.8/",
        "https://192.168.1.1/",
        "https://169.254.169.254/latest/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "ftp://93.184.215.14/",
    ],
)
def test_a_players_webhook_leads_out_of_the_operators_network(maker_page, settings, url):
    """The internal hosts that the operator may use are not allowed in players' webhooks."""
    settings.WEBHOOK_INNER_HOSTS = ["127.0.0.1", "localhost", "10.0.0.8"]
    page = maker_page.post(NEW_WEBHOOK, {**HOOK, "url": url})
    assert "errorlist" in page.text
    assert not Webhook.objects.exists()
