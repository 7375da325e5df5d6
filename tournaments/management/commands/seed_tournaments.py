"""Demo tournaments of a local run. Run again it adds only what is missing."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournaments.running.demo_templates import make_demo_templates
from tournaments.running.ticking import tick


class Command(BaseCommand):
    help = "Makes tournament templates that begin within minutes, and the tournaments of them."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO_DATA:
            raise CommandError("Demo tournaments are for local runs alone.")
        make_demo_templates()
        tick()
