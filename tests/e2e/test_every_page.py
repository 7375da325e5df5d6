"""Walks over every page of the site, with every check of a page.

In English a page is loaded on a phone in the light theme and then shown on a desk in the dark one. In Hindi it is
loaded on a desk in the dark theme. The last walk, on a phone, reads the longest translation of every text.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import groupby
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import trans_real
from playwright.sync_api import Browser, ViewportSize

from tables.live.sockets import OPENINGS
from tests.e2e.inspection import (
    axe_faults,
    contrast_faults,
    cut_off,
    load_axe_with_every_page,
    resize,
    small_targets,
    too_wide,
)
from tests.e2e.policy import policy_faults
from tests.e2e.site_map import NO_PAGES, PAGES, SEVERAL, Place, admin_places, places, url_names
from tests.e2e.untranslated import untranslated
from tests.e2e.visitor import Visitor, visiting
from tests.e2e.world import World, make_world

PHONE = ViewportSize(width=360, height=740)
DESK = ViewportSize(width=1280, height=800)
# Pages behind an address that keeps a secret out of the address bar.
LEAD_ON = {"account_reset_password_from_key"}


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_world()


def test_no_page_is_forgotten() -> None:
    known = PAGES.keys() | SEVERAL.keys()
    assert known.isdisjoint(NO_PAGES)
    assert url_names() == known | NO_PAGES.keys()


def by_person(found: Iterable[Place]) -> Iterator[tuple[str, list[Place]]]:
    for who, places_of in groupby(sorted(found, key=lambda place: place.who), lambda p: p.who):
        yield who, list(places_of)


def faults_at_loading(visitor: Visitor, place: Place) -> list[str]:
    """Return the faults of the console, of requests, of the policy, the address and headings."""
    OPENINGS.forget()  # nobody goes through a whole site as fast
    answer = visitor.open(place.path, status=place.status)
    return [*visitor.faults, *policy_faults(answer), *_wrong_page(visitor, place)]


def _wrong_page(visitor: Visitor, place: Place) -> list[str]:
    faults = []
    if place.name not in LEAD_ON and urlsplit(visitor.page.url).path != place.path:
        faults.append(f"leads to {visitor.page.url}")
    headings = visitor.page.locator("h1").count()
    if headings != 1:
        faults.append(f"{headings} headings of the first level")
    return faults


def look_in_english(visitor: Visitor, place: Place) -> Iterator[tuple[str, list[str]]]:
    """Yield the faults of each size and theme. axe comes after what the console says."""
    page = visitor.page
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light")
    found = faults_at_loading(visitor, place)
    yield "phone, light", [*found, *too_wide(page), *small_targets(page), *axe_faults(page)]
    page.emulate_media(color_scheme="dark")
    resize(page, DESK)
    yield "desk, dark", [*too_wide(page), *small_targets(page), *contrast_faults(page)]


def look_in_hindi(visitor: Visitor, place: Place) -> Iterator[tuple[str, list[str]]]:
    page = visitor.page
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="dark")
    found = faults_at_loading(visitor, place)
    language = page.locator("html").get_attribute("lang")
    if language != "hi":
        found.append(f"the page's language is {language}")
    yield "desk, dark", [*found, *untranslated(page)]


def look_in_longest(visitor: Visitor, place: Place) -> Iterator[tuple[str, list[str]]]:
    visitor.page.set_viewport_size(PHONE)
    found = faults_at_loading(visitor, place)
    yield "phone, longest texts", [*found, *too_wide(visitor.page), *small_targets(visitor.page)]


@contextmanager
def longest_texts(language: str) -> Iterator[None]:
    """Give a language the longest translation of each text that any catalogue has."""
    longest: dict[object, str] = {}
    for code, _name in settings.LANGUAGES[1:]:
        for text, words in catalogue_of(code).items():
            longest[text] = max(longest.get(text, ""), words, key=_length)
    own = catalogue_of(language)
    own._catalogs.insert(0, longest)
    own._plurals.insert(0, own._plurals[0])
    try:
        yield
    finally:
        del own._catalogs[0], own._plurals[0]


def catalogue_of(language: str) -> Any:
    """Return Django's compiled catalogue of a language, which no type describes."""
    translation_of_language: Any = trans_real.translation(language)
    return translation_of_language._catalog


def _length(text: str) -> int:
    """Return the number of characters without vowel signs and the like, which add little to a line."""
    return sum(not unicodedata.category(character).startswith("M") for character in text)


# The language of each walk, and what is looked at.
LOOKS = {
    "en": ("en", look_in_english),
    "hi": ("hi", look_in_hindi),
    "longest": ("te", look_in_longest),
}


@pytest.mark.parametrize("walk", LOOKS)
def test_nothing_goes_wrong_on_any_page(
    browser: Browser, live_site: str, world: World, walk: str
) -> None:
    faults: list[str] = []
    language, look = LOOKS[walk]
    with translation.override(language):
        found_places = list(places(world))
    with longest_texts(language) if walk == "longest" else nullcontext():
        for who, places_of in by_person(found_places):
            user = getattr(world, who, None)
            with visiting(browser, live_site, user, language=language) as visitor:
                if walk == "en":
                    load_axe_with_every_page(visitor.page)
                for place in places_of:
                    for shown, found in look(visitor, place):
                        faults += [f"{place} ({place.path}, {shown}): {fault}" for fault in found]
    assert len(found_places) > 100
    assert not faults, "\n".join(faults)


def test_nothing_goes_wrong_in_the_administration(
    browser: Browser, live_site: str, world: World
) -> None:
    faults: list[str] = []
    with visiting(browser, live_site, world.staff) as visitor:
        for place in admin_places():
            found = [*faults_at_loading(visitor, place), *cut_off(visitor.page)]
            faults += [f"{place} ({place.path}, desk, light): {fault}" for fault in found]
    assert not faults, "\n".join(faults)
