from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class CoreConfig(AppConfig):
    name = "core"
    verbose_name = _("Site")

    def ready(self) -> None:
        from core.database.encoding import refuse_other_encodings  # noqa: PLC0415 - as below
        from core.database.failover import leave_silent_primaries  # noqa: PLC0415 - as below
        from core.database.rewritten_migrations import (  # noqa: PLC0415 - as below
            refuse_rewritten_migrations,
        )
        from core.site.features import make_switches  # noqa: PLC0415 - once the models are loaded

        leave_silent_primaries()
        pre_migrate.connect(
            refuse_other_encodings, sender=self, dispatch_uid="core.refuse_other_encodings"
        )
        pre_migrate.connect(
            refuse_rewritten_migrations,
            sender=self,
            dispatch_uid="core.refuse_rewritten_migrations",
        )
        post_migrate.connect(make_switches, sender=self, dispatch_uid="core.make_switches")
