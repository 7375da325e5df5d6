"""Full-text search in the documents."""

from dataclasses import dataclass

from config.documents.library import Document, list_documents
from config.documents.rendering import DocumentPage, Section, render_page

MOST_FOUND = 30
LONGEST_QUERY = 100
_AROUND = 90


@dataclass(frozen=True, slots=True)
class FoundDocument:
    document: Document
    page: DocumentPage
    section: Section
    excerpt: str


def search(query: str) -> list[FoundDocument]:
    """Return sections that contain every word of the query; those with the words in their heading come first."""
    words = query[:LONGEST_QUERY].casefold().split()
    if not words:
        return []
    found: list[tuple[int, FoundDocument]] = []
    for document in list_documents().values():
        page = render_page(document)
        for section in page.sections:
            heading = f"{page.title} {section.title}".casefold()
            text = section.text.casefold()
            if all(word in heading or word in text for word in words):
                in_heading = sum(word in section.title.casefold() for word in words)
                excerpt = _cut_excerpt(section.text, words)
                found.append((-in_heading, FoundDocument(document, page, section, excerpt)))
    found.sort(key=lambda one: one[0])  # stable: else the order of the shelves
    return [one for _rank, one in found[:MOST_FOUND]]


def _cut_excerpt(text: str, words: list[str]) -> str:
    """Return some words around the first match."""
    folded = text.casefold()
    places = [at for word in words if (at := folded.find(word)) >= 0]
    begin = max(0, min(places, default=0) - _AROUND)
    end = begin + 2 * _AROUND
    return ("… " if begin else "") + text[begin:end].strip() + (" …" if end < len(text) else "")
