from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        # Tasks that are sent belong to this application. What starts processes does without it.
        import config.celery  # noqa: F401, PLC0415 - it reads the settings
