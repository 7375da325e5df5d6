"""Log context, Prometheus metrics and traces."""
