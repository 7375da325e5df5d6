"""The parts of an installable app: its manifest, its service worker, and the offline page."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.push.services import get_public_key, push_is_on
from core.site.colours import render_stylesheet
from core.site.content import Site, find_logo, site

# Equal to --paper of tokens.css in the light theme, and the green of the icons.
PAPER = "#f6f4ee"
GREEN = "#0b6b4d"
# Everything that the offline page needs. The browser caches nothing else: a page that shows money or cards
# must come from the server.
SHELL = (
    "css/tokens.css",
    "css/base.css",
    "css/site.css",
    "css/forms.css",
    "css/cards.css",
    "js/theme.js",
    "js/offline.js",
    "img/favicon.svg",
)


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    its = site()
    described = {
        "id": "/",
        "name": its.name,
        "short_name": its.short_name,
        "description": _(
            "Play 13-card Indian rummy with friends or practice bots, in the browser."
        ),
        "lang": translation.get_language(),
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": its.brand_light or GREEN,
        "background_color": PAPER,
        "categories": ["games"],
        "icons": _list_icons(its),
        "screenshots": [
            _describe_screenshot(
                "img/screen-phone.webp", "390x844", "narrow", _("A hand at the table")
            ),
            _describe_screenshot(
                "img/screen-desk.webp", "1280x800", "wide", _("A hand at the table")
            ),
        ],
        "shortcuts": [
            _describe_shortcut(_("Tournaments"), reverse("tournaments:list"), its),
            _describe_shortcut(_("Wallet"), reverse("wallet:statement"), its),
            _describe_shortcut(_("My matches"), reverse("my_matches"), its),
        ],
    }
    return JsonResponse(described, content_type="application/manifest+json")


def _describe_screenshot(path: str, sizes: str, form_factor: str, label: str) -> Mapping[str, str]:
    """Describe a screenshot for the browser's install dialog. tests/e2e/test_app.py takes the screenshots."""
    return {
        "src": static(path),
        "sizes": sizes,
        "type": "image/webp",
        "form_factor": form_factor,
        "label": label,
    }


def _list_icons(its: Site) -> list[Mapping[str, str]]:
    """Return the site's own logo in one size, which browsers scale down, or else our default icons."""
    if its.logo:
        return [_describe_icon(logo_address(its), "512x512")]
    return [
        _describe_icon(static("img/icon-192.png"), "192x192"),
        _describe_icon(static("img/icon-512.png"), "512x512"),
        _describe_icon(static("img/icon-maskable-512.png"), "512x512", purpose="maskable"),
    ]


def _describe_icon(source: str, sizes: str, *, purpose: str = "any") -> Mapping[str, str]:
    return {"src": source, "sizes": sizes, "type": "image/png", "purpose": purpose}


def _describe_shortcut(name: str, url: str, its: Site) -> Mapping[str, Any]:
    return {"name": name, "url": url, "icons": _list_icons(its)[:1]}


@never_cache
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker in the visitor's language.

    Its text differs in each language. After a change of language, a browser therefore replaces it at the next page.
    """
    language = translation.get_language()
    its = site()
    shell = [static(path) for path in SHELL]
    if its.colours:
        shell.append(reverse("site_colours", args=[its.colours]))
    page = _offline_page(language)
    version = hashlib.sha256("\n".join([language, *shell, page]).encode()).hexdigest()[:16]
    worker = {
        "cache": f"openrummy-{version}",
        "title": its.name,
        "offline": reverse("offline", args=[language]),
        "shell": shell,
        "icon": _list_icons(its)[0]["src"],
        "badge": static("img/badge-96.png"),
        "renew": reverse("accounts:push_renew"),
        "signIn": reverse(settings.LOGIN_URL),
        "pushKey": get_public_key() if push_is_on() else "",
    }
    context = {"worker": json.dumps(worker)}
    return render(request, "sw.js", context, content_type="text/javascript")


@require_safe
def offline(_request: HttpRequest, language: str) -> HttpResponse:
    """Serve the offline page. It is the same for everybody, because the browser keeps it for its next user, too."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    return HttpResponse(_offline_page(language))


def _offline_page(language: str) -> str:
    with translation.override(language):
        return render_to_string("offline.html", {"language": language, "our_site": site()})


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect /favicon.ico to the site's icon. Browsers request it on the administration's pages."""
    return HttpResponseRedirect(logo_address(site()) or static("img/favicon.svg"))


def logo_address(its: Site) -> str:
    """Return the address of the site's own logo, or an empty string if it has none."""
    return reverse("site_logo", args=[its.logo]) if its.logo else ""


_FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
def site_colours(_request: HttpRequest, colours: str) -> HttpResponse:
    """Serve the four brand colours as a stylesheet.

    `colours` is the key of the site's current colours in the address. The answer to an old key is 404.
    """
    its = site()
    if colours != its.colours:
        raise Http404
    text = render_stylesheet(its.brand_light, its.brand_dark)
    return HttpResponse(text, content_type="text/css", headers={"Cache-Control": _FOR_EVER})


@require_safe
def site_logo(_request: HttpRequest, mark: str) -> HttpResponse:
    content = find_logo(mark)
    if content is None:
        raise Http404
    return HttpResponse(content, content_type="image/png", headers={"Cache-Control": _FOR_EVER})
