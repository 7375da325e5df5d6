"""The operator's own e-mail texts: checked when they are saved, with the defaults as the fallback."""

import pytest
from django.conf import settings as project
from django.contrib import admin
from django.core import mail
from django.utils.translation import override

from accounts.desk.staff_roles import Role
from accounts.models import User
from accounts.people.closing import FROZEN, freeze
from config.desk.mail_kinds import ALL
from core.emails.kinds import (
    KINDS,
)
from core.emails.texts import format_mail
from core.models import MailText, OutgoingEmail, SiteIdentity
from tests.accounts.staff import member, office
from tests.core.site.pages import read_form_errors

pytestmark = pytest.mark.django_db
PAGE = "/admin/core/mailtext/"
OWN = {
    "kind": "frozen",
    "language": "en",
    "subject": "{site}: {name}, we have to talk",
    "text": "Dear {name},\nwrite to us. {{Braces}} stay.",
    "reason_for_audit": "A warmer word.",
}


@pytest.fixture
def staff(boss):
    return office(boss)


def test_a_mail_is_written_in_the_operators_words(staff, boss, asha):
    SiteIdentity.objects.create(name="Nimbu Rummy", short_name="Nimbu")
    assert staff.post(f"{PAGE}add/", OWN).status_code == 302
    freeze(user_id=asha.pk, staff_id=boss.pk, reason="Looks odd.")
    written = OutgoingEmail.objects.get()
    assert written.subject == "Nimbu Rummy: Asha, we have to talk"
    assert written.text == "Dear Asha,\nwrite to us. {Braces} stay."


def test_other_languages_and_deleted_texts_use_the_default(staff, boss, asha):
    staff.post(f"{PAGE}add/", OWN)
    User.objects.filter(pk=asha.pk).update(language="hi")
    freeze(user_id=asha.pk, staff_id=boss.pk, reason="Looks odd.")
    with override("hi"):
        usual = FROZEN.usual({"name": "Asha", "site": "OpenRummy"})
    written = OutgoingEmail.objects.get()
    assert (written.subject, written.text) == usual
    own = MailText.objects.get()
    assert staff.post(f"{PAGE}{own.pk}/delete/", {"post": "yes", **_REASON}).status_code == 302
    with override("en"):
        subject, _text = format_mail(FROZEN, name="Asha", values={})
    assert subject == "Your account is frozen"


_REASON = {"reason_for_audit": "The usual is better."}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"text": "Hello {nmae}"}, "no placeholder {nmae}. It has {name}, {site}."),
        ({"subject": "{amount}"}, "no placeholder {amount}"),
        ({"text": "Hello {name.__class__}"}, "not a placeholder"),
        ({"text": "Hello {name!r}"}, "not a placeholder"),
        ({"text": "Hello {name:>9}"}, "not a placeholder"),
        ({"text": "Hello {name[0]}"}, "not a placeholder"),
        ({"text": "Hello {na me}"}, "not a placeholder"),
        ({"text": "Hello {0}"}, "not a placeholder"),
        ({"text": "Hello {}"}, "not a placeholder"),
        ({"text": "Hello {name"}, "not a placeholder"),
        ({"text": "Hello }"}, "not a placeholder"),
        ({"kind": "nothing"}, "not one of the available choices"),
        ({"kind": "reset_password", "text": "Hello {name}"}, "needs {link}"),
        (
            {"kind": "reset_password", "text": "Open https://evil.example/?k={link}"},
            "on a line of its own",
        ),
        ({"kind": "confirm_address", "text": "{link}\n\n{link}"}, "on a line of its own"),
        ({"kind": "confirm_address", "text": "{link}\nor {link}"}, "on a line of its own"),
        (
            {"kind": "reset_password", "subject": "{link}", "text": "{link}"},
            "not belong in the subject",
        ),
        ({"kind": "support_answered", "text": "Hello {name}"}, "needs {answer}"),
        ({"text": ""}, "required"),
        ({"reason_for_audit": ""}, "required"),
    ],
)
def test_a_text_that_cannot_be_sent_is_not_saved(staff, changes, says):
    assert says in read_form_errors(staff.post(f"{PAGE}add/", {**OWN, **changes}))
    assert not MailText.objects.exists()


def test_a_mail_has_one_text_per_language(staff):
    assert staff.post(f"{PAGE}add/", OWN).status_code == 302
    assert "already has a text in this language" in read_form_errors(staff.post(f"{PAGE}add/", OWN))
    assert MailText.objects.count() == 1


@pytest.mark.parametrize("language", dict(project.LANGUAGES))
def test_the_form_shows_each_mails_default_text_and_placeholders(staff, boss, rf, language):
    """Saving the form's initial text unchanged gives the same mail as the default."""
    desk, code, begun = admin.site._registry[MailText], "", {}
    for code, kind in KINDS.items():
        request = rf.get("/", {"kind": code, "language": language})
        request.user = boss
        begun = desk.get_changeform_initial_data(request)
        form = desk.get_form(request)({**begun, **_REASON})
        assert form.is_valid(), (code, form.errors)
        values = {name: f"<{name} & co>" for name in kind.placeholders}
        with override(language):
            usual = format_mail(kind, name="Asha", values=values)
            form.save()
            own = format_mail(kind, name="Asha", values=values)
        assert (own[0], own[1].split()) == (usual[0], usual[1].split()), code
        assert MailText.objects.get().subject == begun["subject"]
        MailText.objects.all().delete()
    shown = staff.get(f"{PAGE}add/?kind={code}&language={language}").context["adminform"].form
    assert {name: shown.initial[name] for name in begun} == begun
    assert staff.post(f"{PAGE}add/", {**begun, **_REASON}).status_code == 302


def test_all_mails_are_listed_with_their_languages(staff):
    staff.post(f"{PAGE}add/", OWN)
    own = MailText.objects.get()
    page = staff.get(PAGE).text
    assert f'href="{PAGE}{own.pk}/change/">English: yours' in page
    assert f'href="{PAGE}add/?kind=frozen&amp;language=hi">Hindi: default' in page
    # Every kind in every language can be added, except the one that exists.
    assert page.count(f'href="{PAGE}add/?kind=') == len(project.LANGUAGES) * len(KINDS) - 1
    assert set(KINDS.values()) == set(ALL)
    assert len(ALL) == 40


def test_support_edits_mails_and_games_views_them(boss):
    assert office(member(Role.SUPPORT)).post(f"{PAGE}add/", OWN).status_code == 302
    games = office(member(Role.GAMES))
    assert games.post(f"{PAGE}add/", {**OWN, "language": "hi"}).status_code == 403
    page = games.get(PAGE).text
    assert "add/?kind=" not in page
    assert MailText.objects.count() == 1


def test_sign_in_mails_are_written_in_the_operators_words(client, staff, asha):
    SiteIdentity.objects.create(name="Nimbu Rummy", short_name="Nimbu")
    client.post("/accounts/password/reset/", {"email": asha.email})
    (usual,) = mail.outbox
    assert usual.subject == "[Nimbu Rummy] Password reset e-mail"
    assert "Hello from Nimbu Rummy!" in usual.body
    sent = {**OWN, "kind": "reset_password", "text": "Dear {name},\n\n{link}\n"}
    assert staff.post(f"{PAGE}add/", sent).status_code == 302
    client.post("/accounts/password/reset/", {"email": asha.email})
    own = mail.outbox[-1]
    assert own.subject == "[Nimbu Rummy] Nimbu Rummy: Asha, we have to talk"
    assert own.body.startswith("Dear Asha,\n\nhttp://testserver/accounts/password/reset/key/")
    path = own.body.partition("testserver")[2].strip()
    assert client.get(path, follow=True).status_code == 200


@pytest.mark.parametrize("code", ["reset_password", "confirm_address"])
def test_only_a_superuser_edits_a_mail_with_a_secret_link(staff, boss, code):
    begun = {**OWN, "kind": code, "text": "Hello {name}\n{link}"}
    support = office(member(Role.SUPPORT))
    assert "not one of the available choices" in read_form_errors(
        support.post(f"{PAGE}add/", begun)
    )
    assert f"add/?kind={code}" not in support.get(PAGE).text
    assert not MailText.objects.exists()
    assert staff.post(f"{PAGE}add/", begun).status_code == 302
    own = MailText.objects.get()
    changed = {**begun, "text": "Bye {name}\n{link}"}
    assert support.post(f"{PAGE}{own.pk}/change/", changed).status_code == 403
    assert support.post(f"{PAGE}{own.pk}/delete/", {"post": "yes", **_REASON}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [own.pk], "post": "yes", **_REASON}
    support.post(PAGE, chosen)
    assert support.get(f"{PAGE}{own.pk}/change/").status_code == 200  # read only
    # Nor may they change another mail's text to this kind.
    other = MailText.objects.create(kind="frozen", language="en", subject="s", text="t")
    read_form_errors(support.post(f"{PAGE}{other.pk}/change/", {**begun, "language": "hi"}))
    kept = [(row.kind, row.text) for row in MailText.objects.order_by("pk")]
    assert kept == [(code, "Hello {name}\n{link}"), ("frozen", "t")]


def test_a_saved_text_that_hides_the_link_is_not_sent(client, asha):
    MailText.objects.create(
        kind="reset_password", language="en", subject="s", text="https://evil.example/?k={link}"
    )
    client.post("/accounts/password/reset/", {"email": asha.email})
    (sent,) = mail.outbox
    assert "evil" not in sent.body
    assert any(line.startswith("http://testserver/accounts/") for line in sent.body.splitlines())


def test_every_mail_with_a_link_is_listed_as_secret():
    with_link = {code for code, kind in KINDS.items() if "link" in kind.placeholders}
    assert with_link == {code for code, kind in KINDS.items() if kind.has_secret_link}
    assert with_link == {"confirm_address", "reset_password"}
