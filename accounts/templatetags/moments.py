"""Times on pages, written in the site's zone. `static/js/lib/moments.js` rewrites them in the reader's own zone."""

from datetime import datetime
from math import ceil

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

_DAY_SECONDS = 86_400
# By kind: how the site's zone writes it. The script has the same kinds.
_FORMATS = {
    "clock": "H:i T",
    "seconds": "H:i:s T",
    "day": "j M",
    "moment": "j M, H:i T",
    "weekday": "D j M, H:i T",
    "year": "j M Y, H:i T",
}


@register.filter
def moment(at: datetime, kind: str = "moment") -> SafeString:
    """Return a `<time>` element of this kind.

    It reads "16:30 IST" until the script knows the reader's zone, then "11:00".
    """
    written = date_format(timezone.localtime(at), _FORMATS[kind])
    return format_html(
        '<time datetime="{}" data-moment="{}">{}</time>', at.isoformat(), kind, written
    )


@register.filter
def countdown(at: datetime) -> str:
    """Return the time left until `at` as `static/js/lib/countdown.js` writes it: "4:10", "1:04:10".

    Empty if `at` is more than a day away or in the past. The page's script continues from this text without a jump.
    """
    seconds = ceil((at - timezone.now()).total_seconds())
    if not 0 <= seconds < _DAY_SECONDS:
        return ""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
