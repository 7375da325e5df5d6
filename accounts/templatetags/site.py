"""For pages without a context: those that tell of a failure."""

from django import template

from core.site.content import get_seen_site

register = template.Library()


@register.simple_tag
def seen_site_name() -> str:
    """The site's name, as far as this process knows it without asking anybody."""
    return get_seen_site().name
