"""Sockets: the same session as the pages, and only from the site's own origin."""

from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator, OriginValidator
from django.conf import settings
from django.urls import path

from config.consumers import MeConsumer
from tables.routing import websocket_urlpatterns as of_tables
from tournaments.routing import websocket_urlpatterns as of_tournaments

_me: Any = path("ws/me/", MeConsumer.as_asgi())  # type: ignore[arg-type] # for views alone
_routes = AuthMiddlewareStack(URLRouter([*of_tables, *of_tournaments, _me]))

# A host name alone admits every port and scheme of that host, so a deployment names whole origins.
websocket_application = (
    OriginValidator(_routes, settings.WEBSOCKET_ORIGINS)
    if settings.WEBSOCKET_ORIGINS
    else AllowedHostsOriginValidator(_routes)
)
