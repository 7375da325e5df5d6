"""Monitoring access: probes ask a process at its own address, by any host name and without TLS.

A container's health check, a load balancer and Prometheus know neither the site's name nor its
certificate. What the world may see of these pages is the proxy's to say (deploy/nginx.conf).
"""

from collections.abc import Callable
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from config.monitoring import health, metrics

_PAGES: Final[dict[str, Callable[[HttpRequest], HttpResponse]]] = {
    "/healthz": health.alive,
    "/readyz": health.ready,
    "/ledgerz": health.ledger,
    "/metrics": metrics.metrics,
}


def answer_monitoring(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, before those that redirect to TLS and refuse unknown hosts."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        page = _PAGES.get(request.path)
        if page is not None:
            try:
                return page(request)
            except Http404:  # like any other address that there is not
                pass
        return get_response(request)

    return handle
