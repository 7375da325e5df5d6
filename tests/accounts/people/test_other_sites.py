"""Signing in with an account of another site, through a real OpenID provider that the test runs."""

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.urls import reverse

from accounts.models import User
from accounts.people.guests import make_guest, remember_guest
from tests.accounts.openid_provider import openid_provider, query_of
from tests.accounts.users import confirm_address
from tests.wallet.cash_players import make_player
from wallet.ledger.balances import balance
from wallet.ledger.chart import player
from wallet.money import Currency

pytestmark = pytest.mark.django_db
LEAVE = "/accounts/oidc/oidc/login/"
PASSWORD = {"password": "seven-lemons-a-day"}
FORM = {"player_name": "Asha Rao", "email": "asha@example.com", "adult": "on"}


@pytest.fixture(scope="module")
def provider_server():
    with openid_provider() as provider:
        yield provider


@pytest.fixture
def club(provider_server, settings):
    settings.SOCIALACCOUNT_PROVIDERS = provider_server.setting
    provider_server.person = {"sub": "42", "email": "asha@example.com", "email_verified": True}
    provider_server.is_down = False
    return provider_server


def come_back(client, *, process="login", code="a-code", **more):
    """Follow the sign-in to the provider and back. Return the answer to its callback."""
    left = client.post(f"{LEAVE}?process={process}")
    assert left.status_code == 302, left.content
    asked = query_of(left.url)
    assert asked["code_challenge_method"] == "S256"
    assert set(asked["scope"].split()) == {"openid", "email"}
    return client.get(
        "/accounts/oidc/oidc/login/callback/", {"code": code, "state": asked["state"], **more}
    )


@pytest.fixture
def asha():
    password = PASSWORD["password"]
    user = User.objects.create_user("asha@example.com", password, player_name="Asha Rao")
    return confirm_address(user)


class TestTheFirstTime:
    def test_a_player_chooses_a_name_and_comes_back_without_a_password(
        self, client, club, settings
    ):
        settings.WELCOME_CHIPS = 10_000
        assert "Continue with Club" in client.get(reverse("account_login")).text
        answer = come_back(client)
        assert (answer.status_code, answer.url) == (302, reverse("socialaccount_signup"))
        assert not User.objects.exists()
        page = client.get(answer.url)
        assert 'value="asha@example.com"' in page.text
        answer = client.post(answer.url, FORM)
        assert (answer.status_code, answer.url) == (302, "/")
        user = User.objects.get()
        assert (user.player_name, user.email) == ("Asha Rao", "asha@example.com")
        assert user.adult_confirmed_at is not None
        assert not user.has_usable_password()
        assert EmailAddress.objects.filter(user=user, verified=True).exists()
        assert balance(player(user.pk, Currency.CHIPS)) == 10_000

        client.post(reverse("account_logout"))
        answer = come_back(client)
        assert (answer.status_code, answer.url) == (302, "/")
        assert client.session["_auth_user_id"] == str(user.pk)
        assert User.objects.count() == 1

    def test_a_minor_or_a_taken_name_stays_at_the_form(self, client, club):
        User.objects.create_user("other@example.com", player_name="Asha Rao")
        answer = come_back(client)
        said = client.post(answer.url, FORM | {"adult": ""}).text
        assert "is for people aged 18 and over" in said
        assert "This player name is taken." in said
        assert User.objects.count() == 1
        assert client.post(answer.url, FORM | {"player_name": "Asha R"}).status_code == 302

    def test_an_unconfirmed_address_stays_unconfirmed(self, client, club):
        club.person["email_verified"] = False
        client.post(come_back(client).url, FORM)
        assert EmailAddress.objects.get().verified is False

    def test_a_guest_keeps_table_and_chips(self, client, club, rf):
        request = rf.post("/")
        request.session = client.session
        guest = make_guest(request, name="Asha")
        remember_guest(request, guest.pk)
        request.session.save()
        client.cookies["sessionid"] = request.session.session_key
        answer = come_back(client)
        page = client.get(answer.url)
        assert 'value="Asha"' in page.text
        assert User.objects.get().is_guest
        client.post(answer.url, FORM | {"player_name": "Asha"})
        user = User.objects.get()
        assert (user.pk, user.is_guest) == (guest.pk, False)
        assert client.session["_auth_user_id"] == str(guest.pk)


class TestAnAccountThatIsThere:
    def test_an_address_does_not_open_an_existing_account(self, client, club, asha):
        answer = come_back(client)
        said = client.post(answer.url, FORM | {"player_name": "Asha R"}).text
        assert "Sign in to it, then connect Club" in said
        assert User.objects.count() == 1
        assert not SocialAccount.objects.exists()

    def test_a_player_connects_and_removes_the_site(self, client, club, asha):
        client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.post(come_back(client, process="connect").url, PASSWORD)
        connections = reverse("socialaccount_connections")
        assert (answer.status_code, answer.url) == (302, connections)
        page = client.get(connections).text
        assert "You can sign in with Club from now on." in page
        known = SocialAccount.objects.get(user=asha, uid="42")

        client.post(connections, {"account": known.pk})
        assert not SocialAccount.objects.exists()
        assert "You can no longer sign in that way." in client.get(connections).text

    def test_the_only_way_in_is_not_removed(self, client, club, asha):
        asha.set_unusable_password()
        asha.save()
        known = SocialAccount.objects.create(user=asha, provider="oidc", uid="42")
        come_back(client)  # signs the player in
        page = client.post(reverse("socialaccount_connections"), {"account": known.pk})
        assert "Set a password first." in page.text
        assert SocialAccount.objects.get() == known

    def test_a_site_that_another_player_has_connected_is_refused(self, client, club, asha):
        other = make_player("Other")
        SocialAccount.objects.create(user=other, provider="oidc", uid="42")
        client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.post(come_back(client, process="connect").url, PASSWORD)
        assert "belongs to another player" in client.get(answer.url).text
        assert SocialAccount.objects.get().user == other

    def test_a_frozen_player_stays_out(self, client, club, asha):
        SocialAccount.objects.create(user=asha, provider="oidc", uid="42")
        User.objects.filter(pk=asha.pk).update(is_active=False)
        come_back(client)
        assert "_auth_user_id" not in client.session


class TestWhatGoesWrong:
    def test_an_unsolicited_answer_signs_nobody_in(self, client, club):
        answer = client.get("/accounts/oidc/oidc/login/callback/", {"code": "a-code", "state": "x"})
        assert answer.status_code == 401
        assert "You are not signed in" in answer.text
        assert club.exchanged == [] or club.exchanged[-1].get("code") != "x"

    def test_a_code_that_the_provider_refuses_opens_no_account(self, client, club):
        answer = come_back(client, code="another")
        assert answer.status_code == 401
        assert not User.objects.exists()

    def test_a_silent_provider_leads_to_an_error_page(self, client, club):
        club.is_down = True
        answer = client.post(LEAVE)
        assert answer.status_code == 502
        assert "You are not signed in" in answer.text

    def test_a_site_that_is_not_offered_is_not_found(self, client, settings):
        settings.SOCIALACCOUNT_PROVIDERS, settings.SMS_SENDER = {}, ""
        assert client.post("/accounts/google/login/").status_code == 404
        assert client.post(LEAVE).status_code == 404
        assert "Continue with" not in client.get(reverse("account_login")).text
