"""Moments as the administration writes them: in the site's time, with the name of its zone."""

from datetime import datetime

from django.utils import formats, timezone
from django.utils.dateparse import parse_datetime


def moment_text(moment: datetime) -> str:
    """22 Nov 2026, 05:19 IST"""
    return formats.date_format(timezone.localtime(moment), "DATETIME_FORMAT")


def moment_of_text(text: str) -> str:
    """Of what was stored as ISO 8601 with its offset; anything else as it is."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        return text
    return text if moment is None or timezone.is_naive(moment) else moment_text(moment)
