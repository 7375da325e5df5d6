from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from core.site.content import site
from core.site.notices import notices


def notices_for_pages(_request: HttpRequest) -> dict[str, Any]:
    """Each is looked up by a page that shows it. `site_notices`: what is announced now; `our_site`: its name,
    logo, colours, addresses, and the pages that bind."""
    return {
        "site_notices": SimpleLazyObject(lambda: notices(now=timezone.now())),
        "our_site": SimpleLazyObject(site),
    }
