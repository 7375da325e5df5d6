"""Refusals as pages say them: with links to what they speak of."""

from django.urls import reverse
from django.utils.html import format_html, format_html_join

from tables.refusals import TooManyTables


def words_of(refusal: Exception) -> str:
    """The sentence of a refusal, safe HTML where it names tables."""
    if not isinstance(refusal, TooManyTables) or not refusal.tables:
        return str(refusal)
    pages = ((reverse("tables:table", args=[number]), name) for number, name in refusal.tables)
    links = format_html_join(", ", '<a href="{}">{}</a>', pages)
    return format_html(str(refusal.naming), tables=links)
