"""Renders a document as HTML, with anchors like GitHub's, and links that work within the site."""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from config.documents.library import FOLDER, Document, list_documents, list_files

LARGEST_LEVEL_LISTED = 3
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text below it, up to the next heading."""

    anchor: str
    title: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class DocumentPage:
    title: str
    html: SafeString
    sections: tuple[Section, ...]

    @property
    def contents(self) -> list[Section]:
        """Return the headings of the table of contents: all but the title and the smallest ones."""
        return [one for one in self.sections if 1 < one.level <= LARGEST_LEVEL_LISTED]


@dataclass(frozen=True, slots=True)
class Link:
    """The target of a link in a document, not yet checked."""

    path: str
    anchor: str


@cache
def render_page(document: Document) -> DocumentPage:
    tokens = _build_parser().parse(document.read())
    sections = _split_into_sections(tokens)
    for token in _list_inner_tokens(tokens):
        if token.type == "link_open":
            _lead_on(token, document)
        elif token.type == "image":
            token.attrSet("src", _address_of_image(document, str(token.attrGet("src"))))
    parser = _build_parser()
    html = parser.renderer.render(tokens, parser.options, {})
    # The documents are the project's own, and raw HTML in them is shown as text.
    return DocumentPage(sections[0].title, mark_safe(html), sections)  # noqa: S308


def list_links(document: Document) -> list[Link]:
    """Return the document's links to other files of the repository."""
    hrefs = [
        str(token.attrGet("href"))
        for token in _list_inner_tokens(_build_parser().parse(document.read()))
        if token.type == "link_open"
    ]
    return [_resolve(document, href) for href in hrefs if not _is_elsewhere(href)]


@cache
def _build_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Wide tables and code blocks scroll sideways, and the keyboard can focus them.
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    parser.add_render_rule("fence", _code)
    parser.add_render_rule("code_block", _code)
    return parser


def _open_table(_self: RendererHTML, *_arguments: object) -> str:
    return '<div class="table-scroll" tabindex="0" role="group"><table class="data-table">\n'


def _close_table(_self: RendererHTML, *_arguments: object) -> str:
    return "</table></div>\n"


def _code(_self: RendererHTML, tokens: Sequence[Token], at: int, *_arguments: object) -> str:
    return f'<pre tabindex="0"><code>{escapeHtml(tokens[at].content)}</code></pre>\n'


def _list_inner_tokens(tokens: Sequence[Token]) -> list[Token]:
    return [inner for token in tokens for inner in token.children or []]


def _split_into_sections(tokens: Sequence[Token]) -> tuple[Section, ...]:
    """Split the document at its headings, and give each heading its anchor."""
    found: list[tuple[Token, str, list[str]]] = []
    taken: dict[str, int] = {}
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "inline" and before is not None and before.type == "heading_open":
            title = "".join(inner.content for inner in token.children or [])
            before.attrSet("id", _make_anchor(title, taken))
            found.append((before, title, []))
        elif found and token.type in {"inline", "fence", "code_block"}:
            is_head = before is not None and before.type == "th_open"
            is_cell = before is not None and before.type == "td_open"
            # Leave out column titles, which mean nothing without their columns. Join a row's cells into a sentence.
            if not is_head:
                found[-1][2].append(f"{_get_text(token)}{' ·' if is_cell else ''}")
        elif found and token.type == "tr_close" and "".join(found[-1][2][-1:]).endswith(" ·"):
            found[-1][2][-1] = f"{found[-1][2][-1].removesuffix(' ·')}."
    return tuple(
        Section(str(heading.attrGet("id")), title, _HEADINGS[heading.tag], " ".join(texts))
        for heading, title, texts in found
    )


def _get_text(token: Token) -> str:
    if not token.children:
        return token.content
    # Include line breaks and image descriptions, leave out emphasis marks.
    return "".join(
        " " if inner.type in {"softbreak", "hardbreak"} else inner.content
        for inner in token.children
    )


def _make_anchor(title: str, taken: dict[str, int]) -> str:
    """Return a heading's anchor as GitHub makes it, so that a link works both there and here."""
    kept = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
    number = taken.get(kept, 0)
    taken[kept] = number + 1
    return f"{kept}-{number}" if number else kept


def _is_elsewhere(href: str) -> bool:
    return "://" in href or href.startswith("mailto:")


def _resolve(document: Document, href: str) -> Link:
    target, _hash, anchor = href.partition("#")
    folder = posixpath.dirname(document.path)
    path = posixpath.normpath(posixpath.join(folder, target)) if target else document.path
    return Link(path, anchor)


def _lead_on(token: Token, document: Document) -> None:
    href = str(token.attrGet("href"))
    if _is_elsewhere(href):
        return
    link = _resolve(document, href)
    anchor = f"#{link.anchor}" if link.anchor else ""
    if link.path == document.path:
        token.attrSet("href", anchor or "#main")
    elif other := list_documents().get(link.path):
        token.attrSet("href", reverse("document", args=[other.slug]) + anchor)
    elif link.path in list_files().values():
        token.attrSet("href", reverse("document_file", args=[posixpath.basename(link.path)]))
    elif settings.SOURCE_URL:
        token.attrSet("href", f"{settings.SOURCE_URL}/{link.path}{anchor}")
    else:
        # The site does not serve source code: without SOURCE_URL the text stays and is no link.
        token.tag = "span"
        token.attrs.pop("href")


def _address_of_image(document: Document, source: str) -> str:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(document.path), source))
    return static(f"documents/{path.removeprefix(f'{FOLDER}/images/')}")
