"""Warnings and silences: who may impose them, what they forbid, what the player is told, how they end."""

import json
import re
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.models import User
from config.account_data.closing import close_account
from config.account_data.export import export_account_data
from core.models import OutgoingEmail
from core.models.audit import AuditEntry
from core.threads import in_thread
from players.clubs.chat import post_in_club
from tables.chat.moderation import ModeratedLine
from tables.chat.sanctions import Grounds, lift, silence, warn
from tables.chat.selectors import find_silence
from tables.models import ChatLine, Club, ClubMember, ClubRole, ReportReason, Sanction
from tables.refusals import (
    NOT_SANCTIONABLE,
    NOT_SILENCED,
    OWN_SANCTION,
    SANCTION_NEEDS_WORDS,
    AlreadySanctioned,
    Silenced,
)
from tests.accounts.staff import decide, member, office
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.chat.talking import file_report, say_as
from tests.tables.driving import player_at
from tests.together import run_at_once

ABUSE = Grounds(ReportReason.ABUSE, "You called others fools.")
HOUR = timedelta(hours=1)


@pytest.fixture
def boss(db):
    return member(Role.SUPPORT)


@pytest.fixture
def rude(table):
    user = player_at(table, 1)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def filed(table, rude):
    say_as(rude, table, "You are a fool")
    return file_report(table, player_at(table, 0), rude, reason=ReportReason.ABUSE)


def silence_for(user, boss, lasts: timedelta | None = HOUR):
    return silence(
        user_id=user.pk, staff_id=boss.pk, grounds=ABUSE, lasts=lasts, now=timezone.now()
    )


def press(desk, user, measure, **more):
    address = reverse("admin:tables_sanction_about", args=[user.pk])
    return desk.post(address, {"measure": measure, "reason": "ABUSE", **more})


class TestChat:
    def test_a_silenced_player_says_phrases_and_no_words_at_the_table(self, table, rude, boss):
        silence_for(rude, boss)
        with pytest.raises(Silenced, match=r"until .*only the quick phrases"):
            say_as(rude, table, "You are a fool")
        assert not ChatLine.objects.exists()
        say_as(rude, table, phrase="thanks")
        assert ChatLine.objects.get().phrase == "thanks"
        say_as(player_at(table, 0), table, "Well done")

    def test_nor_in_a_club(self, rude, boss):
        club = Club.objects.create(name="Evening club", founder=rude)
        ClubMember.objects.create(club=club, user=rude, role=ClubRole.OWNER)
        silence_for(rude, boss)
        with pytest.raises(Silenced):
            post_in_club(
                club_id=club.pk, user_id=rude.pk, line=ModeratedLine(text="You are a fool")
            )
        assert not ChatLine.objects.exists()
        post_in_club(club_id=club.pk, user_id=rude.pk, line=ModeratedLine(phrase="thanks"))

    def test_a_silence_ends_by_itself(self, table, rude, boss):
        made = silence_for(rude, boss)
        Sanction.objects.filter(pk=made.pk).update(ends_at=timezone.now() - timedelta(seconds=1))
        assert find_silence(rude.pk) is None
        say_as(rude, table, "I am back")
        with refused(NOT_SILENCED):
            lift(sanction_id=made.pk, staff_id=boss.pk, now=timezone.now())

    def test_the_last_to_end_counts_and_one_for_good_never_ends(self, table, rude, boss):
        long = silence_for(rude, boss, timedelta(days=30))
        silence_for(rude, boss)
        assert find_silence(rude.pk) == long
        for_good = silence_for(rude, boss, None)
        silence_for(rude, boss)
        assert find_silence(rude.pk) == for_good
        with pytest.raises(Silenced, match="for good"):
            say_as(rude, table, "You are a fool")

    def test_a_lifted_silence_is_over_and_a_warning_silences_nobody(self, table, rude, boss):
        made = silence_for(rude, boss, None)
        lift(sanction_id=made.pk, staff_id=boss.pk, now=timezone.now())
        warn(user_id=rude.pk, staff_id=boss.pk, grounds=ABUSE)
        say_as(rude, table, "I am sorry")
        assert OutgoingEmail.objects.filter(subject="You may write again").count() == 1
        with refused(NOT_SILENCED):
            lift(sanction_id=made.pk, staff_id=boss.pk, now=timezone.now())

    def test_pages_show_the_notice_in_the_place_of_the_field_and_the_phrases_stay(
        self, table, rude, boss, client
    ):
        club = Club.objects.create(name="Evening club", founder=rude)
        ClubMember.objects.create(club=club, user=rude, role=ClubRole.OWNER)
        client.force_login(rude)
        pages = (f"/tables/{table.pk}/", f"/clubs/{club.pk}/")
        for page in pages:
            assert 'data-region="silence"' not in client.get(page).text
        silence_for(rude, boss)
        for page in pages:
            text = client.get(page).text
            assert "Our staff have silenced you until" in text
            assert re.search(r'data-ends-in="(3599|3600)"', text)
            assert 'href="/support/"' in text
            assert "Well played" in text
        assert 'name="text"' not in client.get(pages[1]).text
        silence_for(rude, boss, None)
        for page in pages:
            text = client.get(page).text
            assert "silenced you for good" in text
            assert "data-ends-in" not in text


class TestPressedTwice:
    def test_a_second_press_of_the_same_form_decides_nothing(self, rude, boss):
        desk = office(boss)
        form = re.search(
            r'name="form" value="([^"]+)"',
            desk.get(reverse("admin:tables_sanction_about", args=[rude.pk])).text,
        )
        pressed = partial(press, desk, rude, "day", form=require(form)[1])
        assert desk.get(pressed().url).text.count("Done. The player is told by e-mail.") == 1
        mails, entries = OutgoingEmail.objects.count(), AuditEntry.objects.count()
        assert "the decision was made once" in desk.get(pressed().url).text
        assert Sanction.objects.count() == 1
        assert OutgoingEmail.objects.count() == mails == 1
        assert AuditEntry.objects.count() == entries
        # A page loaded again has a new form id.
        press(desk, rude, "day", form="11111111-2222-4333-8444-555555555555")
        assert Sanction.objects.count() == 2

    @pytest.mark.django_db(transaction=True)
    def test_nor_do_two_presses_at_once(self, rude, boss):
        grounds = Grounds(ReportReason.ABUSE, "You called others fools.", form=uuid4())
        decide = partial(
            silence,
            user_id=rude.pk,
            staff_id=boss.pk,
            grounds=grounds,
            lasts=HOUR,
            now=timezone.now(),
        )
        results = run_at_once(decide, decide)
        assert {type(result) for result in results} == {AlreadySanctioned, Sanction}
        assert Sanction.objects.count() == 1


class TestWhom:
    def test_not_oneself_nor_a_bot_nor_a_closed_account(self, rude, boss, make_player):
        bot = User.objects.create(player_name="Bot", email="bot@bots.example", is_bot=True)
        closed = make_player()
        close_account(user_id=closed.pk)
        for user, staff, refusal in (
            (boss, boss, OWN_SANCTION),
            (bot, boss, NOT_SANCTIONABLE),
            (closed, boss, NOT_SANCTIONABLE),
        ):
            with refused(refusal):
                silence_for(user, staff)
            with refused(refusal):
                warn(user_id=user.pk, staff_id=staff.pk, grounds=ABUSE)
        made = silence_for(rude, boss)
        with refused(OWN_SANCTION):
            lift(sanction_id=made.pk, staff_id=rude.pk, now=timezone.now())
        assert Sanction.objects.count() == 1

    def test_something_else_has_to_be_said_in_words(self, rude, boss):
        with refused(SANCTION_NEEDS_WORDS):
            warn(user_id=rude.pk, staff_id=boss.pk, grounds=Grounds(ReportReason.OTHER, " "))
        assert not Sanction.objects.exists()

    def test_a_warning_has_no_end_in_the_database_either(self, rude, boss):
        made = warn(user_id=rude.pk, staff_id=boss.pk, grounds=ABUSE)
        with pytest.raises(IntegrityError), transaction.atomic():
            Sanction.objects.filter(pk=made.pk).update(ends_at=timezone.now())


class TestTold:
    def test_by_mail_what_why_and_until_when(self, rude, boss):
        silence_for(rude, boss)
        told = OutgoingEmail.objects.get()
        assert told.user == rude
        assert told.subject == "You are silenced"
        assert "Insults or threats: You called others fools." in told.text
        assert str(timezone.now().year) in told.text.split("Until:")[1]
        assert "Help and contact" in told.text

    def test_in_their_language(self, rude, boss):
        User.objects.filter(pk=rude.pk).update(language="hi")
        silence_for(rude, boss, None)
        warn(user_id=rude.pk, staff_id=boss.pk, grounds=ABUSE)
        for told in OutgoingEmail.objects.order_by("pk"):
            assert "अपमान या धमकी" in told.text
            assert "Until" not in told.text
            assert "staff" not in told.text

    def test_on_the_page_where_they_object(self, rude, boss, client):
        client.force_login(rude)
        assert 'data-region="sanctions"' not in client.get("/support/").text
        made = silence_for(rude, boss)
        warn(user_id=rude.pk, staff_id=boss.pk, grounds=ABUSE)
        shown = (
            client.get("/support/").text.split('data-region="sanctions"')[1].split("</section>")[0]
        )
        assert shown.count("You called others fools.") == 2
        assert "until " in shown
        lift(sanction_id=made.pk, staff_id=boss.pk, now=timezone.now())
        assert "lifted " in client.get("/support/").text
        client.post("/support/", {"topic": "OTHER", "text": "I did not say that."})
        assert rude.support_cases.count() == 1


class TestReport:
    def test_one_press_on_the_page_of_the_report_decides(self, filed, rude, boss):
        desk = office(boss)
        page = desk.get(reverse("admin:tables_report_change", args=[filed.pk])).text
        form = page.split('data-region="sanction"')[1]
        assert '<option value="ABUSE" selected>' in form
        for measure in ("warn", "hour", "day", "week", "month", "for_good"):
            assert f'value="{measure}"' in form
        answer = press(desk, rude, "day", report=filed.pk)
        assert answer.url == reverse("admin:tables_report_change", args=[filed.pk])
        made = Sanction.objects.get()
        assert (made.user, made.decided_by, made.report) == (rude, boss, filed)
        assert require(made.ends_at) - made.decided_at == pytest.approx(
            timedelta(days=1), abs=timedelta(minutes=1)
        )
        reload(filed)
        assert (filed.status, filed.handled_by) == ("ACTED", boss)
        told = {mail.user: mail.subject for mail in OutgoingEmail.objects.all()}
        assert told[rude] == "You are silenced"
        assert f"Silence #{made.pk}" in desk.get(answer.url).text

    def test_who_decided_and_why_is_in_the_audit_log(self, filed, rude, boss):
        press(office(boss), rude, "warn", report=filed.pk, words="Not here.")
        about = AuditEntry.objects.get(object_type="accounts.user", object_id=str(rude.pk))
        assert (about.action, about.staff_id) == ("warning", boss.pk)
        assert about.reason == "Insults or threats Not here."
        entry = AuditEntry.objects.get(object_type="tables.report", object_id=str(filed.pk))
        assert entry.after["status"] == "ACTED"

    def test_a_report_about_somebody_else_silences_nobody(self, filed, rude, boss, make_player):
        answer = press(office(boss), make_player(), "day", report=filed.pk)
        assert answer.status_code == 200
        assert not Sanction.objects.exists()
        assert reload(filed).status == "OPEN"

    def test_a_refusal_is_said_and_nothing_is_kept(self, filed, rude, boss):
        answer = press(office(boss), rude, "day", report=filed.pk, reason="OTHER")
        assert "also write what the player did" in answer.text
        assert not Sanction.objects.exists()
        assert not AuditEntry.objects.exists()
        assert reload(filed).status == "OPEN"


class TestDesk:
    def test_from_the_page_of_the_player_and_lifted_again(self, rude, boss):
        desk = office(boss)
        address = reverse("admin:tables_sanction_about", args=[rude.pk])
        person = reverse("admin:accounts_user_change", args=[rude.pk])
        assert address in desk.get(person).text
        assert desk.get(address).status_code == 200
        assert press(desk, rude, "for_good", words="Again and again.").url == person
        assert "Again and again." in desk.get(person).text
        made = Sanction.objects.get()
        assert made.ends_at is None
        decide(desk, made, "lift", "They have apologised.")
        assert (made.lifted_by, find_silence(rude.pk)) == (boss, None)
        assert AuditEntry.objects.filter(action="lift", reason="They have apologised.").exists()
        assert "lifted" in desk.get("/admin/tables/sanction/").text

    def test_only_roles_that_handle_reports(self, filed, rude):
        desk = office(member(Role.FINANCE))
        assert press(desk, rude, "day").status_code == 403
        assert not Sanction.objects.exists()
        assert press(office(member(Role.GAMES)), rude, "day").status_code == 302

    def test_nobody_silences_staff_who_may_not_appoint_any(self, boss):
        other = member(Role.GAMES)
        assert press(office(boss), other, "day").status_code == 403
        assert not Sanction.objects.exists()

    def test_an_unknown_measure_does_nothing(self, rude, boss):
        assert press(office(boss), rude, "year").status_code == 200
        assert not Sanction.objects.exists()


class TestData:
    def test_the_file_of_the_account_has_them_without_the_staff(self, rude, boss):
        silence_for(rude, boss)
        (kept,) = json.loads(export_account_data(rude.pk))["sanctions"]
        assert kept["words"] == ABUSE.words
        assert kept["ends_at"]
        assert boss.player_name not in json.dumps(kept)

    def test_a_closed_account_has_none(self, boss, make_player):
        leaver = make_player()
        silence_for(leaver, boss)
        close_account(user_id=leaver.pk)
        assert not Sanction.objects.exists()


async def test_the_socket_refuses_the_words_and_nobody_hears_them(scene):
    async with scene.connect(0, 1) as (first, second):
        await in_thread(
            partial(
                Sanction.objects.create,
                user=scene.people[0],
                kind=Sanction.Kind.SILENCE,
                reason=ReportReason.ABUSE,
                decided_by=scene.people[1],
            )
        )
        await first.send(type="say", phrase="", text="You are a fool")
        assert (await first.receive_until("error"))["code"] == "silenced"
        await first.send(type="say", phrase="thanks", text="")
        (heard,) = (await second.receive_until("chat"))["lines"]
        assert heard["phrase"] == "thanks"
