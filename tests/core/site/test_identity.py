"""The site's identity: the operator's change shows on every page, in every process, at once."""

import subprocess
import sys

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.template import loader
from django.test.utils import CaptureQueriesContext

from accounts.desk.staff_roles import Role
from accounts.models import User
from core.models import AuditEntry, PageVersion, SiteIdentity
from core.site import content
from core.site.colours import compute_contrast, reads_on_dark, reads_on_light
from core.site.content import get_seen_site, refresh_site, refresh_site_after_commit, site
from core.tasks import refresh_site as refresh_job
from tests.accounts.images import jpeg, png
from tests.accounts.staff import member, office
from tests.accounts.users import SIGNUP
from tests.core.site.pages import read_form_errors
from tests.given import require
from tests.programs import ROOT
from tests.wallet.cash_players import make_staff
from tests.workers import environment

REASON = {"reason_for_audit": "Our own name."}
NAMED = {
    "name": "Nimbu Rummy",
    "short_name": "Nimbu",
    "company": "Nimbu Games Pvt Ltd",
    "postal_address": "4 Lemon Road, Pune",
    "support_email": "help@nimbu.example",
    "brand_light": "#7a1fa2",
    "brand_dark": "#d9a6f0",
    "least_age": "21",
    **REASON,
}
PAGE = "/admin/core/siteidentity/add/"


@pytest.fixture
def boss(transactional_db):
    return office(make_staff("Boss"))


def change(boss, **changes):
    return boss.post("/admin/core/siteidentity/1/change/", {**NAMED, **changes})


class TestEveryPage:
    def test_a_page_shows_the_operators_identity(self, client, boss):
        before = client.get("/").text
        assert "OpenRummy</title>" in before
        assert "Nimbu" not in before
        assert boss.post(PAGE, NAMED).status_code == 302
        page = client.get("/").text
        assert "Nimbu Rummy</title>" in page
        assert "OpenRummy" not in page
        # allauth's pages have a variable `site` of their own.
        for path in ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"):
            assert "<span>Nimbu Rummy</span>" in client.get(path).text
        for told in ("Nimbu Games Pvt Ltd", "4 Lemon Road, Pune", "mailto:help@nimbu.example"):
            assert told in page
        assert "mailto:help@nimbu.example" in client.get("/support/").text
        manifest = client.get("/manifest.webmanifest").json()
        assert (manifest["name"], manifest["short_name"]) == ("Nimbu Rummy", "Nimbu")
        assert manifest["theme_color"] == "#7a1fa2"
        assert "Nimbu Rummy administration" in boss.get("/admin/").text
        schema = client.get("/api/v1/schema/", headers={"Accept": "application/json"}).json()
        assert schema["info"]["title"] == "Nimbu Rummy"
        assert AuditEntry.objects.get().after["name"] == "Nimbu Rummy"

    def test_a_page_links_its_colours_as_a_stylesheet(self, client, boss):
        assert "/site/colours/" not in client.get("/").text
        boss.post(PAGE, NAMED)
        address = "/site/colours/7a1fa2d9a6f0.css"
        assert f'href="{address}"' in client.get("/").text
        sheet = client.get(address)
        assert "--brand: light-dark(#7a1fa2, #d9a6f0);" in sheet.text
        assert "immutable" in sheet.headers["Cache-Control"]
        assert address in client.get("/offline/en/").text
        assert client.get("/site/colours/7a1fa2ffffff.css").status_code == 404

    def test_the_logo_is_in_the_header_and_on_home_screens(self, client, boss):
        logo = SimpleUploadedFile("x.png", png(512, 512), "image/png")
        assert boss.post(PAGE, {**NAMED, "logo_file": logo}).status_code == 302
        mark = SiteIdentity.objects.get().logo_mark
        address = f"/site/logo/{mark}.png"
        assert client.get("/").text.count(address) == 3
        answer = client.get(address)
        assert (answer.content, answer.headers["Content-Type"]) == (png(512, 512), "image/png")
        icons = client.get("/manifest.webmanifest").json()["icons"]
        assert [(icon["src"], icon["sizes"]) for icon in icons] == [(address, "512x512")]
        assert client.get("/favicon.ico").url == address
        assert client.get("/site/logo/0123456789abcdef.png").status_code == 404
        assert change(boss).status_code == 302
        assert SiteIdentity.objects.get().logo_mark == mark
        assert change(boss, without_logo="on").status_code == 302
        assert "/site/logo/" not in client.get("/").text
        assert client.get(address).status_code == 404

    def test_a_page_reads_the_identity_from_the_cache(self, client, boss):
        boss.post(PAGE, NAMED)
        with CaptureQueriesContext(connection) as asked:
            client.get("/rules/")
        assert [query for query in asked if "site_identity" in query["sql"]] == []

    def test_an_error_page_shows_the_last_known_name(self, boss):
        boss.post(PAGE, NAMED)
        cache.clear()
        with CaptureQueriesContext(connection) as asked:
            page = loader.get_template("503.html").render()
        assert "Nimbu Rummy</title>" in page
        assert len(asked) == 0
        content._seen.clear()
        assert "OpenRummy</title>" in loader.get_template("503.html").render()


class TestWriting:
    @pytest.mark.parametrize(
        ("changes", "says"),
        [
            ({"name": ""}, "required"),
            ({"short_name": "A very long name"}, "at most 12"),
            ({"brand_light": "purple"}, "Enter a colour such as #0b6b4d"),
            ({"brand_light": "#ffd54f"}, "too light"),
            ({"brand_dark": "#3a0a4a"}, "too dark"),
            ({"brand_dark": ""}, "both colours"),
            ({"least_age": "17"}, "greater than or equal to 18"),
            ({"support_email": "nobody"}, "valid e-mail"),
            ({"reason_for_audit": ""}, "required"),
            ({"logo_file": SimpleUploadedFile("x.png", b"<svg/>")}, "not a PNG"),
            ({"logo_file": SimpleUploadedFile("x.png", jpeg(512, 512))}, "512 by 512"),
            ({"logo_file": SimpleUploadedFile("x.png", png(512, 500))}, "512 by 512"),
            ({"logo_file": SimpleUploadedFile("x.png", png() + bytes(205_000))}, "200 KB"),
        ],
    )
    def test_the_form_refuses_an_identity_that_cannot_be_shown(self, boss, changes, says):
        for file in changes.values():
            if hasattr(file, "seek"):
                file.seek(0)
        assert says in read_form_errors(boss.post(PAGE, {**NAMED, **changes}))
        assert not SiteIdentity.objects.exists()
        assert site().name == "OpenRummy"

    def test_the_identity_has_one_row(self, boss):
        boss.post(PAGE, NAMED)
        second = boss.post(PAGE, {**NAMED, "name": "Another"})
        assert second.url == "/admin/core/siteidentity/1/change/"
        assert SiteIdentity.objects.get().name == "Nimbu Rummy"

    def test_roles_view_the_identity_and_the_superuser_edits_it(self, transactional_db):
        for role in (Role.SUPPORT, Role.FINANCE, Role.GAMES):
            staff = office(member(role))
            assert staff.get("/admin/core/siteidentity/").status_code == 200
            assert staff.post(PAGE, NAMED).status_code == 403
        assert not SiteIdentity.objects.exists()


class TestCache:
    @pytest.fixture(autouse=True)
    def _row(self, transactional_db):
        SiteIdentity.objects.create(name="First", short_name="First")

    def rename(self, name):
        SiteIdentity.objects.update(name=name)
        refresh_site_after_commit()

    def test_the_cache_holds_only_committed_values(self):
        assert site().name == "First"
        with transaction.atomic():
            self.rename("Never")
            transaction.set_rollback(True)
        assert site().name == "First"
        with transaction.atomic():
            self.rename("Second")
            assert site().name == "First"
        assert site().name == "Second"

    def test_a_reader_who_was_slow_puts_nothing_old_back(self, monkeypatch):
        """A reader finds the cache empty and reads the row. Before it caches the row, a change is committed."""
        really = content._read

        def read_slowly():
            old = really()
            monkeypatch.setattr(content, "_read", really)
            self.rename("Second")  # commits and updates the cache
            return old

        cache.delete("site")
        monkeypatch.setattr(content, "_read", read_slowly)
        assert site().name == "First"
        assert site().name == "Second"

    def test_another_process_shows_it_at_once(self):
        show = (
            "import django; django.setup()\n"
            "from core.site.content import site\n"
            "import sys\n"
            "for _line in sys.stdin: print(site().name, flush=True)\n"
        )
        other = subprocess.Popen(
            [sys.executable, "-c", show],
            cwd=ROOT, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        asking, answers = require(other.stdin), require(other.stdout)
        try:
            for name in ("Second", "Third"):
                self.rename(name)
                asking.write("\n")
                asking.flush()
                assert answers.readline().strip() == name
        finally:
            other.communicate()

    def test_the_minutely_job_refreshes_the_cache_after_a_crash(self):
        assert site().name == "First"
        SiteIdentity.objects.update(name="Second")  # then the process dies
        assert site().name == "First"
        refresh_job()
        assert site().name == "Second"
        assert get_seen_site().name == "Second"

    def test_the_identity_falls_back_to_the_settings(self, settings):
        SiteIdentity.objects.all().delete()
        settings.SITE_NAME, settings.SUPPORT_EMAIL = "Plain Rummy Club", "a@b.example"
        read = refresh_site()
        assert (read.name, read.short_name) == ("Plain Rummy Club", "Plain Rummy ")
        assert (read.support_email, read.least_age, read.pages) == ("a@b.example", 18, {})
        assert not PageVersion.objects.exists()


def test_the_minimum_age_applies_at_registration(client, boss):
    boss.post(PAGE, NAMED)
    form = {**SIGNUP, "adult": ""}
    page = client.get("/accounts/signup/").text
    assert "I am 21 years old or older." in page
    refused = client.post("/accounts/signup/", form).text
    assert "Nimbu Rummy is for people aged 21 and over." in refused
    like_us = client.post("/accounts/signup/", {**SIGNUP, "player_name": "Nimbu Rummy"})
    assert "mistaken for one of the site" in like_us.text
    assert not User.objects.filter(email=SIGNUP["email"]).exists()
    assert client.post("/accounts/signup/", SIGNUP).status_code == 302


def test_contrast_is_measured_as_the_guidelines_say():
    assert compute_contrast("#ffffff", "#000000") == 21
    assert round(compute_contrast("#767676", "#ffffff"), 2) == 4.54
    assert [reads_on_light(one) for one in ("#0b6b4d", "#46cf9c")] == [True, False]
    assert [reads_on_dark(one) for one in ("#0b6b4d", "#46cf9c")] == [False, True]


def test_the_page_of_the_site_is_its_form(boss):
    """There is only one row, so there is no list and no way to add another."""
    listed = boss.get("/admin/core/siteidentity/")
    assert 'name="short_name"' in listed.text
    assert "LANGUAGES" in listed.text
    boss.post(PAGE, NAMED)
    for address in ("/admin/core/siteidentity/", "/admin/core/sitenumbers/"):
        page = boss.get(address, follow=True).text
        assert "_addanother" not in page
        assert f'href="{address}add/"' not in page
    assert "Nimbu Games" in boss.get("/admin/core/siteidentity/", follow=True).text
