from django import template

from accounts.sessions.devices import device_of

register = template.Library()


@register.filter
def device(user_agent: str) -> str:
    return device_of(user_agent)
