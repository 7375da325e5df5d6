"""BOT accounts: which accounts may become one, the mark in their name, and its removal by staff."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.models.users import AbsenceNotice, PageShownTo
from accounts.names import PlayerNameValidator
from accounts.people.bot_accounts import become_bot, take_bot_mark
from accounts.people.closing import freeze
from accounts.refusals import NOT_ABOT_ACCOUNT, REASON_MISSING, NoBotAccount
from core.models.audit import AuditEntry
from tables.models import PlayerRating
from tests.accounts.staff import decide
from tests.given import reload
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def refuse(user):
    """Check that the account may not become a BOT account, and that its row does not change."""
    before = User.objects.filter(pk=user.pk).values().get()
    with pytest.raises(NoBotAccount):
        become_bot(user_id=user.pk)
    assert User.objects.filter(pk=user.pk).values().get() == before


def test_a_new_account_becomes_a_bot_account_and_its_name_says_so(asha):
    become_bot(user_id=asha.pk)
    reload(asha)
    assert (asha.player_name, asha.is_bot_account, asha.is_bot) == ("Asha [BOT]", True, False)
    assert (asha.page_shown_to, asha.absence_notice) == (PageShownTo.EVERYBODY, AbsenceNotice.NONE)
    assert asha.name_skeleton == "asha [bot]"
    refuse(asha)  # it is one already


def test_a_long_name_is_shortened_and_a_taken_one_gets_the_number():
    long = User.objects.create_user("l@example.com", player_name="Abcdefghijklm nopqrs")
    other = User.objects.create_user("o@example.com", player_name="Abcdefghijklm nopqrt")
    assert become_bot(user_id=long.pk).player_name == "Abcdefghijklm [BOT]"
    name = become_bot(user_id=other.pk).player_name
    assert name == f"{'Abcdefghijklm'[: 13 - len(str(other.pk))]} {other.pk} [BOT]"
    assert len(name) == 20


def test_no_person_can_have_the_name_of_a_bot_account(asha):
    with pytest.raises(Exception, match="letters, digits, spaces"):
        PlayerNameValidator()("Asha [BOT]")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=asha.pk).update(became_bot_at=timezone.now())
    assert reload(asha).became_bot_at is None


def test_staff_guests_and_frozen_accounts_cannot_become_bot_accounts(asha):
    for field in ("is_staff", "is_guest", "is_bot"):
        User.objects.filter(pk=asha.pk).update(**{field: True})
        refuse(asha)
        User.objects.filter(pk=asha.pk).update(**{field: False})
    freeze(user_id=asha.pk, staff_id=0, reason="why")
    refuse(asha)


class TestThePage:
    @pytest.fixture
    def signed_in(self, client, asha):
        """A browser in which the player has just confirmed their password."""
        client.force_login(asha)
        client.post(reverse("account_reauthenticate"), {"password": "a-long-password"})
        return client

    def test_the_box_has_to_be_ticked(self, signed_in, asha):
        signed_in.post(reverse("accounts:become_bot"))
        assert not reload(asha).is_bot_account
        page = signed_in.get(reverse("accounts:tokens")).text
        assert "Make it a BOT account" in page

    def test_an_account_that_may_not_become_one_is_not_offered_it(self, signed_in, asha):
        User.objects.filter(pk=asha.pk).update(is_staff=True)
        page = signed_in.get(reverse("accounts:tokens")).text
        assert "An account that has never played" in page
        assert "Make it a BOT account" not in page

    def test_a_player_makes_it_one_for_good(self, signed_in, asha):
        sent = signed_in.post(reverse("accounts:become_bot"), {"sure": "yes"}, follow=True)
        assert "its name is Asha [BOT]" in sent.text
        assert "Make it a BOT account" not in sent.text
        assert reload(asha).is_bot_account
        again = signed_in.post(reverse("accounts:become_bot"), {"sure": "yes"}, follow=True)
        assert str(NoBotAccount.message) in again.text

    def test_becoming_a_bot_account_needs_the_password(self, client, asha):
        client.force_login(asha)
        answer = client.post(reverse("accounts:become_bot"), {"sure": "yes"})
        assert answer["Location"].startswith(reverse("account_reauthenticate"))
        assert not reload(asha).is_bot_account


class TestStaff:
    @pytest.fixture
    def bot(self, asha):
        PlayerRating.objects.create(
            user=asha, game="indian", format="POINTS", value=1700, deviation=90, volatility=0.06,
            matches=12, rated_at=timezone.now(),
        )  # fmt: skip
        become_bot(user_id=asha.pk)
        return reload(asha)

    def test_they_take_the_mark_away_with_a_reason(self, desk, bot):
        page = reverse("admin:accounts_user_change", args=[bot.pk])
        shown = desk.get(page).text
        assert "Remove the BOT mark" in shown
        assert "BOT account since" in shown
        decide(desk, bot, "take_bot_mark", "By mistake.")
        assert (bot.player_name, bot.is_bot_account) == ("Asha", False)
        assert not PlayerRating.objects.filter(user=bot).exists()
        assert AuditEntry.objects.filter(action="take_bot_mark").exists()

    def test_taking_the_mark_away_needs_a_reason_and_a_bot_account(self, bot):
        with refused(REASON_MISSING):
            take_bot_mark(user_id=bot.pk, reason=" ")
        assert reload(bot).player_name == "Asha [BOT]"
        person = User.objects.create_user("p@example.com", player_name="Player")
        with refused(NOT_ABOT_ACCOUNT):
            take_bot_mark(user_id=person.pk, reason="why")
        assert reload(person).player_name == "Player"
        assert PlayerRating.objects.filter(user=bot).exists()

    def test_a_taken_old_name_gets_the_number(self, bot):
        User.objects.create_user("other@example.com", player_name="ASHA")
        take_bot_mark(user_id=bot.pk, reason="By mistake.")
        assert reload(bot).player_name == f"Asha {bot.pk}"
