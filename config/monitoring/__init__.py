"""Health checks, metrics for Prometheus, traces, and errors of scripts in players' browsers."""
