"""Addresses that crawlers, security researchers and password managers expect on every site."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.site.content import site

# Pages about one person or table, and pages for programs. Rules, lessons, leaderboards, tournaments and
# documents are open to crawlers.
NOT_FOR_CRAWLERS: Final = (
    "/accounts/",
    "/admin/",
    "/api/",
    "/i18n/",
    "/matches/",
    "/oauth/",
    "/support/",
    "/tables/",
    "/wallet/",
)
# RFC 9116: less than a year, so that an abandoned address is recognized as stale.
_SECURITY_TEXT_HOLDS: Final = timedelta(days=180)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Tell crawlers which pages are private, and where the sitemap of the others is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_FOR_CRAWLERS)]
    return _answer_text([*lines, f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}"])


@require_safe
def security_text(request: HttpRequest) -> HttpResponse:
    """Tell researchers where to report a vulnerability (RFC 9116): to the site's support address and page."""
    expires = (timezone.now() + _SECURITY_TEXT_HOLDS).replace(hour=0, minute=0, second=0)
    address = site().support_email
    unread = settings.LANGUAGES_IN_REVIEW
    read = [code for code, _name in settings.LANGUAGES if code not in unread]
    lines = [
        *([f"Contact: mailto:{address}"] if address else []),
        f"Contact: {request.build_absolute_uri(reverse('support'))}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(read)}",
        f"Policy: {request.build_absolute_uri(reverse('document', args=['security']))}",
    ]
    return _answer_text(lines)


@require_safe
def change_password(_request: HttpRequest) -> HttpResponse:
    """Redirect password managers to the page for a new password (W3C, "A Well-Known URL for Changing Passwords")."""
    return redirect("account_change_password")


@require_safe
def asset_links(_request: HttpRequest) -> HttpResponse:
    """Name the Android apps that show this site without the browser's bars (docs/app.md)."""
    links = [
        {
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {
                "namespace": "android_app",
                "package_name": package,
                "sha256_cert_fingerprints": [fingerprint],
            },
        }
        for package, _, fingerprint in (app.partition("=") for app in settings.ANDROID_APPS)
    ]
    return JsonResponse(links, safe=False)


def _answer_text(lines: list[str]) -> HttpResponse:
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
