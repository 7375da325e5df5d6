"""The player of a socket, read from the browser's session without changing it."""

import pytest
from django.conf import settings as given
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models.functions import Now

from accounts.models import User
from config.sockets.identity import find_person
from tests.given import require
from tests.tables.socket_client import session_of
from tests.wallet.cash_players import make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return make_player()


def list_stored():
    return list(Session.objects.values_list("session_key", "session_data", "expire_date"))


def test_a_socket_belongs_to_the_signed_in_player(user, django_assert_num_queries):
    key = session_of(user)
    before = list_stored()
    person = require(find_person(key))
    assert person == user
    with django_assert_num_queries(0):
        assert (person.pk, person.language, person.is_active) == (user.pk, user.language, True)
    assert person.player_name == "Asha"
    assert list_stored() == before


def test_an_unknown_or_expired_session_has_no_player(user):
    assert find_person("nothing") is None
    assert find_person("x" * 10_000) is None
    assert find_person("\N{CARD INDEX DIVIDERS}'; --\0") is None
    key = session_of(user)
    Session.objects.update(expire_date=Now())
    assert find_person(key) is None


def test_a_session_without_a_sign_in_has_no_player(user):
    session = SessionStore()
    session["first_deal"] = 1
    session.save()
    assert session.session_key is not None
    assert find_person(session.session_key) is None


def test_a_session_of_an_inactive_account_has_no_player(user):
    key = session_of(user)
    User.objects.update(is_active=False)
    assert find_person(key) is None


def test_a_new_password_ends_earlier_sessions(user):
    key = session_of(user)
    user.set_password("another one")
    user.save()
    assert find_person(key) is None
    assert find_person(session_of(user)) == user


def test_a_session_of_a_deleted_account_has_no_player(user):
    key = session_of(user)
    session = SessionStore(key)
    session[SESSION_KEY] = str(user.pk + 1_000)
    session.save()
    assert find_person(key) is None


def test_a_session_of_an_unknown_backend_has_no_player(user, settings):
    key = session_of(user)
    settings.AUTHENTICATION_BACKENDS = ["accounts.nothing.Backend"]
    assert find_person(key) is None


def test_a_rotated_secret_key_keeps_sessions_of_sockets(user, settings):
    """After a restart a socket may reconnect before any page has renewed the session's cookie."""
    key = session_of(user)
    settings.SECRET_KEY_FALLBACKS = [given.SECRET_KEY]
    settings.SECRET_KEY = "a new one"
    before = list_stored()
    assert find_person(key) == user
    assert list_stored() == before
    settings.SECRET_KEY_FALLBACKS = []
    assert find_person(key) is None
    assert list_stored() == before
