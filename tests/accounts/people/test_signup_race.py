"""Two simultaneous registrations pass the form's checks, and the database lets only one succeed."""

import threading

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.people.test_signup import FORM
from tests.together import is_lock_awaited
from tests.workers import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def sign_up_behind(**rival):
    """Return the answer to a registration whose form was checked before `rival` was committed."""
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
        wait_until(is_lock_awaited)
    thread.join(timeout=20)
    (answer,) = answers
    return answer


@pytest.mark.parametrize(
    ("email", "player_name", "sentence"),
    [
        ("other@example.com", "asha RAO", "This player name is taken."),
        ("asha@example.com", "Other", "There is an account with this e-mail address"),
    ],
)
def test_the_second_of_two_signups_with_one_name_or_address_is_refused(
    email, player_name, sentence
):
    answer = sign_up_behind(email=email, player_name=player_name)
    assert answer.status_code == 200
    assert sentence in answer.text
    assert User.objects.get().player_name == player_name
    assert mail.outbox == []
