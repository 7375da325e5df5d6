import asyncio
import signal
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.live.clock import Clock
from wallet.api import WrongLoginError, refuse_to_serve_with_a_wrong_login


class Command(BaseCommand):
    help = "Acts on deadlines: turns, windows, start timers, practice bots. Run one or more."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            refuse_to_serve_with_a_wrong_login()
        except WrongLoginError as error:
            raise CommandError(str(error)) from error
        asyncio.run(_run())


async def _run() -> None:
    clock = Clock()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signum, clock.stop)
    await clock.run()
