"""OpenTelemetry spans, sent to a collector by OTLP over HTTP.

`tracing.py` imports this module only if tracing is on: the library is optional.
"""

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from core.observability.tracing import Value

_marks: Final = TraceContextTextMapPropagator()
# Refusals are expected exceptions, and their sentences are for the player only.
_PLAIN: Final[dict[str, Any]] = {"record_exception": False, "set_status_on_exception": False}


class OpenTelemetry:
    """An implementation of `core.observability.tracing.Tracer` on an OpenTelemetry provider."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("openrummy")

    def root(self, name: str, told: Mapping[str, Value]) -> AbstractContextManager[object]:
        return self._begin(name, told, context=Context(), kind=trace.SpanKind.SERVER)

    def inner(self, name: str, told: Mapping[str, Value]) -> AbstractContextManager[object]:
        if not _is_traced():
            return nullcontext()
        return self._begin(name, told)

    def resume(
        self, name: str, told: Mapping[str, Value], mark: str
    ) -> AbstractContextManager[object]:
        context = _marks.extract({"traceparent": mark}, Context())
        return self._begin(name, told, context=context, kind=trace.SpanKind.CONSUMER)

    def _begin(
        self, name: str, told: Mapping[str, Value], **place: Any
    ) -> AbstractContextManager[object]:
        return self._tracer.start_as_current_span(
            name, attributes=_prefix_names(told), **place, **_PLAIN
        )

    def add_attributes(self, told: Mapping[str, Value]) -> None:
        trace.get_current_span().set_attributes(_prefix_names(told))

    def mark(self) -> str | None:
        if not _is_traced():
            return None
        carrier: dict[str, str] = {}
        _marks.inject(carrier)
        return carrier.get("traceparent")


def _is_traced() -> bool:
    """Return whether a trace is active. Its span may have ended already, because messages leave after the commit."""
    context = trace.get_current_span().get_span_context()
    return context.is_valid and context.trace_flags.sampled


def _prefix_names(told: Mapping[str, Value]) -> dict[str, Value]:
    return {f"openrummy.{name}": value for name, value in told.items()}


def to_collector(process: str) -> OpenTelemetry:
    """Return a tracer that sends spans to OTEL_EXPORTER_OTLP_ENDPOINT from a background thread.

    No move waits for the thread, and spans that cannot be sent in time are dropped. `process` is the process's
    name.
    """
    os.environ.setdefault("OTEL_SERVICE_NAME", "openrummy")
    provider = TracerProvider(resource=Resource.create({"service.instance.id": process}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return OpenTelemetry(provider)
