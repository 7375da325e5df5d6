"""Absence e-mails are stopped with one click, on their page or by a mail program without cookies."""

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import AbsenceNotice
from accounts.people.mail_stop import build_stop_url, make_stop_token
from core.emails import sending
from core.models import OutgoingEmail
from tests.accounts.users import make_confirmed_player
from tests.given import reload

pytestmark = pytest.mark.django_db


def path_of(user):
    return reverse("accounts:stop_mails", args=[make_stop_token(user.pk)])


def test_the_headers_of_a_mail_offer_one_press(settings):
    player = make_confirmed_player()
    url = build_stop_url(player.pk)
    assert url == f"{settings.SITE_URL}{path_of(player)}"
    sending.write_email(user_id=player.pk, kind="absence", subject="x", text="y", stop_url=url)
    sending.write_email(user_id=player.pk, kind="account", subject="x", text="y")
    assert sending.send_emails(now=timezone.now()) == 2
    stoppable, other = (one.message() for one in mail.outbox)
    assert stoppable["List-Unsubscribe"] == f"<{url}>"
    assert stoppable["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert other["List-Unsubscribe"] is None
    assert [one["Auto-Submitted"] for one in (stoppable, other)] == ["auto-generated"] * 2
    assert not OutgoingEmail.objects.exists()


def test_a_mail_program_stops_them_without_a_session():
    player, other = make_confirmed_player(), make_confirmed_player("Binod")
    program = Client(enforce_csrf_checks=True)
    answer = program.post(path_of(player), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "Stopped:" in answer.text
    assert reload(player).absence_notice == AbsenceNotice.PUSH
    assert reload(other).absence_notice == AbsenceNotice.PUSH_OR_EMAIL


def test_looking_at_the_page_stops_nothing(client):
    """Mail scanners open every link to look for harmful pages."""
    player = make_confirmed_player()
    assert "Stop these e-mails" in client.get(path_of(player)).text
    assert reload(player).absence_notice == AbsenceNotice.PUSH_OR_EMAIL


def test_who_wants_nothing_at_all_keeps_that(client):
    player = make_confirmed_player()
    player.absence_notice = AbsenceNotice.NONE
    player.save(update_fields=["absence_notice"])
    client.post(path_of(player))
    assert reload(player).absence_notice == AbsenceNotice.NONE


@pytest.mark.parametrize("token", ["1", "1:x", "x", ":"])
def test_a_forged_token_is_not_found(client, token):
    player = make_confirmed_player()
    address = reverse("accounts:stop_mails", args=[token])
    assert client.post(address).status_code == 404
    assert reload(player).absence_notice == AbsenceNotice.PUSH_OR_EMAIL
