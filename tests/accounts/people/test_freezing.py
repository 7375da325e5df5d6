"""Freezing in the administration: its effects on a player, and the staff roles that may do it."""

import pytest
from allauth.usersessions.models import UserSession
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts.api_tokens.services import find_token, make_token
from accounts.desk.staff_roles import Role
from accounts.models import Scope, User
from accounts.people.closing import freeze, unfreeze
from core.models import OutgoingEmail
from core.models.audit import AuditEntry
from core.refusals import Refusal
from tests.accounts.sessions.test_sessions import is_in, sign_in
from tests.accounts.staff import act_on_rows, decide, member, office
from tests.accounts.users import PASSWORD, make_confirmed_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha():
    return make_confirmed_player()


@pytest.mark.parametrize("role", [Role.SUPPORT, Role.FINANCE, Role.SUPERUSER])
def test_staff_freeze_and_unfreeze_with_a_reason(asha, role):
    phone, desk = sign_in(asha), office(member(role))
    _token, text = make_token(user_id=asha.pk, name="Bot", scopes=[Scope.READ])
    page = desk.get(reverse("admin:accounts_user_change", args=[asha.pk])).text
    assert 'value="freeze"' in page
    decide(desk, asha, "freeze", "A stolen card.")
    assert not asha.is_active
    assert asha.frozen_at is not None
    assert not is_in(phone)
    assert not UserSession.objects.filter(user=asha).exists()
    assert find_token(text) is None
    entry = AuditEntry.objects.get(action="freeze")
    assert (entry.object_id, entry.reason) == (str(asha.pk), "A stolen card.")
    assert (entry.before["is_active"], entry.after["is_active"]) == (True, False)
    email = OutgoingEmail.objects.get(user=asha)
    assert "frozen" in email.text
    assert "stolen" not in email.text  # the reason is not sent, as it could warn a thief
    form = {"login": asha.email, "password": PASSWORD}
    assert "inactive" in phone.post(reverse("account_login"), form)["Location"]

    decide(desk, asha, "unfreeze", "It was a mistake.")
    assert asha.is_active
    assert asha.frozen_at is None
    assert is_in(sign_in(asha))
    assert find_token(text) is None  # like sessions, tokens stay ended: a thief may have made them


def test_freezing_needs_a_reason(asha):
    phone, desk = sign_in(asha), office(member(Role.SUPPORT))
    assert "Write a reason" in decide(desk, asha, "freeze", " ").text
    assert asha.is_active
    assert is_in(phone)
    assert not AuditEntry.objects.exists()


def test_the_games_desk_freezes_nobody(asha):
    desk = office(member(Role.GAMES))
    page = desk.get(reverse("admin:accounts_user_change", args=[asha.pk])).text
    assert 'value="freeze"' not in page
    decide(desk, asha, "freeze", "A stolen card.")
    assert asha.is_active
    assert not AuditEntry.objects.exists()


def test_only_a_superuser_freezes_staff(asha):
    support, games = member(Role.SUPPORT), member(Role.GAMES)
    desk = office(support)
    page = desk.get(reverse("admin:accounts_user_change", args=[games.pk])).text
    assert 'value="freeze"' not in page
    for decision in ("freeze", "end_sessions"):
        decide(desk, games, decision, "A stolen card.")
    assert games.is_active
    assert not AuditEntry.objects.exists()
    decide(office(member(Role.SUPERUSER)), games, "freeze", "A stolen card.")
    assert not games.is_active


def test_support_signs_a_player_out_everywhere(asha):
    phone, desk = sign_in(asha), office(member(Role.SUPPORT))
    listed = desk.get(reverse("admin:usersessions_usersession_changelist")).text
    assert "Chrome, Android" in listed
    decide(desk, asha, "end_sessions", "He has lost his phone.")
    assert not is_in(phone)
    assert asha.is_active
    assert AuditEntry.objects.get().action == "end_sessions"


def test_one_session_is_ended_from_the_list(asha):
    phone, laptop = sign_in(asha), sign_in(asha)
    row = UserSession.objects.get(session_key=phone.session.session_key)
    finance, support = office(member(Role.FINANCE)), office(member(Role.SUPPORT))
    assert act_on_rows(finance, "end_them", row).status_code == 403
    assert "Write a reason" in act_on_rows(support, "end_them", row, reason="").text
    assert is_in(phone)
    act_on_rows(support, "end_them", row, reason="An unknown device.")
    assert not is_in(phone)
    assert is_in(laptop)
    assert AuditEntry.objects.get().reason == "An unknown device."


def test_refusals_change_nothing(asha):
    boss = member(Role.SUPERUSER)
    for call in (
        lambda: freeze(user_id=boss.pk, staff_id=boss.pk, reason="x"),
        lambda: unfreeze(user_id=asha.pk, reason="x"),
    ):
        with pytest.raises(Refusal):
            call()
    assert list(User.objects.values_list("is_active", flat=True)) == [True, True]
    assert not OutgoingEmail.objects.exists()


def test_the_database_keeps_a_frozen_account_shut(asha):
    freeze(user_id=asha.pk, staff_id=member(Role.SUPERUSER).pk, reason="x")
    with pytest.raises(IntegrityError, match="is_not_active"), transaction.atomic():
        User.objects.filter(pk=asha.pk).update(is_active=True)
