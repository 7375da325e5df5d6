"""The check list of a new site: each line follows the facts, and it goes when all is done."""

import re

import pytest

from accounts.desk.staff_roles import Role
from accounts.legal_pages.services import publish
from core.models import PageVersion
from core.models.site import SiteIdentity
from tables.seating.starting_tables import make_starting_tables
from tests.accounts.staff import member, office
from tests.wallet.cash_players import make_player, set_rules

pytestmark = pytest.mark.django_db


def read_steps(desk):
    """Return title to (done, address)."""
    page = desk.get("/admin/").text
    part = page.partition('data-region="first-steps"')[2].partition("</section>")[0]
    found = re.findall(
        r"<strong>\s*(Done|To do):\s*</strong>\s*<a href=\"([^\"]*)\">([^<]*)</a>", part
    )
    return {title: (said == "Done", address) for said, address, title in found}


def list_open(desk):
    return {title for title, (is_done, _address) in read_steps(desk).items() if not is_done}


def test_each_line_is_done_when_the_facts_say_so(boss, settings):
    settings.CASH_PLAY = "off"
    settings.ALERT_EMAILS, settings.ALERT_WEBHOOK_URL = [], ""
    steps = read_steps(boss)
    assert len(steps) == 8
    assert not any(is_done for is_done, _address in steps.values())
    for _is_done, address in steps.values():
        assert boss.get(address).status_code == 200, address
    SiteIdentity.objects.create(name="Neem", short_name="Neem", company="Neem Ltd")
    editor = make_player("Editor")
    for kind in ("terms", "privacy"):
        draft = PageVersion.objects.create(kind=kind, text="# Fair")
        assert f"/{draft.pk}/change/" in str(read_steps(boss))
        publish(version_id=draft.pk, staff_id=editor.pk)
    make_starting_tables()
    member(Role.FINANCE)
    assert list_open(boss) == {"Mail is sent under your own address", "Alerts reach somebody"}
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.DEFAULT_FROM_EMAIL = "Neem <no-reply@localhost>"
    settings.ALERT_EMAILS = ["ops@example.com"]
    assert list_open(boss) == {"Mail is sent under your own address"}
    settings.DEFAULT_FROM_EMAIL = "Neem <play@example.com>"
    assert read_steps(boss) == {}
    assert "first-steps" not in boss.get("/admin/").text


def test_cash_adds_its_lines(boss):
    cash = {"A payment provider", "Rules of withdrawals", "Rules of tax"}
    assert {"Rules of withdrawals", "Rules of tax"} <= list_open(boss)
    set_rules()
    assert cash <= read_steps(boss).keys()
    assert not cash & list_open(boss)


def test_staff_see_the_lines_of_their_own_work():
    assert read_steps(office(member(Role.GAMES))).keys() == {"The first tables"}
