"""HTTP and WebSocket entry point."""

import os

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")

http_application = get_asgi_application()  # loads the apps, which the sockets need

from config.monitoring.tracing import trace_if_asked  # noqa: E402 - after the apps are loaded
from config.sockets.websocket import websocket_application  # noqa: E402 - after the apps are loaded

trace_if_asked()

application = ProtocolTypeRouter({"http": http_application, "websocket": websocket_application})
