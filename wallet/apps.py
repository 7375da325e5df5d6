from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class WalletConfig(AppConfig):
    name = "wallet"
    verbose_name = _("Wallet")

    def ready(self) -> None:
        # Imported once the models are loaded.
        from allauth.account.signals import email_confirmed  # noqa: PLC0415

        from accounts.people.bot_accounts import becoming_bot  # noqa: PLC0415
        from accounts.people.closing import account_opened  # noqa: PLC0415
        from wallet.chips.views import greet, greet_confirmed  # noqa: PLC0415
        from wallet.deposits.services import refuse_payer  # noqa: PLC0415
        from wallet.ledger.roles import (  # noqa: PLC0415
            grant_to_application,
            refuse_tables_of_others,
        )
        from wallet.payments import providers as checks  # noqa: F401, PLC0415 - registers itself

        pre_migrate.connect(refuse_tables_of_others, sender=self)
        post_migrate.connect(grant_to_application, sender=self)
        account_opened.connect(greet)
        email_confirmed.connect(greet_confirmed)
        becoming_bot.connect(refuse_payer, dispatch_uid="wallet.refuse_payer")
