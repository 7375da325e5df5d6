"""Tournament names and descriptions in the reader's language: pages, mails, notices, the API, tables."""

import pytest
from django.utils.translation import override

from accounts.models import User
from core.database.translated_texts import choose_text
from tables.models import Table
from tests.api_program import Program
from tests.given import reload
from tests.tournaments.browsing import read_page, sign_in
from tests.tournaments.desk.test_admin import template_form
from tests.tournaments.driving import begin, enter
from tournaments.models import TournamentTemplate
from tournaments.store.reading import list_invitations, names_of_tournaments

pytestmark = pytest.mark.django_db
WORDS = {"hi": {"name": "मानसून कप", "description": "हर शनिवार।"}}
NAME, HINDI = "Monsoon Cup", "मानसून कप"


@pytest.fixture
def cup(make_tournament_of):
    return make_tournament_of(description="Every Saturday.", words=WORDS, seats=2, qualifiers=1)


def speak(client, user, language):
    User.objects.filter(pk=user.pk).update(language=language)
    user.language = language
    client.cookies["django_language"] = language


@pytest.mark.parametrize("path", ["/tournaments/", "/tournaments/{}/"])
def test_each_reader_sees_the_texts_of_their_language(path, signed_in, cup):
    address = path.format(cup.pk)
    for language, said, unsaid in (("en", NAME, HINDI), ("hi", HINDI, NAME)) * 2:
        speak(signed_in, signed_in.player, language)
        for headers in ({}, {"HTTP_HX_REQUEST": "true"}):
            body = signed_in.get(address, **headers).content.decode()
            assert said in body
            assert unsaid not in body


def test_the_page_shows_the_description_of_a_tournament(signed_in, cup):
    assert "Every Saturday." in read_page(signed_in, cup.get_absolute_url())
    speak(signed_in, signed_in.player, "hi")
    body = read_page(signed_in, cup.get_absolute_url())
    assert "हर शनिवार।" in body
    assert "Every Saturday." not in body


def test_missing_translations_fall_back_to_the_usual_language(signed_in, cup):
    cup.words = {"hi": {"description": "हर शनिवार।"}}
    cup.save()
    speak(signed_in, signed_in.player, "hi")
    assert NAME in read_page(signed_in, cup.get_absolute_url())


def test_tables_are_named_in_each_language(signed_in, make_player, cup):
    other = make_player()
    speak(signed_in, other, "hi")
    speak(signed_in, signed_in.player, "en")
    enter(cup, signed_in.player, other)
    begin(cup)
    table = Table.objects.get()
    assert (table.name, table.said("name", "hi")) == (f"{NAME} · 1.1", f"{HINDI} · 1.1")
    assert [i.name for i in list_invitations(other.pk)] == [HINDI]
    assert [i.name for i in list_invitations(signed_in.player.pk)] == [NAME]
    for language, said in (("en", NAME), ("hi", HINDI)):
        speak(signed_in, signed_in.player, language)
        title = read_page(signed_in, f"/tables/{table.pk}/").split("</title>")[0]
        assert f"{said} · 1.1" in title


def test_lines_of_a_statement_use_the_readers_language(cup):
    with override("en"):
        assert names_of_tournaments([cup.pk]) == {cup.pk: NAME}
    with override("hi"):
        assert names_of_tournaments([cup.pk]) == {cup.pk: HINDI}


def test_the_api_answers_in_the_requested_language(make_player, cup):
    program = Program(make_player())
    listed = program.get("tournaments/").json()["results"][0]
    assert (listed["name"], listed["description"]) == (NAME, "Every Saturday.")
    answer = program.client.get("/api/v1/tournaments/", headers={"Accept-Language": "hi"})
    listed = answer.json()["results"][0]
    assert (listed["name"], listed["description"]) == (HINDI, "हर शनिवार।")


def test_staff_write_translations_in_the_form(client):
    admin = User.objects.create_superuser("admin@example.com", None, player_name="Admin")
    sign_in(client, admin)
    address = "/admin/tournaments/tournamenttemplate/add/"
    assert '<details class="words"><summary>0 / 6</summary>' in read_page(client, address)
    assert "Hindi: name" in read_page(client, address)
    answer = client.post(address, template_form(words_0=f" {HINDI} ", words_1=""))
    assert answer.status_code == 302
    template = TournamentTemplate.objects.get()
    assert template.words == {"hi": {"name": HINDI}}
    change = f"/admin/tournaments/tournamenttemplate/{template.pk}/change/"
    assert f'value="{HINDI}"' in read_page(client, change)
    assert '<details class="words" open><summary>1 / 6: Hindi</summary>' in read_page(
        client, change
    )
    refused = client.post(change, template_form(words_0="x" * 61))
    assert '<details class="words" open>' in refused.content.decode()
    assert reload(template).words == {"hi": {"name": HINDI}}
    client.post(change, template_form(words_0="", words_1=""))
    assert reload(template).words == {}


@pytest.mark.parametrize("words", [None, [], "hi", {"hi": "x"}, {"hi": None}, {"hi": {"name": ""}}])
def test_invalid_translations_in_the_column_are_ignored(words):
    assert choose_text(words, "name", "Cup", language="hi") == "Cup"


@pytest.mark.parametrize("language", ["hi", "hi-in"])
def test_a_regional_language_uses_the_texts_of_its_language(language):
    assert choose_text(WORDS, "name", "Cup", language=language) == HINDI
