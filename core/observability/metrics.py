"""The metrics of one process. config/monitoring/metrics.py adds up all processes.

Names and units follow Prometheus: seconds, and `_total` for counters.
"""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

# A move should be answered within 150 ms.
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5)

MOVES: Final = Counter("openrummy_moves", "Moves that arrived, by what became of them", ["outcome"])
MOVE_SECONDS: Final = Histogram(
    "openrummy_move_seconds", "From a move's arrival to its answer", buckets=_SECONDS
)
SOCKETS: Final = Gauge("openrummy_sockets", "Open sockets", ["kind"], multiprocess_mode="livesum")
REQUESTS: Final = Counter("openrummy_requests", "Requests for pages", ["view", "status"])
REQUEST_SECONDS: Final = Histogram(
    "openrummy_request_seconds", "From a request to its answer", ["view"], buckets=_SECONDS
)
REPLICA_READS: Final = Counter(
    "openrummy_replica_reads",
    "Pages that may be read from the replica, by what read them",
    ["from"],
)
JOBS: Final = Counter("openrummy_jobs", "Jobs that workers ended", ["task", "state"])
JOB_SECONDS: Final = Histogram("openrummy_job_seconds", "Of one job", ["task"], buckets=_SECONDS)
