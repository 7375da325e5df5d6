"""Tags for pages without a context: the error pages."""

from django import template

from core.site.content import get_seen_site

register = template.Library()


@register.simple_tag
def seen_site_name() -> str:
    """Return the site's name as this process last read it, without a query."""
    return get_seen_site().name
