"""Sockets: the same session as the pages, and only from the site's own origin."""

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator, OriginValidator
from django.conf import settings

from tables.routing import websocket_urlpatterns

_routes = AuthMiddlewareStack(URLRouter(websocket_urlpatterns))

# A host name alone admits every port and scheme of that host, so a deployment names whole origins.
websocket_application = (
    OriginValidator(_routes, settings.WEBSOCKET_ORIGINS)
    if settings.WEBSOCKET_ORIGINS
    else AllowedHostsOriginValidator(_routes)
)
