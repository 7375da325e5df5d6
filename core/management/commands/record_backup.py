from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from core.backups import record_backup, record_backup_check


class Command(BaseCommand):
    help = "Records a backup, so that alarms know its age. deploy/backup.sh calls this."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the folder of the backup")
        parser.add_argument("--bytes", type=int, default=0, help="the size of all its files")
        parser.add_argument(
            "--checked", action="store_true", help="it was restored and found to be good"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        now = timezone.now()
        if not options["checked"]:
            record_backup(options["name"], size_bytes=options["bytes"], now=now)
        elif not record_backup_check(options["name"], now=now):
            self.stdout.write("This site has not made that backup; its check is not recorded.")
