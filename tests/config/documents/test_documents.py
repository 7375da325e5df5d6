"""The documents as pages of the site: all of them are there, and so are their links' targets."""

import json
import re

import pytest
from django.conf import settings
from django.template.defaultfilters import striptags
from django.urls import reverse

from config.documents.library import SHELVES, get_documents_by_slug, list_documents
from config.documents.rendering import list_links, render_page
from config.documents.search import MOST_FOUND, search

ROOT = settings.BASE_DIR
DOCUMENTS = list(list_documents().values())
# GitHub's front page of the repository; the site has its own first page.
NOT_SHELVED = {"README.md"}


def test_every_document_of_the_repository_is_listed_once():
    there = {path.name for path in ROOT.glob("*.md")} - NOT_SHELVED
    for pattern in ("docs/**/*.md", "packages/*/README.md", "examples/**/*.*"):
        paths = [path for path in ROOT.glob(pattern) if path.suffix != ".pyc"]
        there |= {path.relative_to(ROOT).as_posix() for path in paths}
    assert list_documents().keys() == there
    assert len(get_documents_by_slug()) == len(list_documents())
    shelved = [path for shelf in SHELVES for path in shelf.paths]
    assert len(shelved) == len(set(shelved))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.slug)
def test_every_link_of_a_document_exists(document):
    for link in list_links(document):
        target = ROOT / link.path
        assert target.is_relative_to(ROOT)
        assert target.exists(), f"{document.path} links to {link.path}, which is not there"
        if link.anchor:
            anchors = {one.anchor for one in render_page(list_documents()[link.path]).sections}
            assert link.anchor in anchors, f"{document.path} links to {link}"


def test_every_link_of_the_readme_exists():
    for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text()):
        assert (ROOT / target).exists(), target


@pytest.mark.django_db
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.slug)
def test_every_document_is_a_page_with_working_links(client, document):
    answer = client.get(reverse("document", args=[document.slug]))
    assert answer.status_code == 200
    text = answer.text
    article = text[text.index("<article") : text.index("</article>")]
    assert striptags(render_page(document).title) in article
    for address in set(re.findall(r'href="(/[^"#]*)', article)):
        assert client.get(address).status_code == 200, address
    for image in re.findall(r'src="([^"]*)"', article):
        assert (ROOT / "docs/images" / image.partition("/documents/")[2]).exists()


@pytest.mark.django_db
class TestPages:
    def test_the_index_links_every_shelved_document(self, client):
        text = client.get(reverse("documents")).text
        for shelf in SHELVES:
            assert str(shelf.title) in text
            for path in shelf.paths:
                assert f'href="{reverse("document", args=[list_documents()[path].slug])}"' in text
        assert reverse("api-docs") in text

    @pytest.mark.parametrize("slug", ["none", "../README", "docs/rules", "adr/0001"])
    def test_an_unknown_document_is_404(self, client, slug):
        assert client.get(f"/docs/{slug}/").status_code == 404

    def test_the_schema_of_the_frames_is_served_as_json(self, client):
        answer = client.get(reverse("document_file", args=["protocol.schema.json"]))
        assert answer["Content-Type"] == "application/json"
        stored = json.loads((ROOT / "docs/protocol.schema.json").read_text())
        assert answer.json() == stored

    @pytest.mark.parametrize("name", ["none.json", "rules.md", "..", "%2e%2e%2fpyproject.toml"])
    def test_no_other_file_is_served(self, client, name):
        assert client.get(f"/docs/file/{name}", follow=True).status_code == 404

    @pytest.mark.parametrize("source", ["", "https://code.example/main"])
    def test_code_is_linked_if_the_source_address_is_set(self, client, settings, source):
        settings.SOURCE_URL = source
        render_page.cache_clear()
        text = client.get(reverse("document", args=["architecture"])).text
        render_page.cache_clear()
        assert "README" in text
        linked = 'href="https://code.example/main/static/js/games/README.md"'
        assert (linked in text) == bool(source)
        assert 'href="static' not in text

    def test_a_program_is_a_page_and_a_file(self, client):
        text = client.get(reverse("document", args=["write-a-bot"])).text
        page = reverse("document", args=["examples/gin-bot"])
        assert f'href="{page}"' in text
        shown = client.get(page).text
        assert "legal = {entry[&quot;kind&quot;]: entry" in shown
        address = reverse("document_file", args=["gin_bot.py"])
        assert f'href="{address}"' in shown
        answer = client.get(address)
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert answer.text == (ROOT / "examples/gin_bot.py").read_text()
        assert f'href="{reverse("document", args=["packages/client"])}"' in text

    def test_a_search_finds_libraries_and_examples(self, client):
        query = {"q": "openrummy_client", "for": "2"}
        found = client.get(reverse("documents"), query).text
        assert reverse("document", args=["packages/client"]) in found
        found = client.get(reverse("documents"), {"q": "ladder_bot.py", "for": "2"}).text
        assert reverse("document", args=["examples/ladder-bot"]) in found

    def test_a_search_links_the_matching_section(self, client):
        text = client.get(reverse("documents"), {"q": "undercut gin"}).text
        assert f"{reverse('document', args=['rules-gin'])}#" in text
        assert "No document contains" not in text

    def test_a_place_has_a_title_to_read_without_the_shelves_below(self, client):
        text = client.get(reverse("documents"), {"q": "my time runs out"}).text
        assert ">What happens if … my time runs out?</a>" in text
        assert 'class="document-shelves"' not in text
        assert 'class="document-shelves"' in client.get(reverse("documents")).text

    def test_players_search_apart_from_operators(self, client):
        found = client.get(reverse("documents"), {"q": "backup standby"}).text
        assert reverse("document", args=["replica"]) not in found
        assert "?q=backup%20standby&amp;for=1" in found
        text = client.get(reverse("documents"), {"q": "backup standby", "for": "1"}).text
        assert f"{reverse('document', args=['replica'])}#" in text

    @pytest.mark.parametrize("number", ["9", "-1", "x", "9" * 40])
    def test_another_shelf_is_that_of_players(self, client, number):
        answer = client.get(reverse("documents"), {"q": "drop", "for": number})
        assert answer.context["searched"] == SHELVES[0]

    def test_a_search_without_results_suggests_other_words(self, client):
        text = client.get(reverse("documents"), {"q": "<b>zyzzyva</b>"}).text
        assert "Try others" in text
        assert "<b>zyzzyva" not in text


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("what if I lose connection", "… my connection is lost, or my phone rings?"),
        ("leaving mid deal cost", "… I leave in the middle of a deal?"),
        ("forgotten passwords", "… I forget my password, or somebody knows it?"),
        ("cheater report", "… somebody cheats, helps another player or insults me?"),
        ("drops and leaving zyzzyva", "5. Drops and leaving"),  # has a word that occurs nowhere
        ("leaving drops", "5. Drops and leaving"),
    ],
)
def test_players_find_by_words_in_any_order_and_form(query, title):
    assert title in [one.section.title for one in search(query, SHELVES[0])[:3]]


def test_a_search_ranks_headings_first_and_finds_nothing_without_words():
    in_heading = ["commit" in one.section.title.casefold() for one in search("commitment")]
    assert in_heading == sorted(in_heading, reverse=True)
    assert search("") == search("   ") == search("zyzzyva") == []
    assert len(search("the")) <= MOST_FOUND


@pytest.mark.parametrize("query", ["second life after drop", "seats cards wire", "code meaning"])
def test_an_excerpt_is_cut_between_words_and_has_no_titles_of_columns(query):
    for one in search(query):
        plain = one.excerpt.removeprefix("… ").removesuffix(" …")
        assert plain in one.section.text
        around = f" {one.section.text} ".partition(plain)
        assert around[0][-1:].isspace()
        assert around[2][:1].isspace()
        assert len(plain) <= 181
        assert ":." not in plain


def test_scrolling_blocks_are_focusable_and_code_is_escaped():
    install = render_page(list_documents()["docs/install-debian.md"]).html
    assert install.count("<pre") == install.count('<pre tabindex="0">') > 5
    settings = render_page(list_documents()["docs/settings.md"]).html
    assert settings.count('<div class="table-scroll" tabindex="0"') == settings.count("<table") > 3
    restore = render_page(list_documents()["docs/restore.md"]).html
    assert "restored &lt;$backup/openrummy.dump" in restore


def test_headings_of_one_name_have_different_anchors():
    for document in DOCUMENTS:
        anchors = [one.anchor for one in render_page(document).sections]
        assert len(anchors) == len(set(anchors)), document.path


def test_a_page_without_sections_has_no_empty_contents(client, db):
    assert "On this page" in client.get("/docs/operators/").text
    assert "On this page" not in client.get("/docs/tasks/fee/").text
