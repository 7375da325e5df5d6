"""A walk over every page of the site: nothing goes wrong, the policy is strict."""

import re
from collections.abc import Iterator
from itertools import groupby
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tables.live.sockets import OPENINGS
from tests.e2e.site_map import (
    NO_PAGES,
    PAGES,
    SEVERAL,
    Place,
    admin_places,
    places,
    url_names,
)
from tests.e2e.visitor import Visitor, visiting
from tests.e2e.world import World, make_world

POLICY = {
    "default-src": {"'none'"},
    "script-src": {"'self'"},
    "style-src": {"'self'"},
    "img-src": {"'self'", "data:"},
    "font-src": {"'self'"},
    "connect-src": {"'self'"},
    "manifest-src": {"'self'"},
    "worker-src": {"'self'"},
    "form-action": {"'self'"},
    "frame-ancestors": {"'none'"},
    "base-uri": {"'none'"},
}


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_world()


def test_no_page_is_forgotten() -> None:
    known = PAGES.keys() | SEVERAL.keys()
    assert known.isdisjoint(NO_PAGES)
    assert url_names() == known | NO_PAGES.keys()


def by_person(found: Iterator[Place]) -> Iterator[tuple[str, list[Place]]]:
    for who, places_of in groupby(sorted(found, key=lambda place: place.who), lambda p: p.who):
        yield who, list(places_of)


# Pages behind an address that keeps a secret out of the address bar.
LEAD_ON = {"account_reset_password_from_key"}
# Texts and labels in Latin letters alone, where the language is the page's.
ENGLISH = """() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest("script, style, code, kbd, [lang=en]")) texts.push(node.data);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (!element.closest("[lang=en]")) texts.push(element.getAttribute(name));
    }
  }
  for (const { value } of document.querySelectorAll("input[type=submit]")) texts.push(value);
  texts.push(document.querySelector('meta[name="description"]')?.content ?? "");
  // The title of a document is in the document's language.
  if (!document.querySelector("article[lang=en]")) texts.push(document.title);
  return [...new Set(texts.map((text) => text.replace(/\\s+/g, " ").trim()))];
}"""
ENGLISH_WORDS = re.compile(
    "[A-Za-z]{2,} [A-Za-z]{2,}|^[^\u0900-\u097f]*[A-Za-z]{3}[^\u0900-\u097f]*$"
)
# What is the same in every language: names that people gave, and what the world is made of.
NAMES = re.compile(
    r"Mango Grove|Banyan Court|Monsoon Cup|For patience\.|Nila Rao|OpenRummy|Nila|Ravi|Meera|Leela|"
    r"\S+@\S+|\w+ \(bot\)|JKR|JSON|UPI|Phone|Statistics|[A-Z2-7]{16,}"
)


def look(visitor: Visitor, place: Place) -> list[str]:
    answer = visitor.visit(place.path, status=place.status)
    faults = list(visitor.faults)
    policy = answer.headers.get("content-security-policy", "none")
    parts = (part.split() for part in policy.split(";"))
    if {directive: set(sources) for directive, *sources in parts} != POLICY:
        faults.append(f"policy: {policy}")
    headings = visitor.page.locator("h1").count()
    if place.name not in LEAD_ON and urlsplit(visitor.page.url).path != place.path:
        faults.append(f"leads to {visitor.page.url}")
    if headings != 1:
        faults.append(f"{headings} headings of the first level")
    if visitor.page.locator("html").get_attribute("lang") == "hi":
        texts = visitor.page.evaluate(ENGLISH)
        faults += [
            f"not in Hindi: {text}" for text in texts if ENGLISH_WORDS.search(NAMES.sub("", text))
        ]
    return [f"{place}: {fault}" for fault in faults]


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("hi", "dark")])
def test_nothing_goes_wrong_on_any_page(
    browser: Browser, live_site: str, world: World, language: str, scheme: str
) -> None:
    found = [*places(world), *(admin_places() if language == "en" else ())]
    faults: list[str] = []
    for who, places_of in by_person(iter(found)):
        user = getattr(world, who, None)
        with visiting(browser, live_site, user, language=language, scheme=scheme) as visitor:
            for place in places_of:
                OPENINGS.forget()  # nobody goes through a whole site as fast
                faults += look(visitor, place)
    assert len(found) > 50
    assert not faults, "\n".join(faults)
