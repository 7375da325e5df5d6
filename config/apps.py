"""The app of the configuration, and Django's administration with our own site."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class SiteConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        # Sent tasks belong to this Celery application. The launcher of processes does without it.
        import config.celery  # noqa: F401, PLC0415 - it reads the settings
        from accounts.people.closing import player_renamed  # noqa: PLC0415 - models are loaded now
        from config.account_data.closing import rename  # noqa: PLC0415

        player_renamed.connect(rename, dispatch_uid="config.rename")


class AdministrationConfig(AdminConfig):
    default_site = "config.desk.administration.Administration"

    def ready(self) -> None:
        super().ready()
        # Import now that the models are loaded.
        import config.desk.mail_kinds  # noqa: F401, PLC0415 - the administration offers them all
        from config.desk.administration import register_person_pages  # noqa: PLC0415

        register_person_pages()
