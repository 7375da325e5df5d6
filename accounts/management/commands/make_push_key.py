from typing import Any

from django.core.management.base import BaseCommand

from accounts.push.web_push import make_private_key


class Command(BaseCommand):
    help = "Prints a new VAPID_PRIVATE_KEY. Browsers that have subscribed by another are lost."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(make_private_key())
