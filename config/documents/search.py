"""Full-text search in the documents."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from config.documents.library import SHELVES, Document, Shelf, list_documents
from config.documents.rendering import DocumentPage, Section, render_page

MOST_FOUND = 30
LONGEST_QUERY = 100
# Letters of a snippet, on both sides of the first word that was found.
_AROUND = 90
# The weight of a word in a section's heading, relative to one in its text. A word in the document's title has
# half this weight.
_HEADING = 4.0
# Sections that match less than this part of the best one are left out.
_LEAST_SHARE = 0.5
_DECISIONS = "docs/adr/"
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class FoundSection:
    document: Document
    page: DocumentPage
    section: Section
    excerpt: str

    @property
    def title(self) -> str:
        """Return the titles of the page and the section: "What happens if … my time runs out?"."""
        page, section = self.page.title, self.section.title
        if self.section.level == 1:
            return page
        goes_on = page.endswith("…") and section.startswith("…")
        return page + section.removeprefix("…") if goes_on else f"{page} · {section}"


@dataclass(frozen=True, slots=True)
class _Indexed:
    document: Document
    page: DocumentPage
    section: Section
    title: frozenset[str]
    heading: frozenset[str]
    text: frozenset[str]


def search(query: str, shelf: Shelf | None = None) -> list[FoundSection]:
    """Return the sections of a shelf, or of all documents, that match a query best.

    Words match in any order and in any form ("drops" finds "drop"). A section need not contain all of them. A rare
    word has more weight than a common one (inverse document frequency), and a word in the heading more than one in
    the text.
    """
    # A single letter, such as "I", says nothing.
    stems = [_stem(word) for word in _split(query[:LONGEST_QUERY]) if len(word) > 1]
    if not stems:
        return []
    index = _build_index()
    weights = {stem: _compute_weight(stem) for stem in stems}
    scored = [
        (_score(one, weights), place)
        for place, one in enumerate(index)
        if shelf is None or _is_on(shelf, one.document.path)
    ]
    best = max((score for score, _place in scored), default=0.0)
    found = [
        (-score, place) for score, place in scored if score > 0 and score >= best * _LEAST_SHARE
    ]
    return [
        FoundSection(one.document, one.page, one.section, _cut_excerpt(one.section.text, stems))
        for one in (index[place] for _score, place in sorted(found)[:MOST_FOUND])
    ]


def _is_on(shelf: Shelf, path: str) -> bool:
    """Return whether a document is on a shelf. All decisions are on the shelf that has the list of decisions."""
    return path in shelf.paths or (
        path.startswith(_DECISIONS) and f"{_DECISIONS}README.md" in shelf.paths
    )


def _split(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _stem(word: str) -> str:
    """Return a word without its ending (of an English plural or verb, or "e"), if at least four letters remain."""
    for ending in ("ing", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:  # noqa: PLR2004 - shorter ones are other words
            return word.removesuffix(ending)
    return word.removesuffix("e") if len(word) > 4 else word  # noqa: PLR2004 - as above


@cache
def _build_index() -> tuple[_Indexed, ...]:
    """Return every section with its words, in the order of the shelves."""

    def stems(text: str) -> frozenset[str]:
        return frozenset(map(_stem, _split(text)))

    return tuple(
        _Indexed(
            document, page, section, stems(page.title), stems(section.title), stems(section.text)
        )
        for document in list_documents().values()
        for page in (render_page(document),)
        for section in page.sections
    )


@cache
def _count_sections() -> Counter[str]:
    return Counter(stem for one in _build_index() for stem in one.heading | one.text | one.title)


def _compute_weight(stem: str) -> float:
    """Return the inverse document frequency of a word: 0 if no section has it, and little if most have it."""
    having = _count_sections()[stem]
    return math.log(1 + len(_build_index()) / having) if having else 0.0


def _score(one: _Indexed, weights: dict[str, float]) -> float:
    return sum(
        weight
        * (
            _HEADING * (stem in one.heading)
            + _HEADING / 2 * (stem in one.title)
            + (stem in one.text)
        )
        for stem, weight in weights.items()
    )


def list_other_shelves(query: str, shelf: Shelf) -> list[tuple[int, Shelf, int]]:
    """Return the index, the shelf and the number of sections found, for each other shelf with a match for the query."""
    others = [
        (number, one, len(search(query, one)))
        for number, one in enumerate(SHELVES)
        if one is not shelf
    ]
    return [(number, one, found) for number, one, found in others if found]


def _cut_excerpt(text: str, stems: list[str]) -> str:
    """Return some text around the first match, cut between words."""
    places = [
        match.start() for match in _WORD.finditer(text.casefold()) if _stem(match.group()) in stems
    ]
    first = min(places, default=0)
    begin = 0 if first <= _AROUND else text.find(" ", first - _AROUND) + 1
    end = begin + 2 * _AROUND
    end = len(text) if len(text) <= end else max(text.rfind(" ", begin, end), begin + _AROUND)
    return ("… " if begin else "") + text[begin:end].strip() + (" …" if end < len(text) else "")
