"""The log's context, Prometheus metrics and traces."""
