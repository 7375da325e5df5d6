"""Traces, sent to OTEL_EXPORTER_OTLP_ENDPOINT (docs/tracing.md). Without that setting OpenTelemetry is not imported.

OpenTelemetry reads its other variables itself.
"""

import os
from importlib import import_module
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from core.observability.tracing import trace_with

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"


def trace_if_asked() -> None:
    """Trace this process if tracing is configured. Raises ImproperlyConfigured if OpenTelemetry is not installed."""
    if not os.environ.get(ENDPOINT):
        return
    try:
        open_telemetry = import_module("config.monitoring.open_telemetry")
    except ModuleNotFoundError as error:
        raise ImproperlyConfigured(
            f"{ENDPOINT} is set, but OpenTelemetry is not installed: pip install --require-hashes "
            "-r requirements-tracing.txt, or build the image with --build-arg TRACING=1."
        ) from error
    process = f"{os.environ.get('PROCESS_NAME', 'web')}-{os.uname().nodename}-{os.getpid()}"
    trace_with(open_telemetry.to_collector(process))
