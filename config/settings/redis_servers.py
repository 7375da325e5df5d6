"""Redis: its database 0 is for sockets, 1 for jobs, 2 for the cache and rates. NATS and RabbitMQ, if sockets are told
and jobs handed over by them."""

from typing import Any

from kombu import Queue

from config.settings import env
from config.settings.schedule import LIVE, QUEUES

REDIS_URL = env.text("REDIS_URL", "redis://localhost:6379/0")

PRESENCE_REDIS_URL = env.redis_database(REDIS_URL, 0)
RATES_REDIS_URL = env.redis_database(REDIS_URL, 2)
JOBS_REDIS_URL = env.redis_database(REDIS_URL, 1)

# What tells the sockets of all processes.
CHANNEL_LAYER = env.choose("CHANNEL_LAYER", ("redis", "nats"))
NATS_URLS = env.nats_servers("NATS_URLS") if CHANNEL_LAYER == "nats" else []
_BACKEND, _HOSTS = {
    "redis": ("core.sockets.channel_layer.LastingChannelLayer", [PRESENCE_REDIS_URL]),
    "nats": ("core.sockets.nats_layer.NatsChannelLayer", NATS_URLS),
}[CHANNEL_LAYER]
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": _BACKEND,
        "CONFIG": {"hosts": _HOSTS, "serializer_format": "msgpack"},
    }
}
CACHES = {
    "default": {
        "BACKEND": "core.stores.cache.CacheWithReserve",
        "LOCATION": RATES_REDIS_URL,
        # Values under names without it are pickles of processes before 0.3.0.
        "KEY_PREFIX": "json",
    }
}

CELERY_BROKER_URL = env.text("CELERY_BROKER_URL") or env.celery_broker(JOBS_REDIS_URL)
_IS_RABBITMQ = CELERY_BROKER_URL.startswith("amqp")
# Nothing that comes out of Redis is unpickled, whoever has put it there.
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = CELERY_EVENT_SERIALIZER = "json"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Workers wait for it as long as it takes; the default gives up after a hundred tries.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {"confirm_publish": True, "read_timeout": 10, "write_timeout": 10}
    if _IS_RABBITMQ
    else {
        # A job that was lost with its machine runs again after this, which is therefore more than any job takes.
        # All are idempotent, and those of beat come again long before.
        "visibility_timeout": 7_200,
        "unacked_restore_interval": 5,
        # A Redis that stands still holds nobody up for longer.
        "socket_timeout": 10,
        "socket_connect_timeout": 5,
    }
)
# A server of a cluster that dies takes no queue along.
_KIND_OF_QUEUE = {"x-queue-type": "quorum"} if _IS_RABBITMQ else None
CELERY_TASK_QUEUES = [Queue(name, queue_arguments=_KIND_OF_QUEUE) for name in QUEUES]
CELERY_TASK_DEFAULT_QUEUE = LIVE
CELERY_BEAT_SCHEDULER = "config.run.beating.AlertingScheduler"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 120
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Workers tell of each job for an exporter (the profile `watch` of compose.yaml).
CELERY_WORKER_SEND_TASK_EVENTS = env.flag("TASK_EVENTS", default=False)
