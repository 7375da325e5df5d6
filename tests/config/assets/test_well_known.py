"""Addresses that programs look for on any site, as their standards say."""

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
    """A site of its own name, which the cache forgets again: it knows of no rollback."""
    named = SiteIdentity.objects.create(
        name="Club", short_name="Club", support_email="help@club.example"
    )
    refresh_site()
    yield named
    named.delete()
    refresh_site()


def test_crawlers_are_told_which_pages_are_of_one_person(client):
    answer = client.get("/robots.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    first, *lines = answer.text.splitlines()
    assert first == "User-agent: *"
    *refused, named = lines
    assert refused == [f"Disallow: {path}" for path in NOT_FOR_CRAWLERS]
    assert named == "Sitemap: http://testserver/sitemap.xml"


def test_every_page_of_the_sitemap_is_there_for_visitors_and_crawlers(client):
    answer = client.get("/sitemap.xml")
    assert answer.status_code == 200
    listed = re.findall(r"<loc>http://testserver(/[^<]*)</loc>", answer.text)
    assert {"/", "/rules/gin/", "/learn/rummikub/", "/tournaments/", "/docs/rules/"} <= set(listed)
    assert len(listed) == len(set(listed))
    for path in listed:
        assert client.get(path).status_code == 200, path
        assert not path.startswith(NOT_FOR_CRAWLERS)


@pytest.mark.usefixtures("club")
def test_who_finds_a_fault_is_told_where_to_report_it(client):
    answer = client.get("/.well-known/security.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    fields = [line.split(": ", 1) for line in answer.text.splitlines()]
    assert [value for name, value in fields if name == "Contact"] == [
        "mailto:help@club.example",
        "http://testserver/support/",
    ]
    told = dict(fields)
    expires = datetime.strptime(told["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=90) < expires - timezone.now() < timedelta(days=365)
    assert told["Preferred-Languages"] == "en, hi"
    assert client.get(told["Policy"]).status_code == 200


def test_android_is_told_which_apps_show_the_site(client, settings):
    address = "/.well-known/assetlinks.json"
    assert client.get(address).json() == []
    settings.ANDROID_APPS = ["com.example.play=14:6D", "com.example.beta=AA:BB"]
    answer = client.get(address)
    assert answer["Content-Type"] == "application/json"
    assert [link["relation"] for link in answer.json()] == [
        ["delegate_permission/common.handle_all_urls"]
    ] * 2
    assert [link["target"] for link in answer.json()] == [
        {
            "namespace": "android_app",
            "package_name": package,
            "sha256_cert_fingerprints": [fingerprint],
        }
        for package, fingerprint in (("com.example.play", "14:6D"), ("com.example.beta", "AA:BB"))
    ]


def test_a_password_manager_is_led_to_the_page_of_a_new_password(client):
    answer = client.get("/.well-known/change-password")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/password/change/")
