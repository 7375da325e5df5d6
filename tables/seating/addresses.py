"""The address of a table's page, with the code of a private one."""

from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

LONGEST_INVITE = 16


def invite_in(sent: QueryDict) -> str:
    """Return the invitation in an address or a form, unchecked."""
    return sent.get("invite", "")[:LONGEST_INVITE]


def page_of(table_id: int, invite: str) -> str:
    """With the code, loading the page again works even for who has lost the seat."""
    path = reverse("tables:table", args=[table_id])
    return f"{path}?{urlencode({'invite': invite})}" if invite else path
