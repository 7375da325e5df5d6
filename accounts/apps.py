from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from accounts.desk.staff_roles import grant_roles


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from accounts.people import checks  # noqa: F401, PLC0415 - registers itself once apps are loaded
        from accounts.sessions.services import connect_receivers  # noqa: PLC0415 - likewise

        connect_receivers()
        # After every app's own: Django has made its permissions by then.
        post_migrate.connect(grant_roles, dispatch_uid="accounts.grant_roles")
