"""Redis: database 0 for sockets, 1 for jobs, 2 for the cache and rate limits.

If NATS is configured, it serves the sockets instead. If RabbitMQ is configured, it serves the jobs instead.
"""

from typing import Any

from kombu import Queue

from config.settings import env
from config.settings.schedule import LIVE, QUEUES

REDIS_URL = env.text("REDIS_URL", "redis://localhost:6379/0")

PRESENCE_REDIS_URL = env.redis_database(REDIS_URL, 0)
RATES_REDIS_URL = env.redis_database(REDIS_URL, 2)
JOBS_REDIS_URL = env.redis_database(REDIS_URL, 1)

# The service that carries messages to the sockets of all processes.
CHANNEL_LAYER = env.choose("CHANNEL_LAYER", ("redis", "nats"))
NATS_URLS = env.nats_servers("NATS_URLS") if CHANNEL_LAYER == "nats" else []
_BACKEND, _HOSTS = {
    "redis": ("core.sockets.channel_layer.RedisChannelLayer", [PRESENCE_REDIS_URL]),
    "nats": ("core.sockets.nats_layer.NatsChannelLayer", NATS_URLS),
}[CHANNEL_LAYER]
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": _BACKEND,
        "CONFIG": {"hosts": _HOSTS},
    }
}
CACHES = {
    "default": {
        "BACKEND": "core.stores.cache.CacheWithReserve",
        "LOCATION": RATES_REDIS_URL,
    }
}

CELERY_BROKER_URL = env.text("CELERY_BROKER_URL") or env.celery_broker(JOBS_REDIS_URL)
_IS_RABBITMQ = CELERY_BROKER_URL.startswith("amqp")
# Never unpickle anything that comes from Redis.
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = CELERY_EVENT_SERIALIZER = "json"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Workers wait for the broker as long as it takes; the default gives up after a hundred attempts.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {"confirm_publish": True, "read_timeout": 10, "write_timeout": 10}
    if _IS_RABBITMQ
    else {
        # A job lost with its machine runs again after this, so it must be longer than any job takes. All
        # jobs are idempotent, and beat sends its own again long before.
        "visibility_timeout": 7_200,
        "unacked_restore_interval": 5,
        # A stalled Redis blocks nobody for longer than this.
        "socket_timeout": 10,
        "socket_connect_timeout": 5,
    }
)
# A queue survives the death of one server of a cluster.
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
# Workers send events about each job to an exporter (the profile `watch` of compose.yaml).
CELERY_WORKER_SEND_TASK_EVENTS = env.flag("TASK_EVENTS", default=False)
