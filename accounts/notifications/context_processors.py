from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts.notifications.site_notices import notices


def notices_for_pages(_request: HttpRequest) -> dict[str, Any]:
    """`site_notices`: what is announced now, looked up by a page that shows it."""
    return {"site_notices": SimpleLazyObject(lambda: notices(now=timezone.now()))}
