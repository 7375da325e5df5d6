"""A template filter that formats durations in words."""

from typing import Final

from django import template
from django.utils.translation import ngettext

register = template.Library()

_MINUTE: Final = 60
_HOUR: Final = 3_600


@register.filter
def length_of_time(seconds: int) -> str:
    """Format a duration: "90 seconds", "10 minutes", "2 hours", in the largest unit that is exact."""
    if seconds and seconds % _HOUR == 0:
        number = seconds // _HOUR
        return ngettext("%(number)s hour", "%(number)s hours", number) % {"number": number}
    if seconds and seconds % _MINUTE == 0:
        number = seconds // _MINUTE
        return ngettext("%(number)s minute", "%(number)s minutes", number) % {"number": number}
    return ngettext("%(number)s second", "%(number)s seconds", seconds) % {"number": seconds}
