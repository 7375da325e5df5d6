"""The access that is revoked when an address is first proved, and when a password is reset by mail."""

import re
from functools import partial
from urllib.parse import quote

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.api_tokens.services import find_token, make_token
from accounts.models import ApiToken, OAuthDevice, OAuthGrant, OAuthSubject, Scope, User
from accounts.models.sessions import PushSubscription
from accounts.sessions.ending import end_access
from core.models import OutgoingEmail
from tests.accounts.sessions.test_sessions import is_in, sign_in
from tests.accounts.staff import office
from tests.accounts.users import PASSWORD, SIGNUP, confirm_address
from tests.api_program import Program
from tests.config.api.test_oauth_devices import ask_for_codes, error_of, grant_codes, poll
from tests.oauth_program import (
    enter_program,
    exchange_code,
    grant_code,
    grant_tokens,
    prove_recently,
    renew_tokens,
    tokens_exist,
    works,
)
from tests.together import is_lock_awaited, run_at_once
from tests.wallet.cash_players import make_staff
from tests.workers import wait_until

pytestmark = pytest.mark.django_db
NEW_PASSWORD = "twelve-figs-a-week"
PHONE = "+919876543210"


@pytest.fixture(autouse=True)
def _fresh(fresh_rate_limits):
    """Clear the rate limits before each test: allauth counts attempts in the cache."""


@pytest.fixture
def squatter():
    """A browser in which a stranger has registered with another person's address."""
    browser = Client()
    browser.post(reverse("account_signup"), SIGNUP)
    return browser


@pytest.fixture
def asha(squatter):
    return User.objects.get(email=SIGNUP["email"])


class Access:
    """Every way to sign in to an account or to act for it, except its password."""

    def __init__(self, user: User) -> None:
        self.program = enter_program()
        self.own = Program(user)
        self.tokens = grant_tokens(user, self.program, ["read", "play"])
        self.code = grant_code(user, self.program)
        self.device = grant_codes(user, self.program)
        SocialAccount.objects.create(user=user, provider="phone", uid=PHONE)
        Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
        PushSubscription.objects.create(user=user, endpoint="https://push.example/1")
        OAuthSubject.objects.create(user=user)

    def expect_no_program_works(self) -> None:
        assert self.own.get("account/").status_code == 401
        assert not works(self.tokens)
        assert renew_tokens(self.program, self.tokens).status_code == 400
        assert exchange_code(self.program, self.code).status_code == 400
        assert error_of(poll(self.program, self.device)) in {"invalid_grant", "expired_token"}
        assert not ApiToken.objects.exists()
        assert not OAuthGrant.objects.exists()
        assert not OAuthDevice.objects.exists()
        assert not tokens_exist()

    def count_ways(self) -> list[int]:
        kinds = (SocialAccount, Authenticator, PushSubscription, OAuthSubject)
        return [model.objects.count() for model in kinds]


def reset(email: str = SIGNUP["email"], *, browser: Client | None = None) -> str:
    """Set a new password through the link mailed to this address. Return the final page."""
    browser = browser or Client()
    browser.post(reverse("account_reset_password"), {"email": email})
    link = re.search(r"/accounts/password/reset/key/\S+", str(mail.outbox[-1].body))
    assert link is not None
    form = browser.get(link[0], follow=True).redirect_chain[-1][0]
    filled = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    return browser.post(form, filled, follow=True).text


def confirmation_of(user: User, email: str = SIGNUP["email"]) -> str:
    address = EmailAddress.objects.get(user=user, email=email)
    return reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])


def list_addresses(user: User) -> list[tuple[str, bool, bool]]:
    rows = EmailAddress.objects.filter(user=user).order_by("email")
    return list(rows.values_list("email", "verified", "primary"))


class TestTheOwnerOfTheMailbox:
    def test_taking_an_account_over_ends_everything_of_before(self, squatter, asha):
        access = Access(asha)
        page = reset()
        access.expect_no_program_works()
        assert access.count_ways() == [0, 0, 0, 0]
        assert not is_in(squatter)
        assert list_addresses(asha) == [(SIGNUP["email"], True, True)]
        assert "you are the first to prove that this address is yours" in page
        told = OutgoingEmail.objects.get(user=asha).text
        for line in (
            "API tokens: 1",
            "Programs of other people: 1",
            "Ways to sign in: your phone number",
            "Passkeys and second factors: 1",
            "Devices that received notifications: 1",
            "Devices that were signed in: ",
        ):
            assert line in page
            assert f"- {line}" in told
        asha.refresh_from_db()
        assert asha.check_password(NEW_PASSWORD)

    def test_a_second_reset_leaves_ways_that_the_owner_has_made(self, asha):
        reset()
        asha.refresh_from_db()
        access = Access(asha)
        page = reset()
        access.expect_no_program_works()
        # The subscription of a browser ends with its session.
        assert access.count_ways() == [1, 1, 0, 1]
        assert (
            "everything that others could have used to get into your account has been revoked"
            in page
        )
        assert "API tokens: 1" in OutgoingEmail.objects.latest("pk").text

    def test_a_reset_that_ends_nothing_says_nothing(self, squatter, asha):
        squatter.post(reverse("account_logout"))
        assert "has ended" not in reset()
        assert not OutgoingEmail.objects.exists()

    def test_a_link_opened_elsewhere_confirms_nothing(self, squatter, asha):
        """The reader of the mail and the squatter may be different people, so neither is confirmed."""
        access = Access(asha)
        path = confirmation_of(asha)
        stranger = Client()
        assert "Set a new password" in stranger.get(path).text
        assert stranger.post(path)["Location"] == path
        assert list_addresses(asha) == [(SIGNUP["email"], False, True)]
        reset(browser=stranger)
        access.expect_no_program_works()
        assert access.count_ways() == [0, 0, 0, 0]

    def test_an_address_added_by_the_squatter_goes(self, squatter, asha):
        """A link to that address would let the squatter back into the account."""
        EmailAddress.objects.create(user=asha, email="squatter@example.com")
        path = confirmation_of(asha, "squatter@example.com")
        reset()
        squatter.post(path)
        assert list_addresses(asha) == [(SIGNUP["email"], True, True)]

    def test_the_squatter_cannot_turn_the_link_to_another_address(self, asha):
        EmailAddress.objects.create(user=asha, email="squatter@example.com")
        browser = Client()
        browser.post(reverse("account_reset_password"), {"email": asha.email})
        [link] = re.findall(r"/accounts/password/reset/key/\S+", str(mail.outbox[-1].body))
        EmailAddress.objects.get(email="squatter@example.com").set_as_primary()
        assert "set-password" not in str(browser.get(link, follow=True).redirect_chain)
        assert not EmailAddress.objects.filter(verified=True).exists()

    def test_accounts_of_other_sites_with_an_unproved_address(self, client):
        """Registering through another site may leave an address that nobody has confirmed."""
        user = User.objects.create_user("asha@example.com", None, player_name="Asha")
        EmailAddress.objects.create(user=user, email=user.email, primary=True)
        SocialAccount.objects.create(user=user, provider="a-site-of-the-past", uid="42")
        assert "Ways to sign in: a-site-of-the-past" in reset()
        assert not SocialAccount.objects.exists()

    def test_a_mailbox_alone_does_not_open_the_administration(self):
        boss = make_staff("Boss")
        Authenticator.objects.create(user=boss, type=Authenticator.Type.TOTP, data={})
        reset(boss.email)
        assert Authenticator.objects.filter(user=boss).exists()


class TestTheOneWhoRegistered:
    def test_a_link_in_their_session_ends_nothing(self, squatter, asha):
        access = Access(asha)
        assert squatter.post(confirmation_of(asha)).status_code == 302
        assert list_addresses(asha) == [(SIGNUP["email"], True, True)]
        assert is_in(squatter)
        assert works(access.tokens)
        assert access.own.get("account/").status_code == 200
        assert access.count_ways() == [1, 1, 1, 1]

    def test_a_link_on_the_telephone_counts_after_signing_in(self, squatter, asha):
        phone, path = Client(), confirmation_of(asha)
        page = phone.get(path).text
        assert f"/accounts/login/?next={quote(path)}" in page
        form = {"login": asha.email, "password": SIGNUP["password1"], "next": path}
        assert phone.post(reverse("account_login"), form)["Location"] == path
        assert phone.post(path).status_code == 302
        assert list_addresses(asha) == [(SIGNUP["email"], True, True)]
        assert is_in(squatter)

    def test_the_right_address_replaces_a_mistyped_one(self, squatter, asha):
        EmailAddress.objects.create(user=asha, email="asha.rao@example.com")
        squatter.post(confirmation_of(asha, "asha.rao@example.com"))
        assert list_addresses(asha) == [("asha.rao@example.com", True, True)]
        asha.refresh_from_db()
        assert asha.email == "asha.rao@example.com"
        # The mistyped address is free again, so its real owner can register.
        stranger = Client()
        stranger.post(reverse("account_signup"), {**SIGNUP, "player_name": "Binod"})
        assert User.objects.filter(email=SIGNUP["email"], player_name="Binod").exists()

    def test_a_second_address_leaves_the_first(self, squatter, asha):
        squatter.post(confirmation_of(asha))
        EmailAddress.objects.create(user=asha, email="asha.rao@example.com")
        squatter.post(confirmation_of(asha, "asha.rao@example.com"))
        expected = [("asha.rao@example.com", True, False), (SIGNUP["email"], True, True)]
        assert list_addresses(asha) == expected

    def test_an_unproved_second_address_gets_no_link(self, squatter, asha):
        """A mistyped address may belong to a stranger."""
        squatter.post(confirmation_of(asha))
        EmailAddress.objects.create(user=asha, email="stranger@example.com")
        Client().post(reverse("account_reset_password"), {"email": "stranger@example.com"})
        assert "/password/reset/key/" not in str(mail.outbox[-1].body)

    def test_an_address_that_another_account_only_claims_can_be_registered(self, squatter, asha):
        squatter.post(confirmation_of(asha))
        EmailAddress.objects.create(user=asha, email="owner@example.com")
        form = SIGNUP | {"email": "owner@example.com", "player_name": "The Owner"}
        assert Client().post(reverse("account_signup"), form).status_code == 302
        owner = User.objects.get(email="owner@example.com")
        assert list_addresses(owner) == [("owner@example.com", False, True)]
        assert list_addresses(asha) == [(SIGNUP["email"], True, True)]

    def test_a_proved_further_address_cannot_be_registered(self, squatter, asha):
        squatter.post(confirmation_of(asha))
        EmailAddress.objects.create(user=asha, email="asha.rao@example.com", verified=True)
        form = SIGNUP | {"email": "asha.rao@example.com", "player_name": "Another"}
        assert Client().post(reverse("account_signup"), form).status_code == 200
        assert not User.objects.filter(player_name="Another").exists()


class TestAChangedPassword:
    CHANGE = reverse("account_change_password")
    FORM = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}

    @pytest.fixture
    def asha(self):
        return confirm_address(
            get_user_model().objects.create_user("asha@example.com", PASSWORD, player_name="Asha")
        )

    def test_it_ends_programs_if_the_player_leaves_the_tick(self, asha):
        browser, access = sign_in(asha), Access(asha)
        PushSubscription.objects.update(session_key=browser.session.session_key)
        page = browser.get(self.CHANGE).text
        assert (
            "Also revoke access to your account (API tokens: 1; Programs of other people: 1)"
            in page
        )
        assert "need a new token or your consent again." in page
        assert re.search(
            r"<input[^>]*name=\"end_programs\"[^>]*checked|checked[^>]*end_programs", page
        )
        browser.post(self.CHANGE, {**self.FORM, "end_programs": "on"})
        access.expect_no_program_works()
        assert access.count_ways() == [1, 1, 1, 1]
        assert is_in(browser)

    def test_it_leaves_them_if_not(self, asha):
        browser, access = sign_in(asha), Access(asha)
        browser.post(self.CHANGE, self.FORM)
        assert works(access.tokens)
        assert access.own.get("account/").status_code == 200

    def test_nobody_is_asked_who_has_none(self, asha):
        assert "end_programs" not in sign_in(asha).get(self.CHANGE).text

    def test_a_wrong_old_password_ends_nothing(self, asha):
        browser, access = sign_in(asha), Access(asha)
        browser.post(self.CHANGE, {**self.FORM, "oldpassword": "no", "end_programs": "on"})
        assert works(access.tokens)

    def test_a_first_password_ends_programs_too(self, asha):
        browser, access = sign_in(asha), Access(asha)
        asha.set_unusable_password()
        asha.save()
        browser.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
        prove_recently(browser, asha)
        filled = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD, "end_programs": "on"}
        browser.post(reverse("account_set_password"), filled)
        access.expect_no_program_works()

    def test_staff_end_programs_with_the_password(self, asha):
        access = Access(asha)
        desk = office(make_staff("Boss"))
        filled = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD, "usable_password": "true"}
        filled["reason_for_audit"] = "asked by phone"
        desk.post(reverse("admin:auth_user_password_change", args=[asha.pk]), filled)
        asha.refresh_from_db()
        assert asha.check_password(NEW_PASSWORD)
        access.expect_no_program_works()


@pytest.mark.django_db(transaction=True)
def test_a_token_made_during_a_reset_does_not_outlive_it(asha, squatter):
    """The request for the token began before the reset and waits for its lock."""
    browser = squatter
    prove_recently(browser, asha)
    form = {"name": "Mine", "scopes": ["read"]}

    def set_password() -> None:
        with transaction.atomic():
            user = User.objects.select_for_update(no_key=True).get(pk=asha.pk)
            wait_until(is_lock_awaited)
            user.set_password(NEW_PASSWORD)
            user.save(update_fields=["password"])
            end_access(user_id=asha.pk)

    answer, _done = run_at_once(
        partial(browser.post, reverse("accounts:tokens"), form), set_password
    )
    assert answer.status_code in {302, 403}
    assert not ApiToken.objects.exists()


def test_a_token_is_made_in_the_open_session(asha, squatter):
    prove_recently(squatter, asha)
    page = squatter.post(reverse("accounts:tokens"), {"name": "Mine", "scopes": ["read"]})
    text = re.search(r"ort_[\w-]+", page.text)
    assert text is not None
    made = find_token(text[0])
    assert made is not None
    assert made.user == asha


def test_a_token_of_a_frozen_account_is_over(asha):
    made, _text = make_token(user_id=asha.pk, name="Bot", scopes=[Scope.READ])
    end_access(user_id=asha.pk)
    assert not ApiToken.objects.filter(pk=made.pk).exists()
    assert ask_for_codes(enter_program()).status_code == 200
