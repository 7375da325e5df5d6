"""Invitations in addresses: codes of private tables, codes remembered for visitors, and guests at their tables."""

from typing import Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import qrcode
from django.contrib.sessions.backends.base import SessionBase
from django.db.models import Q
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from qrcode.image.svg import SvgPathImage

from accounts.people.adapter import forget_path, get_remembered_path, remember_path
from accounts.people.guests import find_guest
from tables.models import Table, TableStatus
from tables.seating.selectors import select_own_seats

LONGEST_INVITE = 16
_WHATSAPP: Final = "https://wa.me/"


def invite_in(sent: QueryDict) -> str:
    """Return the invitation code from a query string or a form, unvalidated."""
    return sent.get("invite", "")[:LONGEST_INVITE]


def build_page_address(table_id: int, invite: str) -> str:
    """Return the address of a table's page with its invitation code, so that a person without a seat can reload it."""
    path = reverse("table", args=[table_id])
    return f"{path}?{urlencode({'invite': invite})}" if invite else path


def player_at(request: HttpRequest, table_id: int) -> int | None:
    """Return the id of a table's viewer: the signed-in player, or the guest who sits there or whose lesson it is.

    Return None for all other visitors. At other tables, a guest is a visitor without an account.
    """
    if request.user.pk is not None:
        return request.user.pk
    return guest_at(request.session, table_id)


def guest_at(session: SessionBase, table_id: int) -> int | None:
    guest = find_guest(session)
    if guest is None:
        return None
    is_own = Q(is_lesson=True, opened_by=guest) | Q(sittings__user=guest)
    return guest if Table.objects.filter(is_own, pk=table_id).exists() else None


def table_of_guest(session: SessionBase) -> int | None:
    """Return the id of the newest open table to which this browser's guest can return, or None.

    It is a table at which they sit, or their lesson.
    """
    guest = find_guest(session)
    if guest is None:
        return None
    is_own = Q(is_lesson=True, opened_by=guest) | Q(sittings__in=select_own_seats(guest))
    open_ones = Table.objects.filter(is_own).exclude(status=TableStatus.CLOSED)
    return open_ones.order_by("-pk").values_list("pk", flat=True).first()


def remember_invitation(session: SessionBase, table_id: int, invite: str) -> None:
    """Remember a validated code, so that the player returns to the table after signing in."""
    remember_path(session, build_page_address(table_id, invite))


def get_remembered_invitation(session: SessionBase, table_id: int) -> str:
    """Return the remembered code of this table; empty if there is none."""
    path = get_remembered_path(session)
    if path.partition("?")[0] != build_page_address(table_id, ""):
        return ""
    return parse_qs(urlsplit(path).query).get("invite", [""])[0]


def forget_invitation(session: SessionBase, table_id: int) -> None:
    """Forget the code of this table, because the visitor who showed it has a seat there now."""
    if get_remembered_invitation(session, table_id):
        forget_path(session)


def remember_event(session: SessionBase, event_url: str, code: str) -> None:
    """Remember the validated code of a private event, for the other pages of that event."""
    session[_event_key(event_url)] = code


def get_remembered_event(session: SessionBase, event_url: str) -> str:
    """Return the remembered code of this event; empty if there is none."""
    code: str = session.get(_event_key(event_url), "") if event_url else ""
    return code


def _event_key(event_url: str) -> str:
    return f"invitation {event_url}"


def whatsapp_link(words: str, link: str) -> str:
    """Return the address that opens WhatsApp with this invitation text and link."""
    sent = urlencode({"text": f"{words} {link}"}, quote_via=quote)
    return f"{_WHATSAPP}?{sent}"


def qr_code(address: str) -> SafeString:
    """Return a QR code of the address as an SVG element, dark on light in any theme."""
    code = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_M, border=2)
    code.add_data(address)
    picture: str = code.make_image(image_factory=SvgPathImage).to_string(encoding="unicode")
    return mark_safe(picture)  # noqa: S308 - drawn of squares alone


def build_invitation(words: str, link: str) -> dict[str, str]:
    """Return the context for templates/_invite_ways.html: the link, its QR code, and a WhatsApp link with this text."""
    return {
        "invite_link": link,
        "invite_qr": qr_code(link),
        "whatsapp_link": whatsapp_link(words, link),
    }
