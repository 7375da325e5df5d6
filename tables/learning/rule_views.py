from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from tables.learning.rule_facts import columns_of, facts_of
from tables.play.offered import usual_game


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/rules.html")


@require_GET
def rules_of(request: HttpRequest, format: str) -> HttpResponse:
    """One format on one page, with its numbers."""
    titles = {"points": _("Points rummy"), "pool": _("Pool rummy"), "deals": _("Deals rummy")}
    if format not in titles:
        raise Http404
    context = {
        "format": format,
        "title": titles[format],
        "columns": columns_of(usual_game().code, format.upper()),
        "facts": facts_of(usual_game().code, format.upper()),
    }
    return render(request, "pages/rules_of.html", context)
