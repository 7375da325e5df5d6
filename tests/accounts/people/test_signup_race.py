"""Two sign up at one moment: both forms saw nobody, the database decides."""

import threading
import time

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.people.test_signup import FORM

pytestmark = pytest.mark.django_db(transaction=True)


def sign_up_behind(**rival):
    """The answer to a sign-up whose form was checked before `rival` was committed."""
    answers = []

    def sign_up():
        try:
            answers.append(Client().post(reverse("account_signup"), FORM))
        finally:
            connection.close()

    thread = threading.Thread(target=sign_up)
    with transaction.atomic():
        User.objects.create_user(**rival)
        thread.start()
        wait_until_somebody_waits()
    thread.join(timeout=20)
    (answer,) = answers
    return answer


def wait_until_somebody_waits():
    for _attempt in range(200):
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone() != (0,):
                return
        time.sleep(0.05)
    pytest.fail("nobody waits")


def test_the_second_of_two_signups_with_one_name_is_refused():
    answer = sign_up_behind(email="other@example.com", player_name="asha RAO")
    assert answer.status_code == 200
    assert "This player name is taken." in answer.text
    assert list(User.objects.values_list("email", flat=True)) == ["other@example.com"]
    assert mail.outbox == []


def test_the_second_of_two_signups_with_one_address_is_refused():
    answer = sign_up_behind(email="asha@example.com", player_name="Other")
    assert answer.status_code == 200
    assert "There is an account with this e-mail address" in answer.text
    assert list(User.objects.values_list("player_name", flat=True)) == ["Other"]
    assert mail.outbox == []
