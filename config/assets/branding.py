"""Colours and logo that the operator has chosen, as files. An address names one content for ever."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.site.colours import stylesheet
from core.site.content import logo_of, site

_FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
def site_colours(_request: HttpRequest, colours: str) -> HttpResponse:
    """The four values of the brand, where these are the site's colours."""
    its = site()
    if colours != its.colours:
        raise Http404
    text = stylesheet(its.brand_light, its.brand_dark)
    return HttpResponse(text, content_type="text/css", headers={"Cache-Control": _FOR_EVER})


@require_safe
def site_logo(_request: HttpRequest, mark: str) -> HttpResponse:
    content = logo_of(mark)
    if content is None:
        raise Http404
    return HttpResponse(content, content_type="image/png", headers={"Cache-Control": _FOR_EVER})
