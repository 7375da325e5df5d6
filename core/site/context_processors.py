from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language

from core.site.content import site
from core.site.notices import list_notices


def notices_for_pages(_request: HttpRequest) -> dict[str, Any]:
    """Return variables for every page, evaluated only by pages that use them.

    `site_notices` are the current announcements. `our_site` is the site's name, logo, colours, addresses and legal
    pages. `language_is_in_review` tells whether a native speaker has yet to review the page's translation.
    """
    return {
        "site_notices": SimpleLazyObject(lambda: list_notices(now=timezone.now())),
        "our_site": SimpleLazyObject(site),
        "language_is_in_review": get_language() in settings.LANGUAGES_IN_REVIEW,
    }
