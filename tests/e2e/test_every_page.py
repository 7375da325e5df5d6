"""Visits every page of the site with every check of a page.

A page is loaded on a phone in the light theme, and then shown on a desk in the dark one. Its texts are the longest
translations. Its reader lives in another time zone than the site.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from urllib.parse import urlsplit

from django.utils import translation

from tables.live.sockets import OPENINGS
from tests.e2e.inspection import (
    DESK,
    SMALL_PHONE,
    axe_faults,
    contrast_faults,
    cut_off,
    load_axe_with_every_page,
    resize,
    small_targets,
    too_wide,
)
from tests.e2e.longest_texts import LONGEST_LANGUAGE
from tests.e2e.policy import policy_faults
from tests.e2e.site_map import NO_PAGES, PAGES, SEVERAL, Place, admin_places, list_addresses, places
from tests.e2e.untranslated import find_untranslated
from tests.e2e.visitor import Visitor

# Pages behind an address that keeps a secret out of the address bar.
LEAD_ON = {"account_reset_password_from_key"}
# Forms whose times are in the site's time zone, and documents.
NAME_THE_ZONE: set[str] = set()
READERS_ZONE = "Europe/London"
# A time that is in the site's zone, as before the page's script runs, names the zone.
IN_SITES_ZONE = """() =>
  [...document.querySelectorAll("main time, main td, main p, main li, main span, main small, main dd")]
    .filter((part) => part.children.length === 0 && /\\bIST\\b/.test(part.textContent))
    .map((part) => part.textContent.trim())"""


def test_no_page_is_forgotten(client, nila):
    known = PAGES.keys() | SEVERAL.keys()
    assert known.isdisjoint(NO_PAGES)
    addresses = list_addresses()
    assert known | NO_PAGES.keys() <= addresses.keys()
    client.force_login(nila, backend="django.contrib.auth.backends.ModelBackend")
    # All other URLs only receive forms and answer no GET.
    others = addresses.keys() - known - NO_PAGES.keys()
    assert {name for name in others if client.get(addresses[name]).status_code != 405} == set(), (
        "Write a new page into PAGES of tests/e2e/site_map.py, any other address into NO_PAGES."
    )


def group_by_person(found: Iterable[Place]) -> Iterator[tuple[str, list[Place]]]:
    for who, places_of in groupby(sorted(found, key=lambda place: place.who), lambda p: p.who):
        yield who, list(places_of)


def faults_at_loading(visitor: Visitor, place: Place) -> list[str]:
    """Return faults in the console, the requests, the content security policy, the address and the headings."""
    OPENINGS.forget()  # no real visitor opens pages as fast
    visitor.faults.clear()
    answer = visitor.open(place.path, status=place.status)
    faults = [*visitor.faults, *policy_faults(answer)]
    if place.name not in LEAD_ON and urlsplit(visitor.page.url).path != place.path:
        faults.append(f"leads to {visitor.page.url}")
    headings = visitor.page.locator("h1").count()
    return faults if headings == 1 else [*faults, f"{headings} headings of the first level"]


def look(visitor: Visitor, place: Place) -> Iterator[tuple[str, list[str]]]:
    """Yield the faults at each size and theme. Console errors come first, and axe's findings after them."""
    page = visitor.page
    page.set_viewport_size(SMALL_PHONE)
    page.emulate_media(color_scheme="light")
    found = faults_at_loading(visitor, place)
    language = page.locator("html").get_attribute("lang")
    if language != LONGEST_LANGUAGE:
        found.append(f"the page's language is {language}")
    found += find_untranslated(page)
    if place.name not in NAME_THE_ZONE:
        found += [f"in the site's zone: {text}" for text in page.evaluate(IN_SITES_ZONE)]
    yield "phone, light", [*found, *too_wide(page), *small_targets(page), *axe_faults(page)]
    page.emulate_media(color_scheme="dark")
    resize(page, DESK)
    yield "desk, dark", [*too_wide(page), *small_targets(page), *contrast_faults(page)]


def test_no_page_has_a_fault(visit, world, longest_texts):
    faults: list[str] = []
    with translation.override(longest_texts):
        found_places = list(places(world))
    for who, places_of in group_by_person(found_places):
        user = getattr(world, who, None)
        with visit(user, language=longest_texts, zone=READERS_ZONE) as visitor:
            load_axe_with_every_page(visitor.page)
            for place in places_of:
                for shown, found in look(visitor, place):
                    faults += [f"{place} ({place.path}, {shown}): {fault}" for fault in found]
    assert len(found_places) > 100
    assert not faults, "\n".join(faults)


def test_no_page_of_the_administration_has_a_fault(visit, world):
    faults: list[str] = []
    with visit(world.staff) as visitor:
        for place in admin_places():
            found = [*faults_at_loading(visitor, place), *cut_off(visitor.page)]
            faults += [f"{place} ({place.path}, desk, light): {fault}" for fault in found]
            visitor.page.emulate_media(color_scheme="dark")
            dark = contrast_faults(visitor.page)
            faults += [f"{place} ({place.path}, desk, dark): {fault}" for fault in dark]
            visitor.page.emulate_media(color_scheme="light")
    assert not faults, "\n".join(faults)
