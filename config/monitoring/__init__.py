"""Health checks, metrics for Prometheus, traces, and script errors from players' browsers."""
