"""Identity checks: the documents that a player sends, and their review in the administration."""

import os
import stat
from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.identity import services
from accounts.identity.rules import IdentityClaim
from accounts.identity.services import identity_is_approved
from accounts.models import IdentityCheck, IdentityDocument, User
from accounts.refusals import (
    IDENTITY_KNOWN,
    OWN_IDENTITY,
    REASON_MISSING,
    TooYoung,
)
from core.models.audit import AuditEntry
from tests.accounts.images import exif, jpeg, png, with_notes
from tests.accounts.staff import decide
from tests.given import descriptions, reload
from tests.refusals import refused
from tests.wallet.cash_players import make_player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("private")]

PAGE = "/accounts/identity/"
TODAY = date(2026, 5, 5)
CLAIM = IdentityClaim("Asha Rao", date(1990, 1, 31), "PAN", "ABCDE1234F")
FORM = {
    "full_name": "Asha Rao",
    "born_on": "1990-01-31",
    "document_kind": "PAN",
    "document_number": "abcde1234f",
}
State = IdentityCheck.State
Side = IdentityDocument.Side


def submit(user, claim=CLAIM, today=TODAY):
    return services.submit_identity_check(
        user_id=user.pk, claim=claim, images={Side.FRONT: png()}, today=today
    )


def upload(content=None, name="my pan.png"):
    return SimpleUploadedFile(name, png() if content is None else content, "text/html")


def files(folder):
    return sorted(Path(root) / name for root, _dirs, names in os.walk(folder) for name in names)


def read_everything():
    return list(IdentityCheck.objects.order_by("pk").values_list())


class TestServices:
    def test_an_identity_waits_until_it_is_approved(self, asha, boss):
        check = submit(asha)
        assert (check.state, identity_is_approved(asha.pk)) == (State.SUBMITTED, False)
        services.approve_identity_check(check_id=check.pk, staff_id=boss.pk)
        assert (reload(check).state, check.decided_by_id) == (State.APPROVED, boss.pk)
        assert check.decided_at is not None
        assert identity_is_approved(asha.pk)

    def test_images_are_private_files_with_random_names(self, asha, private):
        check = submit(asha)
        (file,) = files(private)
        assert file.read_bytes() == png()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        document = IdentityDocument.objects.get(identity_check=check)
        assert document.stored_as == str(file.relative_to(private))
        assert len(file.stem) == 32

    def test_images_are_kept_without_their_metadata(self, asha, private):
        noted = with_notes(jpeg(), exif())
        assert b"Nimbu" in noted
        services.submit_identity_check(
            user_id=asha.pk, claim=CLAIM, images={Side.FRONT: noted}, today=TODAY
        )
        (file,) = files(private)
        assert b"Nimbu" not in file.read_bytes()

    @pytest.mark.parametrize("born_on", [date(2008, 5, 6), date(2026, 5, 6)])
    def test_a_player_under_18_is_refused(self, asha, private, born_on):
        with pytest.raises(TooYoung):
            submit(asha, IdentityClaim("Asha Rao", born_on, "PAN", "ABCDE1234F"))
        assert read_everything() == []
        assert files(private) == []

    def test_the_day_of_the_18th_birthday_is_early_enough(self, asha):
        submit(asha, IdentityClaim("Asha Rao", date(2008, 5, 5), "PAN", "ABCDE1234F"))

    @pytest.mark.parametrize("approved", [False, True])
    def test_a_player_has_one_check_at_a_time(self, asha, boss, private, approved):
        check = submit(asha)
        if approved:
            services.approve_identity_check(check_id=check.pk, staff_id=boss.pk)
        before, kept = read_everything(), files(private)
        with refused(IDENTITY_KNOWN):
            submit(asha)
        assert (read_everything(), files(private)) == (before, kept)

    def test_a_decision_is_taken_by_somebody_else_and_a_refusal_needs_a_reason(self, asha, boss):
        check = submit(asha)
        before = read_everything()
        with refused(OWN_IDENTITY):
            services.approve_identity_check(check_id=check.pk, staff_id=asha.pk)
        with refused(REASON_MISSING):
            services.refuse_identity_check(check_id=check.pk, staff_id=boss.pk, reason="  ")
        assert read_everything() == before

    @pytest.mark.parametrize(
        ("change", "constraint"),
        [
            ({"state": "APPROVED"}, "says_who_decided"),
            ({"state": "REFUSED", "reason": "No."}, "says_who_decided"),
            ({"state": "REFUSED"}, "refusal_has_a_reason"),
        ],
    )
    def test_the_database_demands_a_decider_and_a_reason(self, asha, change, constraint):
        check = submit(asha)
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            IdentityCheck.objects.filter(pk=check.pk).update(**change)


class TestPage:
    @pytest.fixture(autouse=True)
    def _signed_in(self, asha, client):
        client.force_login(asha)

    def test_a_field_is_described_by_its_help(self, client):
        named, missing = descriptions(client.get(PAGE).text)
        assert {"id_front_helptext", "id_back_helptext"} <= named
        assert missing == set()

    def test_a_player_sends_documents_and_reads_the_decisions(self, client, asha, boss):
        page = client.get(PAGE).text
        assert "we have to know who you are" in page
        answer = client.post(PAGE, {**FORM, "front": upload(), "back": upload(jpeg())}, follow=True)
        page = answer.text
        assert "We have your documents and are checking them." in page
        assert "nothing for you to do" in page
        assert '<form method="post" enctype' not in page
        assert "ABCDE1234F" not in page
        assert "••••••234F" in page
        check = IdentityCheck.objects.get()
        assert check.document_number == "ABCDE1234F"
        documents = {document.side: document.content_type for document in check.documents.all()}
        assert documents == {"FRONT": "image/png", "BACK": "image/jpeg"}
        services.refuse_identity_check(check_id=check.pk, staff_id=boss.pk, reason="Too dark.")
        page = client.get(PAGE).text
        assert "We could not approve your identity: Too dark." in page
        client.post(PAGE, {**FORM, "front": upload()})
        check = IdentityCheck.objects.latest("pk")
        services.approve_identity_check(check_id=check.pk, staff_id=boss.pk)
        assert "Your identity is approved as Asha Rao." in client.get(PAGE).text

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            ({"born_on": "2012-01-01"}, "for people aged 18 and over"),
            ({"born_on": "1890-01-01"}, "the date on which you were born"),
            ({"born_on": "yesterday"}, "valid date"),
            ({"full_name": "<b>"}, "Enter your name in letters"),
            ({"full_name": "Asha\u200dRao"}, "Enter your name in letters"),
            ({"document_number": "12"}, "not a valid number for this kind of document"),
            ({"document_kind": "AADHAAR"}, "valid choice"),
            ({"front": "missing"}, "required"),
            ({"front": b"%PDF-1.7"}, "JPEG or PNG"),
            ({"front": b""}, "empty"),
            ({"front": png(10, 10)}, "200 to 12,000 pixels"),
            ({"front": png()[:-3]}, "cannot be read"),
            ({"front": jpeg(tail=bytes(5 * 1024 * 1024))}, "larger than 5 MB"),
            ({"back": b"MZ"}, "JPEG or PNG"),
        ],
    )
    def test_a_refused_form_is_explained(self, client, private, changes, sentence):
        fields = {**FORM, "front": png(), **changes}
        sent = {k: upload(v) if isinstance(v, bytes) else v for k, v in fields.items()}
        answer = client.post(PAGE, sent)
        assert answer.status_code == 200
        assert sentence in answer.text
        assert read_everything() == []
        assert files(private) == []

    def test_a_second_form_from_an_old_page_changes_nothing(self, client, asha):
        submit(asha)
        before = read_everything()
        answer = client.post(PAGE, {**FORM, "front": upload()})
        assert answer.status_code == 200
        assert read_everything() == before

    def test_the_page_takes_few_queries(self, client, asha):
        submit(asha)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as queries:
            client.get(PAGE)
        assert len(queries) <= 4

    def test_no_identity_is_asked_for_while_cash_is_off(self, client, settings, private):
        settings.CASH_PLAY = "off"
        assert client.get(PAGE).status_code == 404
        assert client.post(PAGE, {**FORM, "front": upload()}).status_code == 404
        assert "Identity" not in client.get("/accounts/settings/").text
        assert read_everything() == []
        assert files(private) == []


class TestAdministration:
    @pytest.fixture
    def check(self, asha):
        return submit(asha)

    def image_page(self):
        document = IdentityDocument.objects.get()
        return reverse("admin:accounts_identitycheck_image", args=[document.pk])

    def test_staff_see_a_document_and_decide_once(self, client, boss, check):
        client.force_login(boss)
        assert "Asha Rao" in client.get(reverse("admin:accounts_identitycheck_changelist")).text
        page = client.get(reverse("admin:accounts_identitycheck_change", args=[check.pk])).text
        assert 'value="approve"' in page
        image = self.image_page()
        assert image in page
        answer = client.get(image)
        assert (answer.content, answer["Content-Type"]) == (png(), "image/png")
        assert "no-store" in answer["Cache-Control"]
        seen = AuditEntry.objects.get()
        assert (seen.staff, seen.action, seen.object_id) == (boss, "see_document", str(check.pk))
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert "Write a reason" in decide(client, check, "refuse").text
        assert check.state == State.SUBMITTED
        decide(client, check, "approve", "Seen.")
        assert (check.state, check.decided_by) == (State.APPROVED, boss)
        page = client.get(reverse("admin:accounts_identitycheck_change", args=[check.pk])).text
        assert 'value="approve"' not in page
        decide(client, check, "refuse", "Late.")
        assert check.state == State.APPROVED

    def test_only_staff_who_may_decide_see_a_document(self, client, check):
        helper = User.objects.create_user("h@example.com", "x", player_name="Helper", is_staff=True)
        helper.user_permissions.add(Permission.objects.get(codename="view_identitycheck"))
        image = self.image_page()
        assert client.get(image).status_code == 302
        client.force_login(helper)
        assert client.get(image).status_code == 403
        page = client.get(reverse("admin:accounts_identitycheck_change", args=[check.pk]))
        assert page.status_code == 200
        assert 'value="approve"' not in page.text
        assert decide(client, check, "approve").status_code == 403
        helper.user_permissions.add(Permission.objects.get(codename="decide_identitycheck"))
        assert client.get(image).status_code == 200
        client.force_login(check.user)
        assert client.get(image).status_code == 302
        assert reload(check).state == State.SUBMITTED

    def test_the_queue_takes_the_same_queries_for_many(self, client, boss, check):
        client.force_login(boss)
        page = reverse("admin:accounts_identitycheck_changelist")
        client.get(page)
        with CaptureQueriesContext(connection) as for_one:
            client.get(page)
        for number in range(5):
            submit(make_player(f"Player{number}"))
        with CaptureQueriesContext(connection) as for_many:
            client.get(page)
        assert len(for_many) == len(for_one)

    def test_no_identity_is_decided_while_cash_is_off(self, client, boss, check, settings):
        client.force_login(boss)
        settings.CASH_PLAY = "off"
        before = read_everything()
        assert "identity check" not in client.get("/admin/").text.lower()
        pages = [
            reverse("admin:accounts_identitycheck_changelist"),
            reverse("admin:accounts_identitycheck_change", args=[check.pk]),
            reverse("admin:accounts_identitycheck_decide", args=[check.pk]),
            self.image_page(),
        ]
        for page in pages:
            assert client.post(page, {"decision": "approve"}).status_code == 403
        assert read_everything() == before
