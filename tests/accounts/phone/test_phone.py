"""Signing in by phone, with codes sent to a real HTTP provider that the test runs."""

import re
import time
from contextvars import copy_context

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts.models import User
from accounts.phone import codes
from accounts.phone.codes import read_number
from accounts.refusals import NOT_ANUMBER
from core.emails.sending import may_be_written_to, write_email
from core.models import OutgoingEmail
from core.tasks import send_sms
from tests.accounts.sms_service import sms_service
from tests.refusals import refused

pytestmark = pytest.mark.django_db
NUMBER = "+919876543210"
FORM = {"player_name": "Asha Rao", "email": "", "adult": "on"}
ASK, ANSWER = "/accounts/phone/login/", "/accounts/phone/code/"


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


def ask(client, number="98765 43210", query=""):
    return client.post(f"{ASK}{query}", {"number": number})


def code_in(service):
    text = service.received[-1]["Body"]
    (code,) = re.findall(r"^(\d{6}) is your code for OpenRummy", text)
    return code


def write_spaced(code):
    return f"{code[:3]} {code[3:]} "


def write_dashed(code):
    return f"{code[:3]}\u2013{code[3:]}"


def write_in_hindi(code):
    return code.translate({ord("0") + digit: 0x0966 + digit for digit in range(10)})


def wrong_code(service):
    return "000000" if code_in(service) != "000000" else "000001"


def enter(client, code):
    return client.post(ANSWER, {"code": code})


class TestNumbers:
    @pytest.mark.parametrize(
        "text",
        [
            "98765 43210",
            "098765-43210",
            "+91 (98765) 43210",
            "0091 9876543210",
            "91 98765 43210",
            "098765 43210",
            "९८७६५४३२१०",
            "+९१ ९८७६५ ४३२१०",
            "٩٨٧٦٥٤٣٢١٠",
            "\uff19876543210",
            NUMBER,
        ],
    )
    def test_a_number_is_read_in_many_spellings(self, text):
        assert read_number(text) == NUMBER

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "abc",
            "12",
            "+1 212 555 0100",
            "+91" + "9" * 20,
            "+٩٨٧",
            "①②③④⑤⑥⑦⑧⑨⓪⓪",
            "+91 12345 67890",
            "+91 98765 43210 ext. 5",
            "9 8",
        ],
    )
    def test_texts_that_are_no_mobile_number_are_refused(self, text):
        with refused(NOT_ANUMBER):
            read_number(text)


@pytest.mark.parametrize(
    "uid",
    [
        "9876543210",
        "+91 98765 43210",
        "+९१९८७६५४३२१०",
        "+09876543210",
        f"{NUMBER}\n",
        f"tel:{NUMBER}",
    ],
)
def test_the_database_has_one_spelling_of_a_number(asha, uid):
    SocialAccount.objects.create(user=asha, provider="phone", uid=NUMBER)
    SocialAccount.objects.create(user=asha, provider="google", uid=uid)  # other providers: any form
    with pytest.raises(IntegrityError, match="phone_in_international_form"), transaction.atomic():
        SocialAccount.objects.create(user=asha, provider="phone", uid=uid)


class TestComingIn:
    def test_a_player_registers_and_comes_back(self, client, service):
        assert "Continue with your phone number" in client.get("/accounts/login/").text
        assert ask(client).url == ANSWER
        assert service.received[0]["To"] == NUMBER
        answer = enter(client, code_in(service))
        assert answer.url == reverse("socialaccount_signup")
        assert client.post(answer.url, FORM).url == "/"
        user = User.objects.get()
        assert user.player_name == "Asha Rao"
        assert SocialAccount.objects.get(user=user).uid == NUMBER
        assert not EmailAddress.objects.exists()
        assert mail.outbox == []

        client.post(reverse("account_logout"))
        ask(client)
        assert enter(client, code_in(service)).url == "/"
        assert client.session["_auth_user_id"] == str(user.pk)

    def test_players_without_an_address_get_no_mail(self, client, service):
        ask(client)
        client.post(enter(client, code_in(service)).url, FORM)
        user = User.objects.get()
        assert not may_be_written_to(user.pk)
        write_email(user_id=user.pk, kind="payout", subject="x", text="y")
        assert not OutgoingEmail.objects.exists()

    def test_an_address_given_at_registration_waits_for_its_confirmation(self, client, service):
        ask(client)
        client.post(enter(client, code_in(service)).url, FORM | {"email": "asha@example.com"})
        address = EmailAddress.objects.get()
        assert (address.email, address.verified) == ("asha@example.com", False)
        assert User.objects.get().email == "asha@example.com"

    def test_a_number_is_connected_and_removed(self, client, service, asha):
        client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
        ask(client, query="?process=connect")
        answer = enter(client, code_in(service))
        answer = client.post(answer.url, {"password": "a-long-password"})
        ways = reverse("socialaccount_connections")
        assert answer.url == ways
        assert NUMBER in client.get(ways).text
        client.post(ways, {"account": SocialAccount.objects.get(user=asha).pk})
        assert not SocialAccount.objects.exists()


class TestRefusals:
    @pytest.mark.parametrize(
        "write", [write_spaced, write_dashed, write_in_hindi], ids=["spaces", "dash", "Hindi"]
    )
    def test_a_code_counts_however_it_is_typed(self, client, service, write):
        ask(client)
        assert enter(client, write(code_in(service))).status_code == 302

    def test_a_wrong_code_opens_nothing(self, client, service):
        ask(client)
        said = enter(client, wrong_code(service)).text
        assert "This code is wrong or has expired." in said
        assert not SocialAccount.objects.exists()
        assert enter(client, code_in(service)).status_code == 302  # the right code still works

    def test_after_five_guesses_the_right_code_is_worth_nothing(self, client, service):
        ask(client)
        for _guess in range(codes.GUESSES):
            enter(client, wrong_code(service))
        assert "This code is wrong or has expired." in enter(client, code_in(service)).text
        assert client.get(ANSWER).url == ASK

    def test_a_code_expires(self, client, service):
        ask(client)
        session = client.session
        session["phone_code"] |= {"until": time.time() - 1}
        session.save()
        assert enter(client, code_in(service)).url == ASK

    def test_a_code_counts_only_in_its_own_browser(self, client, service):
        ask(client)
        code = code_in(service)
        other = client.__class__()
        ask(other, "98765 43211")
        if code_in(service) != code:
            assert "This code is wrong or has expired." in enter(other, code).text

    def test_no_number_gets_more_than_three_messages(self, client, service):
        for _time in range(codes.OF_A_NUMBER):
            assert ask(client).status_code == 302
        said = ask(client).text
        assert "Several codes have already been sent." in said
        assert len(service.received) == codes.OF_A_NUMBER

    def test_the_site_sends_a_limited_number_a_day(self, client, service, settings):
        settings.SMS_A_DAY = 1
        assert ask(client).status_code == 302
        assert ask(client, "98765 43211").status_code == 200
        assert len(service.received) == 1

    def test_without_a_sender_there_is_no_phone_sign_in(self, client, settings):
        settings.SMS_SENDER = ""
        assert client.get(ASK).status_code == 404
        assert "phone number" not in client.get("/accounts/login/").text


def test_a_message_is_retried_when_the_provider_fails(service):
    def result_of_a_job():  # in a separate context, as the log lines include it
        return copy_context().run(send_sms.apply, (NUMBER, "text"))

    service.status, before = 503, service.asked
    assert result_of_a_job().status == "FAILURE"
    assert service.asked - before == 4
    service.status = 201
    assert result_of_a_job().status == "SUCCESS"
