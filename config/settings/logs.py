"""The destination and format of the site's logs."""

from typing import Any

from config.settings import env

# "line" for people, "json" for log collectors.
LOG_FORMAT = env.text("LOG_FORMAT", "line")

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "context": {"()": "core.observability.logs.ContextFilter"},
        "client": {"()": "core.observability.logs.ClientLimit"},
        "outage": {"()": "core.database.outage.OutageLimit"},
        "chosen": {"()": "core.observability.logs.ChosenAnswers"},
    },
    "formatters": {
        "line": {"format": "{levelname} {name}: {message}{context}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{levelname}{name}{message}",
            "style": "{",
            "timestamp": "time",  # with its offset: TIME_ZONE is the players'
            "rename_fields": {"levelname": "level", "name": "logger"},
            "static_fields": {"process": env.text("PROCESS_NAME", "manage")},
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["context", "client", "outage"],
        }
    },
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {
        "django.server": {"level": "WARNING"},
        "django.request": {"filters": ["chosen"]},
    },
}
