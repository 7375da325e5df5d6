from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.documents.library import (
    SHELVES,
    Document,
    get_documents_by_slug,
    list_documents,
    list_files,
)
from config.documents.rendering import render_page
from config.documents.search import LONGEST_QUERY, list_other_shelves, search
from core.values.numbers import parse_number


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the shelves, and the results of a search."""
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    number = parse_number(request.GET.get("for", "")) or 0
    searched = SHELVES[number] if number < len(SHELVES) else SHELVES[0]
    shelves = [
        (
            shelf,
            [
                (one, render_page(one).title)
                for one in map(list_documents().__getitem__, shelf.paths)
            ],
        )
        for shelf in SHELVES
    ]
    context = {
        "shelves": shelves,
        "query": query,
        "searched": searched,
        "number": SHELVES.index(searched),
        "found": search(query, searched),
        "elsewhere": list_other_shelves(query, searched),
    }
    return render(request, "documents/index.html", context)


@require_safe
def document(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a document with its table of contents."""
    found = get_documents_by_slug().get(slug)
    if found is None:
        raise Http404
    context = {"document": found, "page": render_page(found), "shelf": _list_shelf(found)}
    return render(request, "documents/document.html", context)


@require_safe
def document_file(_request: HttpRequest, name: str) -> HttpResponse:
    path = list_files().get(name)
    if path is None:
        raise Http404
    kind = "application/json" if path.endswith(".json") else "text/plain; charset=utf-8"
    return HttpResponse((settings.BASE_DIR / path).read_bytes(), content_type=kind)


def _list_shelf(found: Document) -> list[tuple[Document, str]]:
    """Return the documents of the same shelf. A decision's shelf is the list of all decisions."""
    paths = next((shelf.paths for shelf in SHELVES if found.path in shelf.paths), None)
    if paths is None:
        paths = tuple(path for path in list_documents() if path.startswith("docs/adr/"))
    return [(one, render_page(one).title) for one in map(list_documents().__getitem__, paths)]
