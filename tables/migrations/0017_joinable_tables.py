from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    # The indexes are made while people play.
    atomic = False
    dependencies = [("tables", "0016_seats_taken")]

    operations = [
        AddIndexConcurrently(
            "table",
            models.Index(
                fields=["template"],
                name="table_joinable",
                condition=Q(
                    ~Q(status="CLOSED"),
                    seats_taken__lt=F("max_seats"),
                    invite_code="",
                    broken_at__isnull=True,
                    closing_at__isnull=True,
                ),
            ),
        ),
        AddIndexConcurrently(
            "table",
            models.Index(
                fields=[
                    "game",
                    "format",
                    "currency",
                    "point_value",
                    "entry_fee",
                    "max_seats",
                    "id",
                ],
                name="table_in_the_lobby",
                condition=Q(
                    ~Q(status="CLOSED"), event_url="", invite_code="", closing_at__isnull=True
                ),
            ),
        ),
    ]
