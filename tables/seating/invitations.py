"""Invitations to private tables: kept for guests until they have signed in and sat down, and drawn
as codes that a phone's camera reads."""

from urllib.parse import parse_qs, urlsplit

import qrcode
from django.contrib.sessions.backends.base import SessionBase
from django.utils.safestring import SafeString, mark_safe
from qrcode.image.svg import SvgPathImage

from accounts.people.adapter import forget_path, remember_path, remembered_path
from tables.seating.addresses import page_of


def remember_invitation(session: SessionBase, table_id: int, invite: str) -> None:
    """`invite` has been found right: signing in, by whatever way, leads back to the table."""
    remember_path(session, page_of(table_id, invite))


def remembered_invitation(session: SessionBase, table_id: int) -> str:
    """The code that was shown earlier; empty if there was none for this table."""
    path = remembered_path(session)
    if path.partition("?")[0] != page_of(table_id, ""):
        return ""
    return parse_qs(urlsplit(path).query).get("invite", [""])[0]


def forget_invitation(session: SessionBase, table_id: int) -> None:
    """Its player sits there now."""
    if remembered_invitation(session, table_id):
        forget_path(session)


def remember_event(session: SessionBase, event_url: str, code: str) -> None:
    """Keep the code of a private event, which has been found right, for its other pages."""
    session[_event_key(event_url)] = code


def remembered_event(session: SessionBase, event_url: str) -> str:
    """Return the code of this event that was shown earlier; empty if there was none."""
    code: str = session.get(_event_key(event_url), "") if event_url else ""
    return code


def _event_key(event_url: str) -> str:
    return f"invitation {event_url}"


def qr_code(address: str) -> SafeString:
    """The address as an SVG element, dark on light in any theme."""
    code = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_M, border=2)
    code.add_data(address)
    picture: str = code.make_image(image_factory=SvgPathImage).to_string(encoding="unicode")
    return mark_safe(picture)  # noqa: S308 - drawn of squares alone
