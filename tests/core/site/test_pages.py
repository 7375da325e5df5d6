"""Pages that bind, such as the terms: written as drafts, published as versions, accepted by players."""

import pytest
from django.db import ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.legal_pages.services import accept_terms, publish
from accounts.models import PageAcceptance, User
from accounts.refusals import PAGE_IS_PUBLISHED, TermsHaveChanged
from config.account_data.export import export_account_data
from core.models import AuditEntry, PageVersion
from core.site.content import site
from tests.accounts.staff import decide, member, office
from tests.accounts.users import SIGNUP
from tests.refusals import refused

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = "/admin/core/pageversion/"


def publish_page(boss, kind="terms", text="# Play fair", **fields):
    draft = PageVersion.objects.create(kind=kind, text=text, **fields)
    return publish(version_id=draft.pk, staff_id=boss.pk)


def visit(client, path="/", **headers):
    return client.get(path, headers={"Accept": "text/html", **headers})


class TestStaff:
    def test_staff_write_a_draft_and_publish_it_with_a_reason(self, client, boss):
        staff = office(boss)
        draft = {"kind": "terms", "text": "# Play fair\n\nNo *bots*.", "words_0": "# ईमानदारी"}
        assert staff.post(f"{PAGES}add/", draft).status_code == 302
        version = PageVersion.objects.get()
        page = staff.get(f"{PAGES}{version.pk}/change/").text
        assert "<h2>Play fair</h2>" in page
        assert client.get("/site/terms/").status_code == 404
        decide(staff, version, "publish")
        assert version.published_at is None
        decide(staff, version, "publish", "We open.")
        assert (version.number, version.published_by) == (1, boss)
        entry = AuditEntry.objects.get(action="publish")
        assert (entry.reason, entry.after["number"]) == ("We open.", 1)
        told = client.get("/site/terms/").text
        assert "<h2>Play fair</h2>" in told
        assert "<em>bots</em>" in told
        in_hindi = client.get("/site/terms/", headers={"Accept-Language": "hi"}).text
        assert "<h2>ईमानदारी</h2>" in in_hindi
        assert 'href="/site/terms/"' in client.get("/rules/").text

    def test_the_next_version_begins_with_the_text_of_the_last(self, boss):
        publish_page(boss, text="# One", words={"hi": {"text": "# एक"}})
        staff = office(boss)
        form = staff.get(f"{PAGES}add/?kind=terms").context["adminform"].form
        assert form.initial["text"] == "# One"
        assert form.initial["words"] == {"hi": {"text": "# एक"}}

    def test_the_first_terms_begin_with_a_sample_that_nobody_accepts_again(self, boss, client):
        staff = office(boss)
        form = staff.get(f"{PAGES}add/?kind=terms").context["adminform"].form
        assert f"{site().name} is run by" in form.initial["text"]
        assert "{" not in form.initial["text"]
        assert form.initial["asks_again"] is False
        assert staff.get(f"{PAGES}add/").context["adminform"].form.initial["kind"] == "terms"
        for kind in ("imprint", "../admin", "nothing"):
            form = staff.get(f"{PAGES}add/?kind={kind}").context["adminform"].form
            assert not form.initial.get("text")
        publish_page(boss, text=form.initial.get("text") or "# One", asks_again=False)
        assert site().pages == {"terms": 1}
        client.force_login(boss)
        assert visit(client).status_code == 200
        # The next version asks players to accept it, unless staff clear the box.
        form = staff.get(f"{PAGES}add/?kind=terms").context["adminform"].form
        assert form.initial.get("asks_again", True) is True

    def test_a_page_has_one_draft(self, boss):
        PageVersion.objects.create(kind="terms", text="One")
        answer = office(boss).post(f"{PAGES}add/", {"kind": "terms", "text": "Two"})
        assert "There is already a draft of this page" in answer.text
        assert PageVersion.objects.count() == 1

    def test_publishing_needs_more_than_the_right_to_write(self):
        staff = office(member(Role.SUPPORT))
        assert staff.post(f"{PAGES}add/", {"kind": "imprint", "text": "We"}).status_code == 302
        draft = PageVersion.objects.get()
        assert decide(staff, draft, "publish", "x").status_code == 403
        assert draft.published_at is None


class TestPublished:
    def test_a_version_stays_as_it_is(self, boss):
        version = publish_page(boss)
        for change in (
            lambda: PageVersion.objects.update(text="Other"),
            lambda: PageVersion.objects.filter(pk=version.pk).delete(),
        ):
            stays = pytest.raises(ProgrammingError, match="a published page stays")
            with stays, transaction.atomic():
                change()
        with refused(PAGE_IS_PUBLISHED):
            publish(version_id=version.pk, staff_id=boss.pk)
        assert PageVersion.objects.get().text == "# Play fair"
        sent = {"kind": "terms", "text": "Other"}
        assert office(boss).post(f"{PAGES}{version.pk}/change/", sent).status_code == 403

    def test_older_versions_can_be_read(self, client, boss):
        publish_page(boss, text="# One")
        publish_page(boss, text="# Two")
        newest, older = (client.get(path).text for path in ("/site/terms/", "/site/terms/1/"))
        assert "<h2>Two</h2>" in newest
        assert 'href="/site/terms/1/"' in newest
        assert "<h2>One</h2>" in older
        assert "A newer version applies now." in older
        assert client.get("/site/terms/3/").status_code == 404
        assert client.get("/site/nothing/").status_code == 404

    def test_a_page_does_not_execute_markup_written_by_staff(self, client, boss):
        bad = "<script>alert(1)</script>\n\n[a](javascript:alert(1)) ![b](https://x.example/p.png)"
        publish_page(boss, kind="imprint", text=bad)
        page = client.get("/site/imprint/").text
        assert "<script>alert" not in page
        assert 'href="javascript' not in page
        assert "<img" not in page.partition("<article")[2].partition("</article>")[0]


class TestRegistering:
    def test_registration_asks_for_no_consent_without_published_pages(self, client):
        assert 'name="terms"' not in client.get("/accounts/signup/").text
        assert client.post("/accounts/signup/", SIGNUP).status_code == 302
        assert not PageAcceptance.objects.exists()

    def test_registration_stores_the_accepted_versions_and_the_time(self, client, boss):
        terms, privacy = publish_page(boss), publish_page(boss, kind="privacy")
        publish_page(boss, kind="imprint")
        page = client.get("/accounts/signup/").text
        assert 'href="/site/terms/"' in page
        assert 'name="terms_version" value="1"' in page
        before = timezone.now()
        refused = client.post("/accounts/signup/", {**SIGNUP, "terms_version": "1"})
        assert "To register, you need to accept the terms." in refused.text
        assert not User.objects.filter(email=SIGNUP["email"]).exists()
        sent = {**SIGNUP, "terms": "on", "terms_version": "1"}
        assert client.post("/accounts/signup/", sent).status_code == 302
        user = User.objects.get(email=SIGNUP["email"])
        kept = PageAcceptance.objects.filter(user=user, accepted_at__gte=before)
        assert set(kept.values_list("version_id", flat=True)) == {terms.pk, privacy.pk}
        assert visit(client).status_code == 200
        data = export_account_data(user.pk).decode()
        assert '"version__kind": "terms"' in data

    def test_terms_changed_during_registration_are_shown_again(self, client, boss):
        publish_page(boss)
        publish_page(boss, text="# Play fairer")
        sent = {**SIGNUP, "terms": "on", "terms_version": "1"}
        answer = client.post("/accounts/signup/", sent)
        page = answer.text
        assert "The terms changed while you were reading." in page
        assert 'name="terms_version" value="2"' in page
        assert not User.objects.filter(email=SIGNUP["email"]).exists()


class TestNextVisit:
    def test_newer_terms_come_before_the_page_that_was_wanted(self, client, boss, asha):
        publish_page(boss)
        client.force_login(asha)
        asked = visit(client, "/tournaments/?page=2")
        assert asked.url == "/site/accept/?next=%2Ftournaments%2F%3Fpage%3D2"
        page = visit(client, asked.url).text
        assert "<h2>Play fair</h2>" in page
        assert client.post("/site/accept/", {"number": "1", "next": "/rules/"}).status_code == 200
        assert not PageAcceptance.objects.exists()
        done = client.post("/site/accept/", {"number": "1", "accepted": "on", "next": "/rules/"})
        assert done.url == "/rules/"
        assert PageAcceptance.objects.get().user == asha
        assert visit(client, "/tournaments/").status_code == 200

    def test_consent_is_asked_again_only_for_a_new_version(self, client, boss, asha):
        publish_page(boss)
        client.force_login(asha)
        accept_terms(user_id=asha.pk, number=1)
        assert visit(client, "/rules/").status_code == 200
        publish_page(boss, text="# Play fair.", asks_again=False)
        assert site().terms == 1
        assert visit(client, "/rules/").status_code == 200
        publish_page(boss, text="# Play fairer")
        assert visit(client, "/rules/").status_code == 302
        with pytest.raises(TermsHaveChanged):
            accept_terms(user_id=asha.pk, number=2)
        sent = {"number": "2", "accepted": "on"}
        assert "changed while you were reading" in client.post("/site/accept/", sent).text
        assert set(PageAcceptance.objects.values_list("version__number", flat=True)) == {1}
        accept_terms(user_id=asha.pk, number=3)
        accept_terms(user_id=asha.pk, number=3)
        assert visit(client, "/rules/").status_code == 200

    def test_a_privacy_page_asks_for_no_consent(self, client, boss, asha):
        publish_page(boss, kind="privacy")
        client.force_login(asha)
        assert visit(client, "/rules/").status_code == 200

    @pytest.mark.parametrize(
        "path",
        [
            "/support/",
            "/wallet/withdrawals/",
            "/accounts/data/close/",
            "/accounts/logout/",
            "/site/terms/",
            "/docs/",
            "/api/v1/account/",
        ],
    )
    def test_new_terms_do_not_block_leaving_or_support(self, client, boss, asha, path):
        publish_page(boss)
        client.force_login(asha)
        assert not visit(client, path).headers.get("Location", "").startswith("/site/accept/")

    def test_new_terms_do_not_block_fragments_forms_visitors_or_staff(self, client, boss, asha):
        publish_page(boss)
        assert visit(client, "/rules/").status_code == 200
        client.force_login(asha)
        assert visit(client, "/rules/", **{"HX-Request": "true"}).status_code == 200
        assert client.get("/rules/", headers={"Accept": "application/json"}).status_code == 200
        assert visit(client, "/rules/").status_code == 302
        client.force_login(boss)
        assert visit(client, "/rules/").status_code == 200

    def test_consent_does_not_redirect_to_another_site(self, client, boss, asha):
        publish_page(boss)
        client.force_login(asha)
        sent = {"number": "1", "accepted": "on", "next": "https://evil.example/"}
        assert client.post("/site/accept/", sent).url == "/"

    def test_acceptance_is_looked_up_once(self, client, boss, asha):
        publish_page(boss)
        accept_terms(user_id=asha.pk, number=1)
        client.force_login(asha)
        looked_up = []
        for _ in range(3):
            with CaptureQueriesContext(connection) as asked:
                assert visit(client, "/rules/").status_code == 200
            looked_up.append(sum("accounts_page_acceptance" in one["sql"] for one in asked))
        assert looked_up == [1, 0, 0]
