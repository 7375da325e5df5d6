from django import template

from accounts.sessions.devices import name_device

register = template.Library()


@register.filter
def device(user_agent: str) -> str:
    return name_device(user_agent)
