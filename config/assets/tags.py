"""The tag `{% script %}`, which loads one of our scripts in the head of a page."""

from django import template
from django.forms.utils import flatatt
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.assets.static import list_modules

register = template.Library()


@register.simple_tag
def script(name: str, **attributes: str) -> SafeString:
    """Return a module's `<script>` element and preload links, so that browsers load its imports in parallel."""
    needed = ((static(one),) for one in list_modules(name))
    return format_html(
        '<script type="module" src="{}"{}></script>{}',
        static(name),
        flatatt(attributes),
        format_html_join("", '<link rel="modulepreload" href="{}">', needed),
    )
