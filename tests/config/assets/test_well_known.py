"""The well-known addresses that programs look up on any site, as defined by their standards."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from config.assets.well_known import NOT_FOR_CRAWLERS
from core.models import SiteIdentity
from core.site.content import refresh_site

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db):
    """A site with another name. The cache is refreshed afterwards, as it does not follow the rollback."""
    named = SiteIdentity.objects.create(
        name="Club", short_name="Club", support_email="help@club.example"
    )
    refresh_site()
    yield named
    named.delete()
    refresh_site()


def test_robots_txt_excludes_personal_pages(client):
    answer = client.get("/robots.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    first, *lines = answer.text.splitlines()
    assert first == "User-agent: *"
    *refused, named = lines
    assert refused == [f"Disallow: {path}" for path in NOT_FOR_CRAWLERS]
    assert named == "Sitemap: http://testserver/sitemap.xml"


def test_every_page_of_the_sitemap_is_public(client):
    answer = client.get("/sitemap.xml")
    assert answer.status_code == 200
    listed = re.findall(r"<loc>http://testserver(/[^<]*)</loc>", answer.text)
    assert {"/", "/rules/gin/", "/learn/rummikub/", "/tournaments/", "/docs/rules/"} <= set(listed)
    assert len(listed) == len(set(listed))
    for path in listed:
        assert client.get(path).status_code == 200, path
        assert not path.startswith(NOT_FOR_CRAWLERS)


@pytest.mark.usefixtures("club")
def test_security_txt_names_where_to_report_a_fault(client):
    answer = client.get("/.well-known/security.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    fields = [line.split(": ", 1) for line in answer.text.splitlines()]
    contacts = [value for name, value in fields if name == "Contact"]
    assert contacts == ["mailto:help@club.example", "http://testserver/support/"]
    told = dict(fields)
    expires = datetime.strptime(told["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=90) < expires - timezone.now() < timedelta(days=365)
    assert told["Preferred-Languages"] == "en, hi"
    assert client.get(told["Policy"]).status_code == 200


def test_asset_links_name_the_android_apps(client, settings):
    address = "/.well-known/assetlinks.json"
    assert client.get(address).json() == []
    settings.ANDROID_APPS = ["com.example.play=14:6D", "com.example.beta=AA:BB"]
    answer = client.get(address)
    assert answer["Content-Type"] == "application/json"
    for link, app, mark in zip(
        answer.json(), ["com.example.play", "com.example.beta"], ["14:6D", "AA:BB"], strict=True
    ):
        assert link["relation"] == ["delegate_permission/common.handle_all_urls"]
        target = {"package_name": app, "sha256_cert_fingerprints": [mark]}
        assert link["target"] == {"namespace": "android_app", **target}


def test_the_change_password_address_redirects_to_the_page(client):
    answer = client.get("/.well-known/change-password")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/password/change/")
