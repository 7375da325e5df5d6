"""HTTP and WebSocket entry point."""

import os

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")

http_application = get_asgi_application()  # loads the apps, which the sockets need

from django.conf import settings  # noqa: E402 - after the apps are loaded

from config.monitoring.tracing import trace_if_asked  # noqa: E402 - after the apps are loaded
from config.request_limits import RequestLimits  # noqa: E402 - after the apps are loaded
from config.sockets.websocket import websocket_application  # noqa: E402 - after the apps are loaded

trace_if_asked()

pages = RequestLimits().limit(http_application) if settings.REQUEST_LIMITS else http_application
application = ProtocolTypeRouter({"http": pages, "websocket": websocket_application})
