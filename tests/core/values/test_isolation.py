"""Right-to-left names are isolated where they are inserted into a sentence, and unmarked elsewhere."""

import json
import pickle
import re

import pytest
from django.template import engines
from django.utils.html import conditional_escape
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people.closing import freeze
from accounts.people.guests import get_own_name
from core.models import OutgoingEmail
from core.values.isolation import isolate
from tests.accounts.staff import office
from tests.players.clubs.clubbing import found
from tests.programs import ROOT
from tests.tables.conftest import make_player, make_table
from tests.tables.driving import play_short_match
from tests.wallet.cash_players import make_staff

__all__ = ["make_player", "make_table"]
NAME = "كبير"
SHOWN = f"\u2068{NAME}\u2069"


@pytest.mark.parametrize("text", ["Asha", "आशा", "田中", "Łukasz 9", ""])
def test_other_texts_stay_as_they_are(text):
    assert type(isolate(text)) is str
    assert isolate(text) == text


def test_a_text_from_right_to_left_is_isolated_in_sentences_alone():
    name = isolate(NAME)
    assert "%s" % name == f"{name}" == "{}".format(name) == "{n}".format_map({"n": name}) == SHOWN  # noqa: UP031, UP032 - the ways of filling a text
    assert _("%(name)s to play") % {"name": name} == f"{SHOWN} to play"
    assert conditional_escape(name) == SHOWN
    assert conditional_escape(isolate(f"<{NAME}>")) == f"\u2068&lt;{NAME}&gt;\u2069"
    assert (name == NAME, len(name), name[0]) == (True, len(NAME), NAME[0])
    assert json.loads(json.dumps({"name": name})) == {"name": NAME}
    assert f"{pickle.loads(pickle.dumps(name))}" == SHOWN  # noqa: S301 - our own


def test_pages_isolate_names():
    page = "{% load i18n %}{% blocktranslate with name=name %}{{ name }} to play{% endblocktranslate %}, {{ name }}"
    drawn = engines["django"].from_string(page).render({"name": isolate(NAME)})
    assert drawn == f"{SHOWN} to play, {SHOWN}"


@pytest.mark.django_db
def test_names_of_people_are_isolated_in_pages_and_mails_and_plain_in_fields(
    make_player, make_table
):
    asha, other = make_player(), make_player()
    User.objects.filter(pk=asha.pk).update(player_name=NAME)
    match = play_short_match(make_table(), User.objects.get(pk=asha.pk), other)
    desk = office(make_staff("Boss"))
    assert f'value="{NAME}"' in desk.get(f"/admin/accounts/user/{asha.pk}/change/").text
    friend = office(other)
    assert SHOWN in friend.get("/matches/").text
    assert SHOWN in friend.get(f"/matches/{match.pk}/").text
    assert match.players["0"]["name"] == NAME
    assert SHOWN not in friend.get(f"/matches/{match.pk}/deals/1.json").text
    club = found(User.objects.get(pk=other.pk), name=NAME)
    assert f'value="{NAME}"' in friend.get(f"/clubs/{club.pk}/settings/").text
    guest = User.objects.create_user("g@guests.invalid", player_name="علی رضا", is_guest=True)
    assert get_own_name(guest.pk).isprintable()
    freeze(user_id=asha.pk, staff_id=0, reason="A stolen card.")
    assert SHOWN in OutgoingEmail.objects.get(user=asha).text


# Template variables that show a longer text written by a person.
WRITTEN = re.compile(
    r"\{\{ (?:notice|note|sanction|club|message|tournament|league|line)"
    r"\.(?:text|words|about|closed_for|shown_description|cancel_reason)(?:\|\w+)* \}\}"
)
# Templates in which these variables hold the site's own wording.
OWN = {"lobby/_news.html", "players/player.html", "wallet/statement.html"}


def test_what_people_write_runs_in_its_own_direction_in_every_template():
    folder, seen = ROOT / "templates", set()
    for path in folder.rglob("*.html"):
        name = str(path.relative_to(folder))
        source = path.read_text("utf-8")
        for place in [] if name in OWN else WRITTEN.finditer(source):
            before = source[: place.start()].rstrip()
            assert re.search(r'<(bdi|\w+ [^<>]*dir="auto"[^<>]*)>$', before), (name, place[0])
            seen.add(name)
    assert {"players/clubs/_chat.html", "players/clubs/club.html", "tournaments/_live.html"} < seen
    assert {"history/support/case.html", "admin/tables/_sanction.html", "_notices.html"} < seen
