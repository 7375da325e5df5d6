"""Faces of players on pages."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.people.preferences import get_frame

register = template.Library()


@register.simple_tag
def face(code: str) -> SafeString:
    """Return the picture of a face. It stands beside the player's name, so it needs no alternative text."""
    picture = '<svg class="face" aria-hidden="true"><use href="{}#{}" /></svg>'
    return format_html(picture, static("img/faces.svg"), code)


@register.simple_tag
def framed_face(player: User) -> SafeString:
    """Return the picture of a player's face, in the frame that the player has chosen."""
    frame = get_frame(player)
    if frame is None:
        return face(player.shown_face)
    return format_html(
        '<span class="framed" data-frame="{}">{}</span>', frame, face(player.shown_face)
    )
