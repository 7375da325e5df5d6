"""Players without a password have to prove their identity before actions that a thief would want."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import ApiToken, User
from core.tasks import send_sms
from tests.accounts.openid_provider import openid_provider, query_of
from tests.accounts.sms_service import sms_service
from tests.accounts.users import confirm_address
from tests.oauth_program import build_query, enter_program

pytestmark = pytest.mark.django_db
NUMBER = "+919876543210"
AGAIN = "/accounts/login/again/"
TOKENS = "/accounts/tokens/"
TOKEN = {"name": "Mine", "scopes": ["read"]}


@pytest.fixture(autouse=True)
def _fresh(fresh_rate_limits):
    """Clear the rate limits before each test: allauth counts attempts in the cache."""


@pytest.fixture(scope="module")
def service_server():
    with sms_service() as service:
        yield service


@pytest.fixture
def service(service_server, settings, monkeypatch):
    settings.SMS_SENDER = "core.sms.TwilioSms"
    settings.SMS_OPTIONS = service_server.options
    settings.SHOW_MAIL_LINKS = False
    service_server.status = 201
    service_server.received.clear()
    # Send at once instead of through the worker.
    monkeypatch.setattr(send_sms, "apply_async", lambda message, **_options: send_sms(*message))
    return service_server


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


@pytest.fixture
def asha():
    """A player who registered by phone and gave an address that nobody has confirmed."""
    user = User.objects.create_user("asha@example.com", None, player_name="Asha")
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    SocialAccount.objects.create(user=user, provider="phone", uid=NUMBER)
    return user


@pytest.fixture
def visit(asha):
    return enter(asha)


def enter(user):
    """Return a browser in which the player has been signed in for a while."""
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return browser


def code_in(text):
    (code,) = re.findall(r"(\d{6}) is your code for OpenRummy", text)
    return code


def asked_first(answer):
    return answer.status_code == 302 and answer["Location"].startswith(AGAIN)


def press(visit, way, then=TOKENS):
    return visit.post(f"{AGAIN}?next={then}", {"way": way})


def type_code(visit, code):
    """Enter the code and return to the page that asked for the proof."""
    answer = visit.post("/accounts/phone/code/", {"code": code})
    assert answer["Location"].startswith(AGAIN)
    return visit.get(answer["Location"])


class TestWhatIsAsked:
    @pytest.mark.parametrize(
        "path",
        [
            TOKENS,
            "/accounts/data/file/",
            "/accounts/data/close/",
            "/accounts/password/set/",
            "/accounts/2fa/totp/activate/",
            "/accounts/2fa/webauthn/add/",
        ],
    )
    def test_a_page_asks_for_a_proof(self, visit, service, path):
        if "2fa" in path:  # these pages refuse an unconfirmed address before they ask for a proof
            EmailAddress.objects.update(verified=True)
        answer = visit.get(path)
        assert asked_first(answer)
        page = visit.get(answer["Location"]).text
        assert f"Send a code to {NUMBER}" in page
        is_confirmed = "2fa" in path
        assert ("asha@example.com" in page) is is_confirmed

    def test_a_consent_asks_for_a_proof(self, visit):
        assert asked_first(visit.get("/oauth/authorize", build_query(enter_program())))
        assert asked_first(visit.get("/device", {"user_code": "BCDF-GHJK"}))

    def test_changing_the_address_asks_for_a_proof(self, visit, asha):
        form = {"email": "thief@example.com", "action_add": ""}
        assert asked_first(visit.post(reverse("account_email"), form))
        for action in ("action_primary", "action_remove"):
            form = {"email": asha.email, action: ""}
            assert asked_first(visit.post(reverse("account_email"), form))
        assert EmailAddress.objects.get().email == asha.email

    def test_removing_a_way_to_sign_in_asks_for_a_proof(self, visit, asha):
        other = SocialAccount.objects.create(user=asha, provider="oidc", uid="42")
        ways = reverse("socialaccount_connections")
        assert asked_first(visit.post(ways, {"account": other.pk}))
        assert SocialAccount.objects.count() == 2

    def test_a_password_or_second_factor_is_asked_for_where_there_is_one(self, visit, asha):
        Authenticator.objects.create(user=asha, type=Authenticator.Type.TOTP, data={})
        assert visit.get(TOKENS)["Location"].startswith("/accounts/2fa/reauthenticate/")
        asha.set_password("three small elephants")
        asha.save()
        visit = enter(asha)
        assert visit.get(TOKENS)["Location"].startswith("/accounts/reauthenticate/")
        assert visit.get(AGAIN)["Location"].startswith("/accounts/reauthenticate/")

    def test_without_any_way_the_page_says_whom_to_write_to(self, visit):
        SocialAccount.objects.all().delete()
        assert "Write to us." in visit.get(AGAIN).text
        assert press(visit, NUMBER)["Location"].startswith(AGAIN)
        assert press(visit, "mail")["Location"].startswith(AGAIN)
        assert mail.outbox == []

    def test_strangers_sign_in(self):
        assert Client().get(AGAIN)["Location"].startswith("/accounts/login/?next=")


class TestACode:
    def test_a_code_by_phone_opens_the_page(self, visit, service):
        assert press(visit, NUMBER)["Location"] == "/accounts/phone/code/"
        assert service.received[-1]["To"] == NUMBER
        assert type_code(visit, code_in(service.received[-1]["Body"]))["Location"] == TOKENS
        visit.post(TOKENS, TOKEN)
        assert ApiToken.objects.count() == 1

    def test_a_form_that_was_sent_goes_on_after_the_code(self, visit, service):
        answer = visit.post(TOKENS, TOKEN)
        assert asked_first(answer)
        assert not ApiToken.objects.exists()
        visit.post(answer["Location"], {"way": NUMBER})
        assert "ort_" in type_code(visit, code_in(service.received[-1]["Body"])).text
        assert ApiToken.objects.count() == 1

    def test_a_proof_counts_for_five_minutes(self, visit, service):
        press(visit, NUMBER)
        type_code(visit, code_in(service.received[-1]["Body"]))
        session = visit.session
        session["proof"]["at"] -= 301
        session.save()
        assert asked_first(visit.get(TOKENS))

    def test_a_code_to_another_number_proves_nothing(self, visit, service):
        other = User.objects.create_user("thief@example.com", None, player_name="Thief")
        SocialAccount.objects.create(user=other, provider="phone", uid="+919876543211")
        press(visit, "+919876543211")
        assert service.received == []  # the page sends codes only to the player's own number
        query = f"process=redirect&next={AGAIN}"
        visit.post(f"/accounts/phone/login/?{query}", {"number": "+919876543211"})
        page = type_code(visit, code_in(service.received[-1]["Body"]))
        assert "You do not sign in to your account that way. Choose another one." in page.text
        assert asked_first(visit.get(TOKENS))

    def test_a_wrong_code_proves_nothing(self, visit, service):
        press(visit, NUMBER)
        right = code_in(service.received[-1]["Body"])
        wrong = "000000" if right != "000000" else "000001"
        assert visit.post("/accounts/phone/code/", {"code": wrong}).status_code == 200
        assert asked_first(visit.get(TOKENS))

    def test_a_code_by_mail_opens_the_page(self, settings):
        settings.SHOW_MAIL_LINKS = False
        user = User.objects.create_user("binod@example.com", None, player_name="Binod")
        visit = enter(confirm_address(user))
        assert "Send a code to binod@example.com" in visit.get(AGAIN).text
        assert press(visit, "mail")["Location"] == "/accounts/phone/code/"
        assert (
            "We have sent an e-mail to binod@example.com."
            in visit.get("/accounts/phone/code/").text
        )
        (message,) = mail.outbox
        assert message.to == ["binod@example.com"]
        assert type_code(visit, code_in(message.body))["Location"] == TOKENS
        assert visit.get(TOKENS).status_code == 200

    def test_codes_by_mail_are_limited(self):
        user = User.objects.create_user("binod@example.com", None, player_name="Binod")
        visit = enter(confirm_address(user))
        for _time in range(5):
            press(visit, "mail")
        assert len(mail.outbox) == 3

    def test_signing_in_by_phone_is_a_proof(self, visit, service):
        visit.post(reverse("account_logout"))
        visit.post("/accounts/phone/login/", {"number": NUMBER})
        code = code_in(service.received[-1]["Body"])
        assert visit.post("/accounts/phone/code/", {"code": code}).url == "/"
        assert visit.get(TOKENS).status_code == 200


class TestAnotherSite:
    @pytest.fixture
    def asha(self):
        user = User.objects.create_user("asha@example.com", None, player_name="Asha")
        EmailAddress.objects.create(user=user, email=user.email, primary=True)
        SocialAccount.objects.create(user=user, provider="oidc", uid="42")
        return user

    @staticmethod
    def go_there_and_back(visit):
        page = visit.get(f"{AGAIN}?next={TOKENS}").text
        (way,) = re.findall(r'action="(/accounts/oidc/[^"]*)"', page)
        asked = query_of(visit.post(way.replace("&amp;", "&")).url)
        assert asked["prompt"] == "login"
        there = {"code": "a-code", "state": asked["state"]}
        answer = visit.get("/accounts/oidc/oidc/login/callback/", there)
        assert answer["Location"].startswith(AGAIN)
        return visit.get(answer["Location"])

    def test_signing_in_there_again_opens_the_page(self, visit, club):
        assert self.go_there_and_back(visit)["Location"] == TOKENS
        assert visit.get(TOKENS).status_code == 200

    def test_another_account_there_proves_nothing(self, visit, club):
        club.person = {"sub": "43", "email": "thief@example.com", "email_verified": True}
        page = self.go_there_and_back(visit)
        assert "You do not sign in to your account that way. Choose another one." in page.text
        assert asked_first(visit.get(TOKENS))
        assert SocialAccount.objects.count() == 1

    def test_a_site_that_is_no_longer_offered_is_not_named(self, visit, settings):
        settings.SOCIALACCOUNT_PROVIDERS = {}
        assert "Write to us." in visit.get(AGAIN).text
