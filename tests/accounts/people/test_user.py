import re

import pytest
from django.contrib.auth.hashers import make_password
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"email": "asha@example.com", "player_name": "Other"}, "accounts_user_email"),
        ({"email": "Other@example.com", "player_name": "Other"}, "email_is_lower_case"),
        ({"email": "b@example.com", "player_name": "aSHA"}, "player_name_is_unique_in_any_case"),
        ({"email": "b@example.com", "player_name": "Al"}, "player_name_has_3_to_20_characters"),
    ],
)
def test_the_database_refuses_ambiguous_users(fields, constraint):
    User.objects.create_user("ASHA@example.com", player_name="Asha")
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        User.objects.create(**fields)
    assert User.objects.count() == 1


def test_a_superuser_administers_and_can_log_in_in_any_case(client):
    boss = User.objects.create_superuser("Boss@Example.com", "a-long-secret", player_name="Boss")
    assert (boss.is_staff, boss.is_superuser, boss.email) == (True, True, "boss@example.com")
    assert client.login(username="BOSS@example.com", password="a-long-secret")
    assert client.get(reverse("admin:accounts_user_changelist")).status_code == 200
    assert client.get(reverse("admin:accounts_user_change", args=[boss.pk])).status_code == 200
    answer = client.post(
        reverse("admin:accounts_user_add"),
        {
            "email": "New@Example.com",
            "player_name": " New  One ",
            "usable_password": "true",
            "password1": "seven-lemons-a-day",
            "password2": "seven-lemons-a-day",
            "reason_for_audit": "A new colleague.",
        },
    )
    assert answer.status_code == 302
    made = User.objects.exclude(pk=boss.pk).get()
    assert (made.email, made.player_name) == ("new@example.com", "New One")


def test_a_bot_cannot_log_in(client):
    bot = User.objects.create_user("bot@bots.invalid", player_name="Bot", is_bot=True)
    assert not bot.has_usable_password()
    assert not client.login(username="bot@bots.invalid", password="")


def test_the_settings_are_for_their_owner(client, asha):
    assert client.get("/accounts/settings/").url == "/accounts/login/?next=/accounts/settings/"
    client.force_login(asha)
    page = client.get("/accounts/settings/").text
    assert "asha@example.com" in page


@pytest.mark.parametrize(
    "name", ["account_email", "account_change_password", "mfa_index", "account_logout"]
)
def test_allauth_pages_wear_our_frame(client, asha, name):
    client.force_login(asha)
    answer = client.get(reverse(name), follow=True)
    assert answer.status_code == 200
    page = answer.text
    assert '<main class="site-main"' in page
    assert not re.search(r"\sstyle=|\son[a-z]+=|<script>", page)


def test_shown_links_fail_the_deployment_check(settings):
    settings.SHOW_MAIL_LINKS = True
    with pytest.raises(SystemCheckError, match=r"accounts\.E001"):
        call_command("check", "--deploy", "--tag", "security")


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("caf\u00e9-lemons", "cafe\u0301-lemons"),
        ("\u0958\u0932\u092e-nimbu", "\u0915\u093c\u0932\u092e-nimbu"),
    ],
    ids=["accent", "nukta"],
)
def test_a_password_is_right_from_every_keyboard(client, stored, typed):
    User.objects.create_user("asha@example.com", stored, player_name="Asha")
    User.objects.create_user("ravi@example.com", typed, player_name="Ravi")
    for email, password in (("asha@example.com", typed), ("ravi@example.com", stored)):
        answer = client.post("/accounts/login/", {"login": email, "password": password})
        assert answer.status_code == 302, email
        client.logout()
    assert not User.objects.get(player_name="Asha").check_password(f"{typed}!")


def test_a_password_that_was_stored_as_typed_stays_right():
    user = User.objects.create_user("asha@example.com", player_name="Asha")
    typed = "cafe\u0301-lemons"
    user.password = make_password(typed)
    assert user.check_password(typed)
    assert not user.check_password("cafe-lemons")
