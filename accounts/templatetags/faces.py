"""Faces of players on pages."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def face(code: str) -> SafeString:
    """Return the picture of a face. It stands beside the player's name, so it has no words of its own."""
    picture = '<svg class="face" aria-hidden="true"><use href="{}#{}" /></svg>'
    return format_html(picture, static("img/faces.svg"), code)
